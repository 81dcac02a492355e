package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.Evidence;
import io.vifplug.Guest;
import io.vifplug.HostHealth;
import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.Plan;
import io.vifplug.Plan.StepKind;
import io.vifplug.PortResult;
import io.vifplug.backend.Expectation;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.testkit.InvariantChecker.End;
import io.vifplug.testkit.InvariantChecker.Violation;
import io.vifplug.testkit.Timeline.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
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
  private final ToldOperation told = new ToldOperation(GUEST.id(), 7);
  private final List<Outcome.StepRecord> steps = new ArrayList<>();
  private @Nullable Duration confirmedAt;
  private int openWatches;

  private void ask(Operation operation) {
    checker.asked(GUEST.id(), operation, told);
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
    Set<Evidence> evidence = confirmedAt == null ? Set.of() : Set.of(Evidence.EVENT);
    PortResult port = ToldOperation.port(PORT, Expectation.AWAIT_PLUG_TIME, evidence, confirmedAt);
    checker.ended(told.end(time, operation, kind, null, port, steps));
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
    checker.ended(told.join());
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
    assertThat(broken()).containsExactly("I5");
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
    assertThat(broken()).containsExactly("I7");
  }

  @Test
  void i8StorageDiscardedByAnythingButAFailedSpawn() {
    ask(Operation.HARD_REBOOT);
    timeline.record("discardStorage", GUEST.id(), null, Phase.ENTER, "");
    end(Outcome.Kind.FAILED, Operation.HARD_REBOOT);
    assertThat(broken()).containsExactly("I8");
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
