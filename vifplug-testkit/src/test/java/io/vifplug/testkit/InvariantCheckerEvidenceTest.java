package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.Evidence;
import io.vifplug.Guest;
import io.vifplug.HostHealth;
import io.vifplug.OnTimeout;
import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.Plan;
import io.vifplug.Plan.PortPlan;
import io.vifplug.Plan.StepKind;
import io.vifplug.PortResult;
import io.vifplug.Reason;
import io.vifplug.backend.EvidenceRule;
import io.vifplug.backend.Expectation;
import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.EventSource;
import io.vifplug.event.NetworkEvent;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.spi.HostException;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.testkit.InvariantChecker.End;
import io.vifplug.testkit.InvariantChecker.Violation;
import io.vifplug.testkit.Timeline.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a resume was based on, told falsely: the checker has to notice by itself. */
class InvariantCheckerEvidenceTest {
  private static final Guest GUEST =
      Guest.of(UUID.fromString("11111111-0000-4000-8000-000000000001"));
  private static final UUID PORT = UUID.fromString("22222222-0000-4000-8000-000000000001");
  private static final Vif VIF = Vif.builder(PORT).build();
  private static final long ATTEMPT = 7;

  private final VirtualTime time = new VirtualTime();
  private final Timeline timeline = new Timeline(time);
  private final HostScript script = new HostScript(time, timeline);
  private final FakeHypervisor hypervisor = new FakeHypervisor(script);
  private final FakePlugger plugger = new FakePlugger(script);
  private final FakeNetworkBackend network = new FakeNetworkBackend(time);
  private final InvariantChecker checker = new InvariantChecker(time, timeline);
  private final LocalEvidence local = checker.seen(network.localEvidence());
  private final ToldOperation told = new ToldOperation(GUEST.id(), ATTEMPT);
  private final List<Outcome.StepRecord> steps = new ArrayList<>();
  private final Set<Evidence> evidence = EnumSet.noneOf(Evidence.class);
  private Expectation expectation = Expectation.AWAIT_PLUG_TIME;
  private EvidenceRule rule = EvidenceRule.EVENT;
  private OnTimeout onTimeout = OnTimeout.FAIL;
  private Operation operation = Operation.SPAWN;
  private @Nullable Duration confirmedAt;

  InvariantCheckerEvidenceTest() {
    EventSource heard = checker.heard(network);
    var unused = heard.start(events -> Collections.nCopies(events.size(), Disposition.ACCEPTED));
  }

  private void begin() {
    checker.asked(GUEST.id(), operation, told);
    PortPlan port =
        new PortPlan(
            VIF,
            "openvswitch",
            expectation,
            "",
            rule,
            false,
            Duration.ofSeconds(10),
            onTimeout,
            false,
            Duration.ZERO);
    checker.planned(
        new Plan(operation, GUEST.id(), List.of(), Map.of(PORT, port), null, List.of()));
    checker.stepEntered(ATTEMPT, GUEST.id(), new Plan.Step(StepKind.OPEN_WATCH));
  }

  private void step(StepKind kind, @Nullable Vif vif) {
    checker.stepEntered(ATTEMPT, GUEST.id(), new Plan.Step(kind, vif));
    UUID port = vif == null ? null : vif.port();
    steps.add(new Outcome.StepRecord(kind.word(), port, time.now(), time.elapsed()));
    timeline.record(kind.word(), GUEST.id(), port, Phase.ENTER, "");
    String note = kind == StepKind.RESUME ? "RESUMED instance 1" : "";
    timeline.record(kind.word(), GUEST.id(), port, Phase.EXIT, note);
  }

  private void plugAndCreate() {
    step(StepKind.PLUG, VIF);
    step(StepKind.CREATE_PAUSED, null);
  }

  private void confirm(Evidence... kinds) {
    confirmedAt = time.elapsed();
    evidence.addAll(List.of(kinds));
    checker.portConfirmed(ATTEMPT, GUEST.id(), PORT, time.now());
  }

  private void event() {
    var unused = network.plugged(GUEST.id(), PORT);
  }

  private void end(Outcome.Kind kind, @Nullable Reason reason) {
    PortResult port = ToldOperation.port(PORT, expectation, evidence, confirmedAt);
    checker.ended(told.end(time, operation, kind, reason, port, steps));
  }

  private List<String> broken() {
    HostHealth health = new HostHealth(true, 0, 0, 0, 0, false, 0, 0, 0, 0, 0);
    return checker.check(new End(health, List.of(), hypervisor, plugger, true)).stream()
        .map(Violation::invariant)
        .toList();
  }

  @Test
  void anEventInTheWindowIsProof() {
    begin();
    plugAndCreate();
    event();
    confirm(Evidence.EVENT);
    step(StepKind.RESUME, null);
    end(Outcome.Kind.READY, null);
    assertThat(broken()).isEmpty();
  }

  @Test
  void i1AnEventThatNobodyHeard() {
    begin();
    plugAndCreate();
    confirm(Evidence.EVENT);
    step(StepKind.RESUME, null);
    end(Outcome.Kind.READY, null);
    assertThat(broken()).containsExactly("I1");
  }

  @Test
  void i1AnUnplugThatWasNotOurOwnBeforeTheResume() {
    begin();
    plugAndCreate();
    event();
    confirm(Evidence.EVENT);
    var unused = network.unplugged(GUEST.id(), PORT);
    step(StepKind.RESUME, null);
    end(Outcome.Kind.READY, null);
    assertThat(broken()).containsExactly("I1");
  }

  @Test
  void i7AnEventFromBeforeThePlug() {
    begin();
    event();
    plugAndCreate();
    confirm(Evidence.EVENT);
    step(StepKind.RESUME, null);
    end(Outcome.Kind.READY, null);
    assertThat(broken()).containsExactly("I7");
  }

  @Test
  void i7AnEventOfAnotherPort() {
    begin();
    plugAndCreate();
    UUID other = UUID.fromString("22222222-0000-4000-8000-000000000002");
    var unused = network.deliver(NetworkEvent.plugged(GUEST.id(), other));
    confirm(Evidence.EVENT);
    step(StepKind.RESUME, null);
    end(Outcome.Kind.READY, null);
    assertThat(broken()).hasSize(1);
  }

  @Test
  void i9AnEventThatWasLetLie() {
    begin();
    plugAndCreate();
    event();
    time.advance(Duration.ofSeconds(1));
    confirm(Evidence.EVENT);
    confirmedAt = Duration.ZERO;
    step(StepKind.RESUME, null);
    end(Outcome.Kind.READY, null);
    assertThat(broken()).containsExactly("I9");
  }

  @Test
  void i1LocalEvidenceThatWasThereBeforeThePlug() throws HostException {
    expectation = Expectation.LOCAL;
    rule = EvidenceRule.LOCAL;
    network.setLocal(PORT, LocalEvidence.State.READY);
    begin();
    assertThat(local.read(VIF).state()).isEqualTo(LocalEvidence.State.READY);
    plugAndCreate();
    assertThat(local.read(VIF).state()).isEqualTo(LocalEvidence.State.READY);
    confirm(Evidence.LOCAL);
    step(StepKind.RESUME, null);
    end(Outcome.Kind.READY, null);
    assertThat(broken()).containsExactly("I1");
  }

  @Test
  void localEvidenceThatIsNewIsProof() throws HostException {
    expectation = Expectation.LOCAL;
    rule = EvidenceRule.LOCAL;
    begin();
    plugAndCreate();
    network.setLocal(PORT, LocalEvidence.State.READY);
    assertThat(local.read(VIF).state()).isEqualTo(LocalEvidence.State.READY);
    confirm(Evidence.LOCAL);
    step(StepKind.RESUME, null);
    end(Outcome.Kind.READY, null);
    assertThat(broken()).isEmpty();
  }

  @Test
  void i1APolicyToResumeThatDoesNotWaitForItsTime() {
    onTimeout = OnTimeout.RESUME;
    begin();
    plugAndCreate();
    time.advance(Duration.ofSeconds(9));
    step(StepKind.RESUME, null);
    end(Outcome.Kind.DEGRADED, Reason.EVENT_TIMEOUT);
    assertThat(broken()).containsExactly("I1");
  }

  @Test
  void aPolicyToResumeMayDoSoWhenTheTimeIsOver() {
    onTimeout = OnTimeout.RESUME;
    begin();
    plugAndCreate();
    time.advance(Duration.ofSeconds(10));
    step(StepKind.RESUME, null);
    end(Outcome.Kind.DEGRADED, Reason.EVENT_TIMEOUT);
    assertThat(broken()).isEmpty();
  }

  @Test
  void i1ADegradedEndWhereThePolicyIsToFail() {
    begin();
    plugAndCreate();
    time.advance(Duration.ofSeconds(10));
    step(StepKind.RESUME, null);
    end(Outcome.Kind.DEGRADED, Reason.EVENT_TIMEOUT);
    assertThat(broken()).containsExactly("I1");
  }

  @Test
  void i1AReadyEndWithAPortThatIsNot() {
    operation = Operation.MIGRATE_IN;
    begin();
    step(StepKind.PLUG, VIF);
    end(Outcome.Kind.READY, null);
    assertThat(broken()).containsExactly("I1");
  }

  @Test
  void i8StorageDiscardedAtClose() {
    begin();
    timeline.record("discardStorage", GUEST.id(), null, Phase.ENTER, "");
    end(Outcome.Kind.CANCELLED, Reason.CLOSED);
    assertThat(broken()).contains("I8");
  }

  @Test
  void i8StorageDiscardedTwice() {
    begin();
    timeline.record("discardStorage", GUEST.id(), null, Phase.ENTER, "");
    timeline.record("discardStorage", GUEST.id(), null, Phase.ENTER, "");
    end(Outcome.Kind.FAILED, Reason.CREATE_FAILED);
    assertThat(broken()).containsExactly("I8");
  }

  @Test
  void i2APausedGuestThatOnlyAnEarlierAttemptHasNamed() {
    begin();
    step(StepKind.CREATE_PAUSED, null);
    hypervisor.put(GUEST, State.PAUSED, FakeHypervisor.Pauser.LIBRARY, List.of(VIF));
    end(Outcome.Kind.FAILED, Reason.RESUME_FAILED);
    checker.cleanupEnded(ATTEMPT - 1, GUEST.id(), List.of("guest " + GUEST));
    assertThat(broken()).containsExactly("I2");
  }
}
