package io.vifplug.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vifplug.OnTimeout;
import io.vifplug.PlugPolicy;
import io.vifplug.VifPlug;
import io.vifplug.network.VnicType;
import io.vifplug.spi.Registration;
import io.vifplug.testkit.FakeHypervisor;
import io.vifplug.testkit.FakeNetworkBackend;
import io.vifplug.testkit.FakePlugger;
import io.vifplug.testkit.HostScript;
import io.vifplug.testkit.Timeline;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What cannot work is refused before anything runs, and all of it at once. */
class ConfigurationTest {
  private final HostScript script = new HostScript(Timeline.discarding());

  private VifPlug.Builder host() {
    return VifPlug.builder()
        .hypervisor(new FakeHypervisor(script))
        .plugger(new FakePlugger(script));
  }

  @Test
  void oneMessageListsEveryFault() {
    PlugPolicy impossible =
        PlugPolicy.defaults()
            .withTimeout(Duration.ofSeconds(-1))
            .withPlugTimeout(Duration.ZERO)
            .withCallerDeadline(Duration.ZERO)
            .withPlugAttempts(0)
            .withHardRebootWaitsFor(Set.of(new VnicType("nromal")));

    assertThatThrownBy(() -> VifPlug.builder().policy(impossible).maxInFlight(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "timeout is PT-1S",
            "plugTimeout is PT0S",
            "callerDeadline is PT0S",
            "plugAttempts is 0",
            "'nromal' is unknown; known are [normal, direct,",
            "no hypervisor",
            "no plugger",
            "maxInFlight is 0",
            "no event source");
  }

  @Test
  void failingWithoutAnySourceOfEvidenceIsRefusedAndTheWaysOutAreNot() {
    assertThatThrownBy(() -> host().build()).hasMessageContaining("no event source");

    VifPlug lenient = host().policy(PlugPolicy.defaults().withOnTimeout(OnTimeout.RESUME)).build();
    VifPlug notWaiting = host().policy(PlugPolicy.defaults().withTimeout(Duration.ZERO)).build();
    VifPlug withReader =
        host().portStatusReader(new FakeNetworkBackend().portStatusReader()).build();

    assertThat(lenient.health().listening()).isFalse();
    lenient.close();
    notWaiting.close();
    withReader.close();
  }

  @Test
  void aSourceThatCannotListenStopsTheBuild() {
    FakeNetworkBackend network = new FakeNetworkBackend();
    var busy =
        new io.vifplug.event.EventSource() {
          @Override
          public Registration start(io.vifplug.event.EventSink sink) {
            throw new IllegalStateException("127.0.0.1:8774 is in use");
          }

          @Override
          public Health health() {
            return new Health(false, 0, 0);
          }
        };

    assertThatThrownBy(() -> host().eventSource(network).eventSource(busy).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("in use");
    assertThat(network.health().listening()).isFalse();
  }

  @Test
  void aClosedOneCanBeReopenedAndAnOpenOneCannot() {
    VifPlug vifPlug = host().eventSource(new FakeNetworkBackend()).build();
    assertThatThrownBy(vifPlug::reopen).isInstanceOf(IllegalStateException.class);
    vifPlug.close();
    assertThat(vifPlug.health().listening()).isFalse();
    vifPlug.reopen();
    assertThat(vifPlug.health().listening()).isTrue();
    vifPlug.close();
  }
}
