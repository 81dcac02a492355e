package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vifplug.event.EventName;
import io.vifplug.event.EventStatus;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NeutronRecordingTest {
  @Test
  void allRecordingsAreThere() {
    assertThat(NeutronRecording.all()).hasSize(87);
    assertThat(NeutronRecording.names()).isSorted().doesNotHaveDuplicates().hasSize(87);
    assertThat(
            NeutronRecording.all().stream()
                .collect(Collectors.groupingBy(NeutronRecording::backend, Collectors.counting())))
        .isEqualTo(
            Map.of(
                "ovs",
                40L,
                "ovn",
                23L,
                "linuxbridge",
                14L,
                "ovnfixed",
                6L,
                "odl",
                3L,
                "macvtap",
                1L));
  }

  @Test
  void theEventsOfAllRecordingsAreCounted() {
    Map<String, Long> byName =
        NeutronRecording.all().stream()
            .flatMap(recording -> recording.requests().stream())
            .flatMap(request -> request.events().stream())
            .collect(Collectors.groupingBy(event -> event.name().wire(), Collectors.counting()));

    assertThat(byName)
        .isEqualTo(
            Map.of(
                "network-vif-plugged", 308L,
                "network-vif-unplugged", 135L,
                "network-vif-deleted", 146L,
                "network-changed", 71L));
  }

  @Test
  void everyRecordingIsComplete() {
    assertThat(NeutronRecording.all())
        .allSatisfy(
            recording -> {
              assertThat(recording.about()).isNotBlank();
              assertThat(recording.neutron()).isEqualTo("2:21.0.0-7+deb12u1");
              assertThat(recording.name())
                  .isEqualTo(recording.backend() + "-" + recording.scenario());
              assertThat(recording.steps()).isNotEmpty();
              assertThat(recording.requests())
                  .isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
            });
  }

  @Test
  void oneRecordingIsReadInFull() {
    NeutronRecording recording = NeutronRecording.named("ovs-boot-and-delete");

    assertThat(recording.guests()).hasSize(1);
    assertThat(recording.steps())
        .extracting(NeutronRecording.Step::text)
        .anyMatch(text -> text.startsWith("PLUG on compute1"))
        .contains("port p1 is ACTIVE on compute1");
    assertThat(recording.requests())
        .extracting(request -> request.events().get(0).name())
        .containsExactly(EventName.VIF_PLUGGED, EventName.VIF_UNPLUGGED, EventName.VIF_DELETED);
    assertThat(recording.requests()).allMatch(request -> request.at().compareTo(Duration.ZERO) > 0);
  }

  @Test
  void aStatusReadBackShowsTheFalsePlugged() {
    assertThat(NeutronRecording.named("ovn-boot-and-delete").requests())
        .anySatisfy(
            request -> {
              assertThat(request.events().get(0).name()).isEqualTo(EventName.VIF_PLUGGED);
              assertThat(request.statuses()).containsValue("DOWN");
            });
  }

  @Test
  void aFailedPortIsAmongThem() {
    assertThat(NeutronRecording.named("ovs-bind-time-error").requests())
        .flatExtracting(NeutronRecording.Request::events)
        .anyMatch(event -> event.status() == EventStatus.FAILED);
  }

  @Test
  void aDroppedConnectionHasNoAnswer() {
    assertThat(NeutronRecording.named("ovs-nova-drop").requests())
        .extracting(NeutronRecording.Request::answered)
        .containsNull();
  }

  @Test
  void anUnknownNameIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> NeutronRecording.named("nope"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'nope'")
        .hasMessageContaining("ovn-batch");
  }
}
