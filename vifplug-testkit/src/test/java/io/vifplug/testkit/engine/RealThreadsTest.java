package io.vifplug.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vifplug.Guest;
import io.vifplug.Outcome;
import io.vifplug.PlugCall;
import io.vifplug.PlugPolicy;
import io.vifplug.Progress;
import io.vifplug.Reason;
import io.vifplug.VifPlug;
import io.vifplug.event.NetworkEvent;
import io.vifplug.network.NetworkInfo;
import io.vifplug.network.Vif;
import io.vifplug.spi.PlugListener;
import io.vifplug.testkit.FakeHypervisor;
import io.vifplug.testkit.FakeNetworkBackend;
import io.vifplug.testkit.FakePlugger;
import io.vifplug.testkit.Fault;
import io.vifplug.testkit.HostScript;
import io.vifplug.testkit.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only real threads can show: one guest's slowness is no other guest's (I9). */
class RealThreadsTest {
  private final FakeNetworkBackend network = new FakeNetworkBackend();
  private final HostScript script = new HostScript(Timeline.discarding());
  private final FakeHypervisor hypervisor = new FakeHypervisor(script);
  private final FakePlugger plugger = new FakePlugger(script);

  @AfterEach
  void letHungCallsGo() {
    script.releaseHung();
  }

  private VifPlug.Builder builder() {
    return VifPlug.builder().hypervisor(hypervisor).plugger(plugger).eventSource(network);
  }

  private static Vif port(int number) {
    return Vif.builder(new UUID((long) number << 40, 2)).driver("openvswitch").build();
  }

  private static Guest guest(int number) {
    return Guest.of(new UUID(number, 1));
  }

  private PlugCall spawn(VifPlug vifPlug, int number) {
    return vifPlug.spawn(guest(number), NetworkInfo.of(port(number)));
  }

  private void announceOnceItWaits(PlugCall call, int number) {
    await().until(() -> call.progress().phase().equals("wait"));
    assertThat(network.deliver(NetworkEvent.plugged(guest(number).id(), port(number).port())))
        .isNotEmpty();
  }

  @Test
  void aHungPlugOfOneGuestDelaysNoOther() {
    script.fault(Fault.always("plug", Fault.ErrorKind.HANG).withPort(port(1).port()));
    PlugPolicy impatient = PlugPolicy.defaults().withPlugTimeout(Duration.ofMillis(200));
    try (VifPlug vifPlug = builder().policy(impatient).build()) {
      PlugCall hung = spawn(vifPlug, 1);
      PlugCall healthy = spawn(vifPlug, 2);
      announceOnceItWaits(healthy, 2);

      assertThat(healthy.join().kind()).isEqualTo(Outcome.Kind.READY);
      Outcome outcome = hung.join();
      assertThat(outcome.reason()).isEqualTo(Reason.PLUG_TIMEOUT);
      assertThat(outcome.cleanupComplete()).isFalse();
      assertThat(vifPlug.health().stuckCalls()).isEqualTo(1);

      script.releaseHung();
      await().until(() -> vifPlug.health().stuckCalls() == 0);
    }
  }

  @Test
  void moreHungPlugsThanCallThreadsDelayNoOther() {
    PlugPolicy impatient = PlugPolicy.defaults().withPlugTimeout(Duration.ofMillis(200));
    try (VifPlug vifPlug = builder().policy(impatient).maxInFlight(100).build()) {
      List<PlugCall> hung = new ArrayList<>();
      for (int number = 1; number <= 20; number++) {
        script.fault(Fault.always("plug", Fault.ErrorKind.HANG).withPort(port(number).port()));
        hung.add(spawn(vifPlug, number));
      }
      PlugCall healthy = spawn(vifPlug, 50);
      announceOnceItWaits(healthy, 50);

      assertThat(healthy.join().kind()).isEqualTo(Outcome.Kind.READY);
      assertThat(hung).extracting(call -> call.join().reason()).containsOnly(Reason.PLUG_TIMEOUT);
    }
  }

  @Test
  void aListenerThatNeverReturnsDelaysNoGuest() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    PlugListener blocked =
        new PlugListener() {
          @Override
          public void stepEntered(long attempt, UUID guest, io.vifplug.Plan.Step step) {
            entered.countDown();
            awaitQuietly(release);
          }
        };
    try (VifPlug vifPlug = builder().listener(blocked).build()) {
      PlugCall call = spawn(vifPlug, 1);
      assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
      announceOnceItWaits(call, 1);

      assertThat(call.join().kind()).isEqualTo(Outcome.Kind.READY);
    } finally {
      release.countDown();
    }
  }

  @Test
  void whatACallerDoesAfterTheEndDelaysNoOtherGuestsEvent() {
    CountDownLatch release = new CountDownLatch(1);
    try (VifPlug vifPlug = builder().build()) {
      PlugCall slow = spawn(vifPlug, 1);
      var afterwards = slow.outcome().thenAccept(outcome -> awaitQuietly(release));
      announceOnceItWaits(slow, 1);
      await().until(() -> slow.progress().outcome() != null);

      PlugCall other = spawn(vifPlug, 2);
      announceOnceItWaits(other, 2);
      assertThat(other.join().kind()).isEqualTo(Outcome.Kind.READY);
      assertThat(afterwards.toCompletableFuture()).isNotDone();
    } finally {
      release.countDown();
    }
  }

  @Test
  void whoeverSeesTheEndAlsoSeesTheReason() {
    PlugPolicy impatient = PlugPolicy.defaults().withTimeout(Duration.ofMillis(1));
    try (VifPlug vifPlug = builder().policy(impatient).maxInFlight(1_000).build()) {
      for (int number = 1; number <= 200; number++) {
        PlugCall call = spawn(vifPlug, number);
        Progress seen = call.progress();
        while (!seen.phase().equals("ended")) {
          Thread.onSpinWait();
          seen = call.progress();
        }
        // LP 2161293: the state was visible before its fault.
        assertThat(seen.outcome()).isNotNull();
        assertThat(seen.outcome().reason()).isEqualTo(Reason.EVENT_TIMEOUT);
        assertThat(seen.outcome().message()).contains(port(number).port().toString());
      }
    }
  }

  @Test
  void closingEndsWaitsAndCleansUp() {
    VifPlug vifPlug = builder().maxInFlight(100).build();
    List<PlugCall> calls = new ArrayList<>();
    for (int number = 1; number <= 50; number++) {
      calls.add(spawn(vifPlug, number));
    }
    await().until(() -> calls.stream().allMatch(call -> call.progress().phase().equals("wait")));

    vifPlug.close();

    assertThat(calls).extracting(call -> call.join().reason()).containsOnly(Reason.CLOSED);
    assertThat(plugger.plugged()).isEmpty();
    assertThat(hypervisor.pausedByLibrary()).isEmpty();
    assertThat(spawn(vifPlug, 1).join().reason()).isEqualTo(Reason.CLOSED);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      if (!latch.await(1, TimeUnit.MINUTES)) {
        throw new AssertionError("never released");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
