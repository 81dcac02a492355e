package io.vifplug.testkit;

import static io.vifplug.testkit.TimelineAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vifplug.Guest;
import io.vifplug.network.Vif;
import io.vifplug.spi.HostException;
import io.vifplug.testkit.Timeline.Phase;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private final FakeHost host = new FakeHost();
  private final Timeline timeline = host.timeline();
  private final Guest guest = Guest.of(UUID.randomUUID());
  private final Vif vif = Vif.builder(UUID.randomUUID()).build();

  private void start() throws HostException {
    host.hypervisor().lookup(guest);
    host.plugger().plug(guest, vif);
    String instance = host.hypervisor().createPaused(guest, List.of(vif));
    host.time().advance(Duration.ofSeconds(3));
    host.hypervisor().resume(guest, instance);
  }

  @Test
  void stepsAreCountedWithoutLookups() throws HostException {
    start();
    assertThat(timeline)
        .hasSteps("plug", "createPaused", "resume")
        .inOrder("plug", "resume")
        .hasCount("plug", 1)
        .hasCount("lookup", 1)
        .resumedOnce(guest.id())
        .neverResumedBefore(Duration.ofSeconds(3))
        .hasStepAt("resume", Duration.ofSeconds(3))
        .neverResumed(UUID.randomUUID())
        .hasNoViolations();
    assertThat(timeline.of(guest.id())).hasSize(8);
    assertThat(timeline.toString())
        .contains("plug.enter guest " + guest.id() + " port " + vif.port())
        .contains("resume.exit")
        .contains("RESUMED instance 1");
  }

  @Test
  void whatDoesNotHoldShowsTheTimeline() throws HostException {
    start();
    UUID id = guest.id();
    timeline.violation("something was misused");
    for (ThrowingCallable wrong :
        List.<ThrowingCallable>of(
            () -> assertThat(timeline).hasSteps("plug"),
            () -> assertThat(timeline).inOrder("resume", "plug"),
            () -> assertThat(timeline).hasCount("plug", 2),
            () -> assertThat(timeline).resumedOnce(UUID.randomUUID()),
            () -> assertThat(timeline).neverResumed(id),
            () -> assertThat(timeline).neverResumedBefore(Duration.ofSeconds(4)),
            () -> assertThat(timeline).hasStepAt("plug", Duration.ofSeconds(1)),
            () -> assertThat(timeline).hasNoViolations())) {
      assertThatThrownBy(wrong)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("createPaused.enter guest " + id);
    }
  }

  @Test
  void twoSuccessfulResumesOfOneRunAreMisuse() {
    UUID id = guest.id();
    timeline.record("resume", id, null, Phase.EXIT, "RESUMED instance 1");
    timeline.record("resume", id, null, Phase.EXIT, "RAN_ALREADY instance 1");
    timeline.record("resume", id, null, Phase.EXIT, "RESUMED instance 2");
    assertThat(timeline.violations()).isEmpty();
    timeline.record("resume", id, null, Phase.EXIT, "RESUMED instance 1");
    assertThat(timeline.violations()).singleElement().asString().contains(id.toString());
  }

  @Test
  void aDiscardingTimelineKeepsNothingButMisuse() {
    Timeline discarding = Timeline.discarding();
    discarding.record("plug", guest.id(), vif.port(), Phase.ENTER, "");
    discarding.violation("misuse");
    assertThat(discarding.entries()).isEmpty();
    assertThat(discarding.violations()).containsExactly("PT0S: misuse");
  }
}
