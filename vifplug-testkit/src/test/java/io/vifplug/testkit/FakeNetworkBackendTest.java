package io.vifplug.testkit;

import static io.vifplug.testkit.FakeNetworkBackend.Profile.LINUXBRIDGE;
import static io.vifplug.testkit.FakeNetworkBackend.Profile.ML2_OVN;
import static io.vifplug.testkit.FakeNetworkBackend.Profile.ML2_OVS;
import static io.vifplug.testkit.FakeNetworkBackend.Profile.ML2_OVS_HYBRID;
import static io.vifplug.testkit.FakeNetworkBackend.Profile.NETWORKING_ODL;
import static io.vifplug.testkit.FakeNetworkBackend.Profile.SRIOVNICSWITCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vifplug.Guest;
import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.NetworkEvent;
import io.vifplug.network.Vif;
import io.vifplug.network.VnicType;
import io.vifplug.spi.HostException;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.testkit.FakeNetworkBackend.Profile;
import io.vifplug.testkit.VirtualTime.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FakeNetworkBackendTest {
  private final FakeHost host = new FakeHost();
  private final FakeNetworkBackend network = host.network();
  private final Guest guest = Guest.of(UUID.randomUUID());
  private final Vif vif = Vif.builder(UUID.randomUUID()).build();
  private final List<String> heard = new ArrayList<>();

  @BeforeEach
  void listen() {
    var unused =
        network.start(
            events -> {
              for (NetworkEvent event : events) {
                heard.add(
                    event.name().wire().substring("network-vif-".length())
                        + "@"
                        + host.time().elapsed().toMillis());
              }
              return Collections.nCopies(events.size(), Disposition.ACCEPTED);
            });
  }

  private void at(long millis, String what, Vif subject) {
    var unused =
        host.time()
            .at(
                Duration.ofMillis(millis),
                Order.ACTION,
                () -> {
                  try {
                    switch (what) {
                      case "plug" -> host.plugger().plug(guest, subject);
                      case "unplug" -> host.plugger().unplug(guest, subject);
                      default -> throw new IllegalArgumentException(what);
                    }
                  } catch (HostException failed) {
                    throw new AssertionError(failed);
                  }
                });
  }

  private void run() {
    host.time().runUntilIdle();
  }

  private String status() throws HostException {
    return network
        .portStatusReader()
        .read(guest.id(), Set.of(vif.port()))
        .getOrDefault(vif.port(), "?");
  }

  private LocalEvidence.State local() throws HostException {
    return network.localEvidence().read(vif).state();
  }

  @Test
  void profilesHaveTheWordsOfScenarioFiles() {
    assertThat(Profile.of("ml2-ovs-hybrid")).isEqualTo(ML2_OVS_HYBRID);
    assertThat(Profile.of("networking-odl").driver()).isEqualTo("opendaylight_v2");
    assertThatThrownBy(() -> Profile.of("ovs"))
        .hasMessageContaining("ml2-ovs")
        .hasMessageContaining("sriovnicswitch");
  }

  @ParameterizedTest
  @EnumSource(names = {"ML2_OVS", "ML2_OVS_HYBRID"})
  void ovsAgentsFindADeviceAtTheNextPollAndAnnounceIt800MillisecondsLater(Profile profile) {
    network.useProfile(profile);
    at(100, "plug", vif);
    run();
    assertThat(heard).containsExactly("plugged@2800");
    assertThat(network.wiredAt(vif.port())).isEqualTo(Duration.ofMillis(2800));
  }

  @Test
  void ovsAgentsMissADeviceAtTheNextPollAndAnnounceIt800MillisecondsLater() {
    network.useProfile(ML2_OVS);
    host.plugger().adopt(guest.id(), List.of(vif));
    at(4500, "unplug", vif);
    run();
    assertThat(heard).containsExactly("unplugged@6800");
    assertThat(network.isWired(vif.port())).isFalse();
    assertThat(network.unwiredAt(vif.port())).isEqualTo(Duration.ofMillis(4500));
  }

  @Test
  void aPollAtTheInstantOfAPlugComesTooEarlyForIt() {
    network.useProfile(ML2_OVS);
    at(2000, "plug", vif);
    run();
    assertThat(heard).containsExactly("plugged@4800");
  }

  @Test
  void aReplugWithinOnePollMakesNoEventButIsWired() throws HostException {
    network.useProfile(ML2_OVS);
    host.plugger().adopt(guest.id(), List.of(vif));
    at(2100, "unplug", vif);
    at(2200, "plug", vif);
    host.time().runUntil(Duration.ofSeconds(3));
    assertThat(local()).isEqualTo(LocalEvidence.State.NOT_READY);
    run();
    assertThat(heard).isEmpty();
    assertThat(status()).isEqualTo("ACTIVE");
    assertThat(network.wiredAt(vif.port())).isEqualTo(Duration.ofMillis(4800));
  }

  @Test
  void aReplugAcrossAPollIsAnnouncedBothWays() {
    network.useProfile(ML2_OVS);
    host.plugger().adopt(guest.id(), List.of(vif));
    at(1900, "unplug", vif);
    at(2100, "plug", vif);
    run();
    assertThat(heard).containsExactly("unplugged@2800", "plugged@4800");
  }

  @Test
  void aDeviceThatCameAndWentBetweenTwoPollsMakesNoEvent() {
    network.useProfile(ML2_OVS);
    at(100, "plug", vif);
    at(200, "unplug", vif);
    run();
    assertThat(heard).isEmpty();
  }

  @Test
  void aDeviceReplacedWhileItsWiringWasUnderWayIsAnnouncedAfterTheNextPoll() {
    network.useProfile(ML2_OVS);
    at(100, "plug", vif);
    at(2300, "unplug", vif);
    at(2400, "plug", vif);
    run();
    assertThat(heard).containsExactly("plugged@4800");
  }

  @Test
  void ovnAnnouncesTwiceAndAfterAnUnplugAFalsePlugged() throws HostException {
    network.useProfile(ML2_OVN);
    at(1000, "plug", vif);
    at(5000, "unplug", vif);
    host.time().runUntil(Duration.ofMillis(1150));
    assertThat(status()).isEqualTo("ACTIVE");
    host.time().runUntil(Duration.ofMillis(5799));
    assertThat(status()).isEqualTo("ACTIVE");
    assertThat(local()).isEqualTo(LocalEvidence.State.GONE);
    run();
    assertThat(heard)
        .containsExactly("plugged@1150", "plugged@3150", "unplugged@5800", "plugged@7800");
    assertThat(status()).isEqualTo("DOWN");
    assertThat(network.isWired(vif.port())).isFalse();
  }

  @Test
  void ovnsFalsePluggedComesEvenIfThePortIsPluggedAgain() throws HostException {
    network.useProfile(ML2_OVN);
    host.plugger().adopt(guest.id(), List.of(vif));
    at(0, "unplug", vif);
    at(100, "plug", vif);
    run();
    assertThat(heard)
        .containsExactly("plugged@250", "unplugged@800", "plugged@2250", "plugged@2800");
    assertThat(status()).isEqualTo("ACTIVE");
  }

  @Test
  void openDaylightAnnouncesNothingAtPlug() {
    network.useProfile(NETWORKING_ODL);
    at(0, "plug", vif);
    at(1000, "unplug", vif);
    at(2000, "plug", vif);
    run();
    assertThat(heard).isEmpty();
    assertThat(network.isWired(vif.port())).isTrue();
  }

  @Test
  void linuxBridgeAgentsAnnounceAtThePollAndDoNotSeeAReplug() {
    network.useProfile(LINUXBRIDGE);
    at(100, "plug", vif);
    at(2100, "unplug", vif);
    at(2200, "plug", vif);
    at(4100, "unplug", vif);
    run();
    assertThat(heard).containsExactly("plugged@2000", "unplugged@6000");
  }

  @Test
  void sriovAnnouncesAndWiresNothing() throws HostException {
    network.useProfile(SRIOVNICSWITCH);
    at(0, "plug", vif);
    run();
    assertThat(heard).isEmpty();
    assertThat(network.isWired(vif.port())).isFalse();
    assertThat(status()).isEqualTo("DOWN");
  }

  @Test
  void aPortBoundByAnotherDriverBehavesAsThatOne() {
    network.useProfile(ML2_OVS);
    at(0, "plug", Vif.builder(UUID.randomUUID()).driver("ovn").build());
    at(0, "plug", Vif.builder(UUID.randomUUID()).driver("sriovnicswitch").build());
    at(0, "plug", Vif.builder(UUID.randomUUID()).driver("something-else").build());
    at(0, "plug", Vif.builder(UUID.randomUUID()).vnicType(VnicType.DIRECT_PHYSICAL).build());
    at(0, "plug", vif);
    run();
    assertThat(heard).containsExactly("plugged@150", "plugged@2150", "plugged@2800");
  }

  @Test
  void aLimitedAgentWiresOneAfterTheOther() {
    network.useProfile(ML2_OVS).capacityPerSecond(10);
    for (int i = 0; i < 4; i++) {
      at(10, "plug", Vif.builder(UUID.randomUUID()).build());
    }
    run();
    assertThat(heard)
        .containsExactly("plugged@2800", "plugged@2900", "plugged@3000", "plugged@3100");
  }

  @Test
  void aSilentAgentWiresButIsNotHeard() throws HostException {
    network.useProfile(ML2_OVN).silentUntil(Duration.ofSeconds(2));
    at(0, "plug", vif);
    run();
    assertThat(heard).containsExactly("plugged@2150");
    assertThat(network.lost()).isEqualTo(1);
    assertThat(network.wiredAt(vif.port())).isEqualTo(Duration.ofMillis(150));
  }

  @Test
  void thePollIntervalCanBeSet() {
    network.useProfile(LINUXBRIDGE).pollInterval(Duration.ofMillis(300));
    at(700, "plug", vif);
    run();
    assertThat(heard).containsExactly("plugged@900");
  }

  @Test
  void jitterOnlyMakesThingsLaterAndTheSameSeedGivesTheSameRun() {
    List<List<String>> runs = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      FakeHost other = new FakeHost();
      List<String> events = new ArrayList<>();
      var unused =
          other
              .network()
              .useProfile(ML2_OVN)
              .jitter(7, Duration.ofMillis(500))
              .start(
                  bodies -> {
                    events.add(other.time().elapsed().toString());
                    assertThat(other.time().elapsed()).isGreaterThan(Duration.ofMillis(150));
                    return List.of(Disposition.ACCEPTED);
                  });
      other.plugger().adopt(guest.id(), List.of());
      try {
        other.plugger().plug(guest, vif);
      } catch (HostException failed) {
        throw new AssertionError(failed);
      }
      other.time().runUntilIdle();
      runs.add(events);
    }
    assertThat(runs.get(0)).hasSize(2).isEqualTo(runs.get(1));
  }

  @Test
  void localEvidenceChangesItsRevisionWithEveryChangeAndTells() throws HostException {
    network.useProfile(ML2_OVS);
    List<UUID> told = new ArrayList<>();
    var unused = network.localEvidence().onChange(told::add);
    Set<String> revisions = new java.util.HashSet<>();
    revisions.add(network.localEvidence().read(vif).revision());
    assertThat(local()).isEqualTo(LocalEvidence.State.NOT_READY);
    host.plugger().plug(guest, vif);
    revisions.add(network.localEvidence().read(vif).revision());
    assertThat(local()).isEqualTo(LocalEvidence.State.NOT_READY);
    run();
    revisions.add(network.localEvidence().read(vif).revision());
    assertThat(local()).isEqualTo(LocalEvidence.State.READY);
    host.plugger().unplug(guest, vif);
    revisions.add(network.localEvidence().read(vif).revision());
    assertThat(local()).isEqualTo(LocalEvidence.State.GONE);
    assertThat(revisions).hasSize(4);
    assertThat(told).containsExactly(vif.port(), vif.port(), vif.port());
  }

  @Test
  void aScriptWinsOverTheProfile() throws HostException {
    network.useProfile(ML2_OVN);
    List<UUID> told = new ArrayList<>();
    var unused = network.localEvidence().onChange(told::add);
    network
        .scriptStatus(vif.port(), Duration.ZERO, "BUILD")
        .scriptStatus(vif.port(), Duration.ofSeconds(3), "ACTIVE")
        .scriptLocal(vif.port(), Duration.ofSeconds(1), LocalEvidence.State.READY);
    host.plugger().plug(guest, vif);
    host.time().runUntil(Duration.ofMillis(999));
    assertThat(status()).isEqualTo("BUILD");
    assertThat(local()).isEqualTo(LocalEvidence.State.NOT_READY);
    assertThat(told).isEmpty();
    host.time().runUntil(Duration.ofSeconds(1));
    assertThat(local()).isEqualTo(LocalEvidence.State.READY);
    assertThat(told).containsExactly(vif.port());
    host.time().runUntil(Duration.ofSeconds(3));
    assertThat(status()).isEqualTo("ACTIVE");
  }

  @Test
  void aScriptedBackEndShowsNothingOfItsOwn() throws HostException {
    host.plugger().plug(guest, vif);
    host.plugger().unplug(guest, vif);
    run();
    assertThat(heard).isEmpty();
    assertThat(status()).isEqualTo("?");
    assertThat(network.localEvidence().read(vif))
        .isEqualTo(new LocalEvidence.Reading(LocalEvidence.State.NOT_READY, "0"));
  }

  @Test
  void eventsWithNobodyListeningAreLostAndCounted() {
    FakeNetworkBackend alone = new FakeNetworkBackend();
    assertThat(alone.plugged(guest.id(), vif.port())).isEqualTo(Disposition.CLOSED);
    assertThat(alone.lost()).isEqualTo(1);
    assertThat(alone.health().calls()).isZero();
    assertThatThrownBy(() -> alone.useProfile(ML2_OVS)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aPlugThatFailsIsNoChange() {
    network.useProfile(ML2_OVN);
    var unused = host.script().fault(Fault.always("plug", Fault.ErrorKind.GENERIC));
    assertThatThrownBy(() -> host.plugger().plug(guest, vif)).isInstanceOf(HostException.class);
    run();
    assertThat(heard).isEmpty();
  }
}
