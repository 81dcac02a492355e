package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.Evidence;
import io.vifplug.Guest;
import io.vifplug.HostHealth;
import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.Plan;
import io.vifplug.Plan.StepKind;
import io.vifplug.PlugCall;
import io.vifplug.PortResult;
import io.vifplug.PortState;
import io.vifplug.Progress;
import io.vifplug.backend.Expectation;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.testkit.InvariantChecker.End;
import io.vifplug.testkit.InvariantChecker.Violation;
import io.vifplug.testkit.Timeline.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InvariantCheckerTest {
  private static final Guest GUEST =
      Guest.of(UUID.fromString("11111111-0000-4000-8000-000000000001"));
  private static final UUID PORT = UUID.fromString("22222222-0000-4000-8000-000000000001");
  private static final Vif VIF = Vif.builder(PORT).build();

  private final VirtualTime time = new VirtualTime();
  private final Timeline timeline = new Timeline(time);
  private final HostScript script = new HostScript(time, timeline);
  private final FakeHypervisor hypervisor = new FakeHypervisor(script);
  private final FakePlugger plugger = new FakePlugger(script);
  private final InvariantChecker checker = new InvariantChecker(time, timeline);
  private final CompletableFuture<Outcome> end = new CompletableFuture<>();
  private final List<Outcome.StepRecord> steps = new ArrayList<>();
  private @Nullable Duration confirmedAt;
  private int openWatches;

  /** A call that ends when the test says so. */
  private final class Call implements PlugCall {
    @Override
    public CompletionStage<Outcome> outcome() {
      return end;
    }

    @Override
    public Outcome join() {
      return end.join();
    }

    @Override
    public void cancel() {}

    @Override
    public Progress progress() {
      return new Progress(
          GUEST.id(), Operation.SPAWN, 7, "wait", Duration.ZERO, List.of(), List.of(), null);
    }
  }

  private void ask(Operation operation) {
    checker.asked(GUEST.id(), operation, new Call());
  }

  private void step(String word, Phase phase) {
    timeline.record(word, GUEST.id(), null, phase, phase == Phase.EXIT ? "RESUMED instance 1" : "");
    if (phase == Phase.ENTER) {
      steps.add(new Outcome.StepRecord(word, null, time.now(), time.elapsed()));
    }
  }

  private void end(Outcome.Kind kind) {
    end(kind, Operation.SPAWN);
  }

  private void end(Outcome.Kind kind, Operation operation) {
    PortResult port =
        new PortResult(
            PORT,
            Expectation.AWAIT_PLUG_TIME,
            "",
            confirmedAt == null ? PortState.OUTSTANDING : PortState.CONFIRMED,
            confirmedAt == null ? Set.of() : Set.of(Evidence.EVENT),
            confirmedAt == null ? null : VirtualTime.START.plus(confirmedAt),
            0,
            0,
            null,
            null,
            "");
    Outcome outcome =
        new Outcome(
            GUEST.id(),
            operation,
            7,
            kind,
            null,
            "",
            null,
            VirtualTime.START,
            time.now(),
            time.elapsed(),
            Map.of(PORT, port),
            null,
            0,
            Map.of(),
            steps,
            List.of(),
            true,
            List.of(),
            null);
    checker.ended(outcome);
    end.complete(outcome);
  }

  private List<String> broken() {
    HostHealth health = new HostHealth(true, 0, 0, 0, 0, false, 0, 0, 0, openWatches, 0);
    return checker.check(new End(health, List.of(), hypervisor, plugger, true)).stream()
        .map(Violation::invariant)
        .toList();
  }

  @Test
  void nothingIsBrokenWhereNothingHappened() {
    assertThat(broken()).isEmpty();
  }

  @Test
  void aCleanSpawnBreaksNothing() {
    ask(Operation.SPAWN);
    step("createPaused", Phase.ENTER);
    step("createPaused", Phase.EXIT);
    confirmedAt = Duration.ZERO;
    step("resume", Phase.ENTER);
    step("resume", Phase.EXIT);
    end(Outcome.Kind.READY);
    assertThat(broken()).isEmpty();
  }

  @Test
  void i1AResumeBeforeItsPortIsConfirmed() {
    ask(Operation.SPAWN);
    step("resume", Phase.ENTER);
    step("resume", Phase.EXIT);
    time.advance(Duration.ofSeconds(1));
    confirmedAt = Duration.ofSeconds(1);
    end(Outcome.Kind.READY);
    assertThat(broken()).containsExactly("I1");
  }

  @Test
  void i1ADegradedGuestMayRunBeforeItsPortIsConfirmed() {
    ask(Operation.SPAWN);
    step("resume", Phase.ENTER);
    step("resume", Phase.EXIT);
    end(Outcome.Kind.DEGRADED);
    assertThat(broken()).isEmpty();
  }

  @Test
  void i2AGuestThatIsLeftPaused() {
    ask(Operation.SPAWN);
    step("createPaused", Phase.ENTER);
    step("createPaused", Phase.EXIT);
    hypervisor.put(GUEST, State.PAUSED, FakeHypervisor.Pauser.LIBRARY, List.of(VIF));
    end(Outcome.Kind.FAILED);
    assertThat(broken()).containsExactly("I2");
  }

  @Test
  void i3AnOperationThatNeverEndsOrEndsTwice() {
    ask(Operation.SPAWN);
    assertThat(broken()).containsExactly("I3");
    end(Outcome.Kind.READY);
    checker.ended(end.join());
    assertThat(broken()).contains("I3");
  }

  @Test
  void i4AVifThatIsLeftPlugged() {
    ask(Operation.SPAWN);
    step("plug", Phase.ENTER);
    step("plug", Phase.EXIT);
    plugger.adopt(GUEST.id(), List.of(VIF));
    end(Outcome.Kind.FAILED);
    assertThat(broken()).containsExactly("I4");
  }

  @Test
  void i4AnAttemptThatTouchedNothingMayLeaveWhatItFound() {
    ask(Operation.START);
    plugger.adopt(GUEST.id(), List.of(VIF));
    end(Outcome.Kind.FAILED, Operation.START);
    assertThat(broken()).isEmpty();
  }

  @Test
  void i4TheVifsOfAGuestThatWasNeverTouchedAreNobodysFault() {
    plugger.adopt(GUEST.id(), List.of(VIF));
    assertThat(broken()).isEmpty();
  }

  @Test
  void i5AWatchThatIsLeftOpen() {
    ask(Operation.SPAWN);
    confirmedAt = Duration.ZERO;
    end(Outcome.Kind.READY);
    openWatches = 1;
    assertThat(broken()).contains("I5");
  }

  @Test
  void i5AWatchOfADegradedGuestMayBeOpenForAnHour() {
    ask(Operation.SPAWN);
    end(Outcome.Kind.DEGRADED);
    openWatches = 1;
    time.advance(Duration.ofMinutes(59));
    assertThat(broken()).isEmpty();
    time.advance(Duration.ofMinutes(2));
    assertThat(broken()).containsExactly("I5");
  }

  @Test
  void i6AnOlderAttemptThatActsAfterANewerOne() {
    checker.stepEntered(8, GUEST.id(), new Plan.Step(StepKind.PLUG, VIF));
    checker.stepEntered(7, GUEST.id(), new Plan.Step(StepKind.UNPLUG, VIF));
    assertThat(broken()).containsExactly("I6");
  }

  @Test
  void i6TwoCallsOnOneGuestAtOnce() {
    ask(Operation.SPAWN);
    step("plug", Phase.ENTER);
    step("destroy", Phase.ENTER);
    end(Outcome.Kind.FAILED);
    assertThat(broken()).containsExactly("I6");
  }

  @Test
  void i7ACallThatNobodyAskedFor() {
    step("destroy", Phase.ENTER);
    assertThat(broken()).containsExactly("I7");
  }

  @Test
  void i7ACallAfterTheEnd() {
    ask(Operation.SPAWN);
    confirmedAt = Duration.ZERO;
    end(Outcome.Kind.READY);
    time.advance(Duration.ofSeconds(1));
    step("destroy", Phase.ENTER);
    assertThat(broken()).contains("I7");
  }

  @Test
  void i8StorageDiscardedByAnythingButAFailedSpawn() {
    ask(Operation.HARD_REBOOT);
    timeline.record("discardStorage", GUEST.id(), null, Phase.ENTER, "");
    end(Outcome.Kind.FAILED, Operation.HARD_REBOOT);
    assertThat(broken()).containsOnly("I8");
  }

  @Test
  void i8StorageDiscardedByAFailedSpawnIsAsPromised() {
    ask(Operation.SPAWN);
    timeline.record("discardStorage", GUEST.id(), null, Phase.ENTER, "");
    end(Outcome.Kind.FAILED);
    assertThat(broken()).isEmpty();
  }

  @Test
  void i10ASecondResume() {
    ask(Operation.SPAWN);
    confirmedAt = Duration.ZERO;
    step("resume", Phase.ENTER);
    step("resume", Phase.EXIT);
    step("resume", Phase.ENTER);
    step("resume", Phase.EXIT);
    end(Outcome.Kind.READY);
    assertThat(broken()).containsExactly("I10");
  }
}
