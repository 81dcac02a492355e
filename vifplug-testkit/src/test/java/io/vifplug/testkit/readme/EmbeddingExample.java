package io.vifplug.testkit.readme;

import io.vifplug.Guest;
import io.vifplug.Outcome;
import io.vifplug.PlugPolicy;
import io.vifplug.VifPlug;
import io.vifplug.event.ExternalEventsReceiver;
import io.vifplug.network.NetworkInfo;
import io.vifplug.spi.Hypervisor;
import io.vifplug.spi.VifPlugger;
import java.time.Duration;

// README: embedding
final class EmbeddingExample implements AutoCloseable {
  private final VifPlug vifPlug;

  EmbeddingExample(Hypervisor hypervisor, VifPlugger plugger) {
    vifPlug =
        VifPlug.builder()
            .hypervisor(hypervisor)
            .plugger(plugger)
            .eventSource(ExternalEventsReceiver.onPort(8774)) // listens when build() returns
            .policy(PlugPolicy.defaults().withTimeout(Duration.ofMinutes(5)))
            .build();
  }

  Outcome start(Guest guest, String novaNetworkInfo) {
    return vifPlug.spawn(guest, NetworkInfo.fromNova(novaNetworkInfo)).join();
  }

  @Override
  public void close() {
    vifPlug.close();
  }
}
// README: end
