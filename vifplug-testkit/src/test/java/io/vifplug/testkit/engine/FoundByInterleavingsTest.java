package io.vifplug.testkit.engine;

import static io.vifplug.testkit.engine.EngineHarness.port;
import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.OnTimeout;
import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.Outcome.Kind;
import io.vifplug.PlugCall;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugRequest;
import io.vifplug.Priority;
import io.vifplug.Reason;
import io.vifplug.VifPlug;
import io.vifplug.backend.EvidenceRule;
import io.vifplug.network.NetworkInfo;
import io.vifplug.network.Vif;
import io.vifplug.network.VnicType;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.spi.PlugListener;
import io.vifplug.spi.ReadinessGate;
import io.vifplug.testkit.FakeGate;
import io.vifplug.testkit.FakeNetworkBackend.Profile;
import io.vifplug.testkit.Fault;
import io.vifplug.testkit.Fault.ErrorKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@link InterleavingsProperty} has found, each in its smallest form. */
class FoundByInterleavingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static EngineHarness host(UnaryOperator<PlugPolicy> policy) {
    return new EngineHarness(builder -> with(builder, policy));
  }

  private static VifPlug.Builder with(VifPlug.Builder builder, UnaryOperator<PlugPolicy> policy) {
    return builder.policy(policy.apply(PlugPolicy.defaults()));
  }

  private static PlugRequest spawn(EngineHarness host, Vif... vifs) {
    return PlugRequest.of(Operation.SPAWN, host.guest, NetworkInfo.of(vifs));
  }

  private static void exists(EngineHarness host, State state, Vif... vifs) {
    host.hypervisor.put(host.guest, state, null, NetworkInfo.of(vifs).vifs());
    host.plugger.adopt(host.guest.id(), NetworkInfo.of(vifs).vifs());
    host.vifPlug.adopt(host.guest, NetworkInfo.of(vifs));
  }

  @Test
  void aGateThatClosesRightBeforeTheDeadlineDoesNotHoldTheGuestForEver() {
    EngineHarness host = host(p -> p.withTimeout(SECOND).withOnTimeout(OnTimeout.RESUME));
    FakeGate gate = new FakeGate("dhcp", ReadinessGate.Phase.RESUME, null);
    gate.open();
    gate.closesAt(host.time, Duration.ofMillis(900));
    Outcome outcome = host.end(host.vifPlug.submit(spawn(host, port(1)).withGate(gate)));
    assertThat(outcome.kind()).as(outcome.message()).isEqualTo(Kind.DEGRADED);
    assertThat(outcome.elapsed()).isEqualTo(SECOND);
  }

  @Test
  void aGateThatStandsInForEventsAndNeverOpensDoesNotHoldTheGuestForEver() {
    EngineHarness host = host(p -> p.withTimeout(SECOND).withOnTimeout(OnTimeout.RESUME));
    UUID id = port(1).port();
    Vif vif =
        Vif.builder(id)
            .vnicType(VnicType.MACVTAP)
            .driver("sriovnicswitch")
            .profile("pci_slot", "0000:81:00.1")
            .build();
    FakeGate gate = new FakeGate("vf", ReadinessGate.Phase.RESUME, id);
    Outcome outcome = host.end(host.vifPlug.submit(spawn(host, vif).withGate(gate)));
    assertThat(outcome.reason()).as(outcome.message()).isEqualTo(Reason.GATE_TIMEOUT);
    assertThat(outcome.kind()).isEqualTo(Kind.DEGRADED);
  }

  @Test
  void aGateThatIsSlowToLookAtDoesNotSwallowTheDeadline() {
    EngineHarness host = host(p -> p.withTimeout(SECOND));
    ReadinessGate slow =
        new ReadinessGate() {
          @Override
          public String name() {
            return "slow";
          }

          @Override
          public Phase phase() {
            return Phase.RESUME;
          }

          @Override
          public @Nullable UUID port() {
            return null;
          }

          @Override
          public Reading check() {
            host.time.spend(Duration.ofMillis(150));
            return new Reading(false, "open", "closed");
          }
        };
    Outcome outcome = host.end(host.vifPlug.submit(spawn(host, port(1)).withGate(slow)));
    assertThat(outcome.kind()).as(outcome.message()).isEqualTo(Kind.FAILED);
    assertThat(outcome.elapsed()).isLessThan(SECOND.multipliedBy(2));
  }

  @Test
  void whereThereIsNoStatusReaderNobodyAsksItForEver() {
    EngineHarness host =
        host(
            p ->
                p.withTimeout(SECOND)
                    .withOnTimeout(OnTimeout.RESUME)
                    .withEvidence(EvidenceRule.EVENT_AND_PULL));
    PlugCall call = host.vifPlug.submit(spawn(host, port(1)));
    host.time.advance(Duration.ofMillis(10));
    var unused = host.network.plugged(host.guest.id(), port(1).port());
    assertThat(host.end(call).reason()).isEqualTo(Reason.EVENT_TIMEOUT);
  }

  @Test
  void aBulkSpawnThatIsTriedAgainKeepsItsStorageUntilTheSecondTryHasFailed() {
    EngineHarness host = host(p -> p.withTimeout(SECOND));
    int[] discarded = new int[1];
    PlugRequest request =
        spawn(host, port(1)).withPriority(Priority.BULK).withDiscardStorage(() -> discarded[0]++);
    PlugCall call = host.vifPlug.submit(request);
    host.time.advance(Duration.ofMillis(1500));
    assertThat(discarded[0]).isZero();
    assertThat(host.end(call).reason()).isEqualTo(Reason.EVENT_TIMEOUT);
    assertThat(discarded[0]).isOne();
  }

  @Test
  void anOutcomeThatWasToldStaysReadableWhileCleanUpGoesOn() {
    EngineHarness host = host(p -> p.withCallerDeadline(SECOND));
    host.script.takes("unplug", SECOND.multipliedBy(3));
    PlugCall call = host.vifPlug.submit(spawn(host, port(1), port(2)));
    host.time.runUntilIdle();
    assertThat(call.progress().outcome()).isNotNull();
  }

  @Test
  void aPlugThatReturnsWhileCleanUpGoesOnIsUnpluggedToo() {
    EngineHarness host = host(p -> p.withPlugTimeout(Duration.ofMillis(50)));
    host.script.takes("plug", port(2).port(), Duration.ofMillis(60));
    host.script.takes("unplug", port(1).port(), Duration.ofMillis(40));
    host.end(host.vifPlug.submit(spawn(host, port(1), port(2))));
    assertThat(host.plugger.plugged(host.guest.id())).isEmpty();
  }

  @Test
  void anUnplugThatReturnsLateDoesNotBreakOffTheCleanUp() {
    EngineHarness host = host(p -> p.withTimeout(SECOND).withPlugTimeout(Duration.ofMillis(300)));
    host.script.takes("unplug", Duration.ofMillis(400));
    host.end(host.vifPlug.submit(spawn(host, port(1), port(2), port(3))));
    assertThat(host.plugger.plugged(host.guest.id())).isEmpty();
    assertThat(host.vifPlug.progress()).isEmpty();
  }

  @Test
  void aDestroyWhoseCallerGivesUpUnplugsAllTheSame() {
    EngineHarness host = host(p -> p.withCallerDeadline(Duration.ofMillis(20)));
    exists(host, State.RUNNING, port(1), port(2));
    host.script.takes("unplug", Duration.ofMillis(40));
    Outcome outcome = host.end(host.vifPlug.destroy(host.guest, NetworkInfo.of(port(1), port(2))));
    assertThat(outcome.reason()).isEqualTo(Reason.DEADLINE);
    assertThat(host.plugger.plugged(host.guest.id())).isEmpty();
  }

  @Test
  void aSpawnThatFailsInThePlaceOfAnOldGuestTakesItsVifsAwayToo() {
    EngineHarness host = host(p -> p);
    exists(host, State.SHUTOFF, port(1), port(2));
    host.script.fault(Fault.always("plug", ErrorKind.DENIED));
    host.end(host.vifPlug.submit(spawn(host, port(1), port(2))));
    assertThat(host.plugger.plugged(host.guest.id())).isEmpty();
  }

  @Test
  void anAttachThatReturnsLateIsDetachedBeforeItIsUnplugged() {
    EngineHarness host = host(p -> p.withPlugTimeout(Duration.ofMillis(50)));
    exists(host, State.RUNNING, port(1));
    host.script.takes("attach", Duration.ofMillis(400));
    PlugRequest attach =
        PlugRequest.of(Operation.ATTACH, host.guest, NetworkInfo.of(port(1), port(2)))
            .withPort(port(2).port());
    assertThat(host.end(host.vifPlug.submit(attach)).reason()).isEqualTo(Reason.PLUG_TIMEOUT);
    assertThat(host.timeline.violations()).isEmpty();
    assertThat(host.timeline.count("detach")).isOne();
  }

  @Test
  void aDestroyThatOverrunsAndThenSaysGoneHasStoppedTheGuest() {
    EngineHarness host = host(p -> p.withCallTimeout(SECOND));
    exists(host, State.RUNNING, port(1));
    host.script.takes("destroy", SECOND.multipliedBy(2));
    host.script.fault(Fault.once("destroy", ErrorKind.GONE).leavingGuest());
    host.end(host.vifPlug.hardReboot(host.guest, NetworkInfo.of(port(1))));
    assertThat(host.plugger.plugged(host.guest.id())).isEmpty();
  }

  @Test
  void whatASupersededAttemptLeftIsUndoneIfItsSuccessorIsCancelledFirst() {
    EngineHarness host = host(p -> p);
    host.script.takes("createPaused", SECOND);
    PlugCall spawn = host.vifPlug.submit(spawn(host, port(1)));
    host.time.advance(Duration.ofMillis(100));
    PlugCall destroy = host.vifPlug.destroy(host.guest, NetworkInfo.of(port(1)));
    host.time.settle();
    destroy.cancel();
    assertThat(host.end(spawn).kind()).isEqualTo(Kind.SUPERSEDED);
    assertThat(host.end(destroy).kind()).isEqualTo(Kind.CANCELLED);
    assertThat(host.hypervisor.pausedByLibrary()).isEmpty();
    assertThat(host.plugger.plugged(host.guest.id())).isEmpty();
  }

  @Test
  void aCleanUpThatNeverSucceedsEndsAndNamesWhatIsLeft() {
    List<String> left = new ArrayList<>();
    EngineHarness host =
        new EngineHarness(
            builder ->
                with(builder, p -> p.withTimeout(SECOND).withPlugTimeout(Duration.ofMillis(50)))
                    .listener(new Leftovers(left)));
    host.script.takes("unplug", SECOND);
    host.script.fault(Fault.always("unplug", ErrorKind.DENIED));
    host.end(host.vifPlug.submit(spawn(host, port(1))));
    assertThat(left).anyMatch(line -> line.contains(port(1).port().toString()));
    assertThat(host.vifPlug.progress()).isEmpty();
  }

  private record Leftovers(List<String> lines) implements PlugListener {
    @Override
    public void cleanupEnded(long attempt, UUID guest, List<String> leftovers) {
      lines.addAll(leftovers);
    }
  }

  @Test
  void aSuccessorWhoseTurnHasComeIsNotRejectedForHavingWaited() {
    EngineHarness host = host(p -> p.withCreateTimeout(SECOND));
    host.script.takes("createPaused", Duration.ofMillis(1500));
    host.script.takes("lookup", Duration.ofMillis(1500));
    host.network.useProfile(Profile.ML2_OVS);
    PlugCall spawn = host.vifPlug.submit(spawn(host, port(1)));
    host.time.advance(SECOND.multipliedBy(2));
    PlugCall destroy = host.vifPlug.destroy(host.guest, NetworkInfo.of(port(1)));
    assertThat(host.end(spawn).kind()).isEqualTo(Kind.SUPERSEDED);
    assertThat(host.end(destroy).kind()).isEqualTo(Kind.READY);
    assertThat(host.hypervisor.pausedByLibrary()).isEmpty();
  }

  @Test
  void aBulkSpawnWhoseSecondTryIsRefusedHasFailedAndWasNotRejected() {
    EngineHarness host =
        host(p -> p.withTimeout(SECOND).withDriverEvidence("ovn", EvidenceRule.EVENT_AND_LOCAL));
    Vif up = Vif.builder(port(1).port()).driver("ovn").active().build();
    PlugRequest request = spawn(host, up, port(2)).withPriority(Priority.BULK);
    Outcome outcome = host.end(host.vifPlug.submit(request));
    assertThat(outcome.reason()).as(outcome.message()).isEqualTo(Reason.EVENT_TIMEOUT);
    assertThat(outcome.kind()).isEqualTo(Kind.FAILED);
  }

  @Test
  void aSuccessorThatIsCancelledInItsLookupLeavesNoPausedGuest() {
    EngineHarness host = host(p -> p);
    PlugCall spawn = host.vifPlug.submit(spawn(host, port(1)));
    host.time.advance(Duration.ofMillis(100));
    host.script.takes("lookup", SECOND);
    PlugCall destroy = host.vifPlug.destroy(host.guest, NetworkInfo.of(port(1)));
    host.time.advance(Duration.ofMillis(100));
    destroy.cancel();
    assertThat(host.end(spawn).kind()).isEqualTo(Kind.SUPERSEDED);
    assertThat(host.end(destroy).kind()).isEqualTo(Kind.CANCELLED);
    assertThat(host.hypervisor.pausedByLibrary()).isEmpty();
    assertThat(host.plugger.plugged(host.guest.id())).isEmpty();
  }

  @Test
  void aSuccessorDoesNotWaitForEverBehindACleanUpThatHangs() {
    EngineHarness host = host(p -> p.withHardRebootWaitsForAuto());
    exists(host, State.RUNNING, port(1), port(2));
    host.script.fault(Fault.always("unplug", ErrorKind.HANG));
    PlugRequest reboot =
        PlugRequest.of(Operation.HARD_REBOOT, host.guest, NetworkInfo.of(port(1), port(2)))
            .withPolicy(PlugPolicy.defaults().withCallerDeadline(SECOND));
    PlugCall first = host.vifPlug.submit(reboot);
    host.time.advance(Duration.ofMillis(100));
    PlugCall destroy = host.vifPlug.destroy(host.guest, NetworkInfo.of(port(1), port(2)));
    assertThat(host.end(first).kind()).isEqualTo(Kind.SUPERSEDED);
    assertThat(host.end(destroy).reason()).isEqualTo(Reason.OTHER_IN_PROGRESS);
  }
}
