package io.vifplug.testkit.engine;

import static io.vifplug.testkit.engine.EngineHarness.port;
import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.Outcome;
import io.vifplug.PlugCall;
import io.vifplug.Reason;
import io.vifplug.network.NetworkInfo;
import io.vifplug.testkit.FakeNetworkBackend.Profile;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SpawnTest {
  @Test
  void resumesOnceBothPortsAreAnnounced() {
    EngineHarness host = new EngineHarness(builder -> builder);
    host.network.useProfile(Profile.ML2_OVS);
    PlugCall call = host.vifPlug.spawn(host.guest, NetworkInfo.of(port(1), port(2)));
    Outcome outcome = host.end(call);
    assertThat(outcome.kind()).as(outcome.message()).isEqualTo(Outcome.Kind.READY);
    assertThat(outcome.elapsed()).isEqualTo(Duration.ofMillis(2800));
    assertThat(host.vifPlug.health().openWatches()).isZero();
  }

  @Test
  void destroysAndUnplugsWhenNothingIsAnnounced() {
    EngineHarness host = new EngineHarness(builder -> builder);
    PlugCall call = host.vifPlug.spawn(host.guest, NetworkInfo.of(port(1), port(2)));
    Outcome outcome = host.end(call);
    assertThat(outcome.reason()).as(outcome.message()).isEqualTo(Reason.EVENT_TIMEOUT);
    assertThat(outcome.elapsed()).isEqualTo(Duration.ofMinutes(5));
    assertThat(outcome.message()).contains(port(1).port().toString(), "0 calls since start");
    assertThat(outcome.cleanupComplete()).isTrue();
    assertThat(host.vifPlug.pluggedVifs(host.guest.id())).isEmpty();
  }

  @Test
  void hardRebootWaitsForTheUnplugToBeSeenAndThenForThePlug() {
    EngineHarness host = new EngineHarness(builder -> builder);
    host.network.useProfile(Profile.ML2_OVS);
    assertThat(host.end(host.vifPlug.spawn(host.guest, NetworkInfo.of(port(1)))).isReady())
        .isTrue();
    Outcome outcome = host.end(host.vifPlug.hardReboot(host.guest, NetworkInfo.of(port(1))));
    assertThat(outcome.kind()).as(outcome.message()).isEqualTo(Outcome.Kind.READY);
    assertThat(outcome.unplugAcknowledged()).isTrue();
    Outcome destroyed = host.end(host.vifPlug.destroy(host.guest, NetworkInfo.of(port(1))));
    assertThat(destroyed.kind()).as(destroyed.message()).isEqualTo(Outcome.Kind.READY);
    assertThat(host.vifPlug.pluggedVifs(host.guest.id())).isEmpty();
  }
}
