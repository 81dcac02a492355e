package io.vifplug.engine;

import io.vifplug.network.Vif;
import io.vifplug.spi.Calls;
import io.vifplug.spi.HostException;
import io.vifplug.spi.Hypervisor;
import io.vifplug.spi.Journal;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.PortStatusReader;
import io.vifplug.spi.Timing;
import io.vifplug.spi.VifPlugger;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What all attempts of one engine share. Immutable; its parts are thread-safe. */
record Context(
    Hypervisor hypervisor,
    List<VifPlugger> pluggers,
    @Nullable LocalEvidence local,
    @Nullable PortStatusReader reader,
    Journal journal,
    Timing timing,
    Calls calls,
    WatchRegistry watches,
    OwnUnplugs ownUnplugs,
    Map<String, UUID> devices,
    Map<UUID, Attempt> listening,
    Admission admission,
    Notifier notifier,
    HealthBook health) {

  VifPlugger plugger(Vif vif) throws HostException {
    for (VifPlugger plugger : pluggers) {
      if (plugger.supports(vif)) {
        return plugger;
      }
    }
    throw new HostException(
        HostException.Kind.UNSUPPORTED,
        "no plugger supports vif type " + vif.type() + " of port " + vif.port());
  }
}
