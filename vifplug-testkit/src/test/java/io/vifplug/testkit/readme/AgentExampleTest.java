package io.vifplug.testkit.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.Guest;
import io.vifplug.VifPlug;
import io.vifplug.network.NetworkInfo;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.testkit.FakeHypervisor;
import io.vifplug.testkit.FakeNetworkBackend;
import io.vifplug.testkit.VifPlugExtension;
import io.vifplug.testkit.VirtualTime;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

// README: test
@ExtendWith(VifPlugExtension.class)
class AgentExampleTest {
  @Test
  void theGuestRunsOnceItsPortIsWired(
      VifPlug vifPlug, FakeNetworkBackend network, FakeHypervisor hypervisor, VirtualTime time) {
    var guest = Guest.of(UUID.randomUUID());
    var vif = Vif.builder(UUID.randomUUID()).driver("openvswitch").build();
    var call = vifPlug.spawn(guest, NetworkInfo.of(vif));
    time.advance(Duration.ofMinutes(4));
    assertThat(hypervisor.state(guest.id())).isEqualTo(State.PAUSED);
    network.plugged(guest.id(), vif.port());
    time.runUntilIdle();
    assertThat(call.join().isReady()).isTrue();
    assertThat(hypervisor.state(guest.id())).isEqualTo(State.RUNNING);
  }
}
// README: end
