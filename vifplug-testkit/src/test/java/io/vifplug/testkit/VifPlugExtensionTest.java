package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.EventConditions.test;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.vifplug.Guest;
import io.vifplug.network.Vif;
import io.vifplug.spi.HostException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

@ExtendWith(VifPlugExtension.class)
class VifPlugExtensionTest {
  private static final Guest GUEST = Guest.of(new UUID(0, 1));
  private static final Vif VIF = Vif.builder(new UUID(0, 2)).build();

  @BeforeEach
  void theSameHostAsTheTest(VirtualTime time) {
    time.execute(() -> {});
  }

  @Test
  void everyTestHasAHostOfItsOwn(
      VirtualTime time,
      FakeHypervisor hypervisor,
      FakePlugger plugger,
      FakeNetworkBackend network,
      Timeline timeline,
      HostScript script,
      FakeHost host) {
    assertThat(time.pending()).isEqualTo(1);
    assertThat(host.time()).isSameAs(time);
    assertThat(host.hypervisor()).isSameAs(hypervisor);
    assertThat(host.plugger()).isSameAs(plugger);
    assertThat(host.network()).isSameAs(network);
    assertThat(host.timeline()).isSameAs(timeline);
    assertThat(host.script()).isSameAs(script);
    assertThat(timeline.entries()).isEmpty();
  }

  @Test
  void aMisusedHostFailsItsTest() {
    runMisuse()
        .assertThatEvents()
        .haveExactly(
            1,
            event(
                test("unplugsUnderARunningGuest"),
                finishedWithFailure(
                    message(text -> text.contains("under its active guest " + GUEST.id())),
                    message(text -> text.contains("createRunning.enter")))));
  }

  @Test
  void aGuestLeftPausedFailsItsTest() {
    runMisuse()
        .assertThatEvents()
        .haveExactly(
            1,
            event(
                test("leavesAGuestPaused"),
                finishedWithFailure(message(text -> text.contains("left paused")))));
  }

  @Test
  void aTestThatFailsByItselfKeepsItsOwnFailure() {
    runMisuse()
        .assertThatEvents()
        .haveExactly(
            1, event(test("failsByItself"), finishedWithFailure(message("its own failure"))));
  }

  @Test
  void aCleanTestSucceeds() {
    runMisuse().assertStatistics(counts -> counts.started(4).succeeded(1).failed(3));
  }

  private static Events runMisuse() {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(Misuse.class))
        .execute()
        .testEvents();
  }

  /** Run by the tests above only. */
  @ExtendWith(VifPlugExtension.class)
  static class Misuse {
    @Test
    void unplugsUnderARunningGuest(FakeHypervisor hypervisor, FakePlugger plugger)
        throws HostException {
      plugger.plug(GUEST, VIF);
      hypervisor.createRunning(GUEST, List.of(VIF));
      plugger.unplug(GUEST, VIF);
    }

    @Test
    void leavesAGuestPaused(FakeHypervisor hypervisor) throws HostException {
      hypervisor.createPaused(GUEST, List.of());
    }

    @Test
    void failsByItself(FakeHypervisor hypervisor) throws HostException {
      hypervisor.createPaused(GUEST, List.of());
      throw new AssertionError("its own failure");
    }

    @Test
    void isClean(FakeHypervisor hypervisor) throws HostException {
      hypervisor.createRunning(GUEST, List.of());
    }
  }
}
