package io.vifplug.engine;

import io.vifplug.Guest;
import io.vifplug.HostHealth;
import io.vifplug.Plan;
import io.vifplug.PlugCall;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugRequest;
import io.vifplug.Progress;
import io.vifplug.backend.BackendMatrix;
import io.vifplug.event.EventSource;
import io.vifplug.network.NetworkInfo;
import io.vifplug.network.Vif;
import io.vifplug.spi.Calls;
import io.vifplug.spi.GuestDirectory;
import io.vifplug.spi.Hypervisor;
import io.vifplug.spi.Journal;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.PlugListener;
import io.vifplug.spi.PortStatusReader;
import io.vifplug.spi.Timing;
import io.vifplug.spi.VifPlugger;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Placeholder while the engine is being written. */
public final class Engine {
  /** Parts. */
  public record Parts(
      Hypervisor hypervisor,
      List<VifPlugger> pluggers,
      List<EventSource> sources,
      List<PlugListener> listeners,
      @Nullable LocalEvidence localEvidence,
      @Nullable PortStatusReader statusReader,
      PlugPolicy policy,
      BackendMatrix matrix,
      @Nullable String defaultDriver,
      @Nullable Journal journal,
      @Nullable GuestDirectory directory,
      int maxInFlight,
      int silentAfter,
      @Nullable Timing timing,
      @Nullable Calls calls,
      @Nullable Executor executor) {}

  @SuppressWarnings("DoNotCallSuggester")
  public static Engine start(Parts parts) {
    throw new UnsupportedOperationException(parts.toString());
  }

  @SuppressWarnings("DoNotCallSuggester")
  public PlugCall submit(PlugRequest request) {
    throw new UnsupportedOperationException(request.toString());
  }

  @SuppressWarnings("DoNotCallSuggester")
  public Plan explain(PlugRequest request) {
    throw new UnsupportedOperationException(request.toString());
  }

  public List<Vif> pluggedVifs(UUID guest) {
    return List.of();
  }

  public void adopt(Guest guest, NetworkInfo network) {}

  public List<Progress> progress() {
    return List.of();
  }

  @SuppressWarnings("DoNotCallSuggester")
  public HostHealth health() {
    throw new UnsupportedOperationException();
  }

  @SuppressWarnings("DoNotCallSuggester")
  public CompletionStage<List<String>> closeAsync() {
    throw new UnsupportedOperationException();
  }

  public void close() {}

  public void reopen() {}
}
