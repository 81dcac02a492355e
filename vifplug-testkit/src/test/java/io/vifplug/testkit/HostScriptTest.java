package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vifplug.Guest;
import io.vifplug.network.Vif;
import io.vifplug.spi.Calls;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.spi.HostException;
import io.vifplug.testkit.Fault.ErrorKind;
import io.vifplug.testkit.Timeline.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HostScriptTest {
  private final FakeHost host = new FakeHost();
  private final Guest guest = Guest.of(UUID.randomUUID());
  private final Vif first = Vif.builder(UUID.randomUUID()).build();
  private final Vif second = Vif.builder(UUID.randomUUID()).build();
  private final List<String> log = new ArrayList<>();

  private void log(StepListener.Step step) {
    log.add(
        "%s.%s %d@%d"
            .formatted(
                step.step(), step.phase().word(), step.nth(), host.time().elapsed().toMillis()));
  }

  private <T> Calls.Call<T> call(Callable<T> body) {
    return host.time().calls().submit(Duration.ofSeconds(30), body);
  }

  private Calls.Call<String> plug(Vif vif) {
    return call(
        () -> {
          host.plugger().plug(guest, vif);
          return "plugged";
        });
  }

  @Test
  void theEffectIsAtTheEntryAndTheExitWhenTheTimeIsOver() {
    host.script().takes("plug", Duration.ofMillis(40));
    for (String trigger : List.of("plug.enter", "plug.exit", "plug.fail")) {
      var unused = host.script().onStep(trigger, this::log);
    }
    var unused = plug(first);
    host.time().settle();
    assertThat(host.plugger().isPlugged(first.port())).isTrue();
    assertThat(log).containsExactly("plug.enter 1@0");
    host.time().runUntilIdle();
    assertThat(log).containsExactly("plug.enter 1@0", "plug.exit 1@40");
  }

  @Test
  void aFailureIsToldWhenTheTimeIsOver() {
    host.script().takes("plug", Duration.ofMillis(40));
    var unused = host.script().fault(Fault.once("plug", ErrorKind.BUSY));
    unused = host.script().onStep("plug.exit", this::log);
    unused = host.script().onStep("plug.fail", this::log);
    var call = plug(first);
    host.time().runUntilIdle();
    assertThat(log).containsExactly("plug.fail 1@40");
    assertThat(call.inTime().toCompletableFuture()).isCompletedExceptionally();
    assertThat(host.plugger().isPlugged(first.port())).isFalse();
  }

  @Test
  void durationsOfAPortGoBeforeThoseOfItsGuestAndThoseBeforeTheDefault() {
    host.script()
        .takes("plug", Duration.ofMillis(1))
        .takes("plug", guest.id(), Duration.ofMillis(20))
        .takes("plug", first.port(), Duration.ofMillis(300));
    var unused = host.script().onStep("plug.exit", this::log);
    var unused1 = plug(first);
    var unused2 = plug(second);
    var unused3 =
        call(
            () -> {
              host.plugger()
                  .plug(Guest.of(UUID.randomUUID()), Vif.builder(UUID.randomUUID()).build());
              return "";
            });
    host.time().runUntilIdle();
    assertThat(log).containsExactly("plug.exit 1@1", "plug.exit 2@20", "plug.exit 3@300");
  }

  @Test
  void triggersCanNameAPortAndATime() throws HostException {
    var unused =
        host.script()
            .onStep(Trigger.of("plug.enter").withPort(second.port()).withNth(2), this::log);
    host.plugger().plug(guest, first);
    host.plugger().plug(guest, second);
    host.plugger().plug(guest, first);
    assertThat(log).isEmpty();
    host.plugger().plug(guest, second);
    host.plugger().plug(guest, second);
    assertThat(log).containsExactly("plug.enter 2@0");
    assertThatThrownBy(() -> Trigger.of("plug.entered")).hasMessageContaining("plug.entered");
  }

  @Test
  void aFaultCanBeLimitedInTimesAndPortAndComeAfterSuccesses() throws HostException {
    var unused =
        host.script()
            .fault(
                Fault.once("plug", ErrorKind.AGAIN)
                    .withPort(second.port())
                    .withAfter(1)
                    .withMessage("try again"));
    host.plugger().plug(guest, first);
    host.plugger().plug(guest, second);
    host.plugger().plug(guest, first);
    assertThatThrownBy(() -> host.plugger().plug(guest, second)).hasMessageContaining("try again");
    host.plugger().plug(guest, second);
    assertThat(host.timeline().count("plug")).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorKind.class,
      names = {"HANG", "THROWABLE"},
      mode = EnumSource.Mode.EXCLUDE)
  void hostErrorsAreHostExceptionsOfTheirKind(ErrorKind error) {
    var unused = host.script().fault(Fault.always("createPaused", error));
    assertThatThrownBy(() -> host.hypervisor().createPaused(guest, List.of()))
        .asInstanceOf(InstanceOfAssertFactories.type(HostException.class))
        .extracting(HostException::kind)
        .hasToString(error.name());
    assertThat(host.hypervisor().state(guest.id())).isEqualTo(State.ABSENT);
  }

  @Test
  void aThrowableIsNoException() {
    var unused = host.script().fault(Fault.always("resume", ErrorKind.THROWABLE));
    assertThatThrownBy(() -> host.hypervisor().resume(guest, "1")).isInstanceOf(Error.class);
    assertThat(host.timeline().entries())
        .extracting(Timeline.Entry::phase)
        .containsExactly(Phase.ENTER, Phase.FAIL);
  }

  @Test
  void aHangingCallHasNoEffectAndNeverReturns() {
    var unused = host.script().fault(Fault.once("plug", ErrorKind.HANG));
    var call = plug(first);
    host.time().runUntilIdle();
    assertThat(call.inTime().toCompletableFuture()).isCompletedExceptionally();
    assertThat(call.returned().toCompletableFuture()).isNotDone();
    assertThat(host.plugger().isPlugged(first.port())).isFalse();
    assertThat(host.time().elapsed()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void withRealThreadsAHangingCallReturnsWhenReleased() throws InterruptedException {
    Timeline timeline = Timeline.untimed();
    HostScript script = new HostScript(timeline);
    FakePlugger plugger = new FakePlugger(script);
    var unused = script.fault(Fault.once("plug", ErrorKind.HANG));
    Thread caller =
        new Thread(
            () -> {
              try {
                plugger.plug(guest, first);
              } catch (HostException expected) {
                timeline.violation(String.valueOf(expected.getMessage()));
              }
            });
    caller.start();
    Awaitility.await().until(() -> caller.getState() == Thread.State.WAITING);
    script.releaseHung();
    caller.join();
    assertThat(timeline.violations()).singleElement().asString().contains("plug of port");
  }

  @Test
  void aCreateCanFailAndLeaveItsGuest() {
    var unused = host.script().fault(Fault.once("createPaused", ErrorKind.GENERIC).leavingGuest());
    assertThatThrownBy(() -> host.hypervisor().createPaused(guest, List.of()))
        .isInstanceOf(HostException.class);
    assertThat(host.hypervisor().state(guest.id())).isEqualTo(State.PAUSED);
  }
}
