package io.vifplug.testkit;

import io.vifplug.network.Vif;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.PortStatusReader;
import io.vifplug.spi.Registration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the port status reader and the local evidence show. Thread-safe. */
final class PortBoard implements LocalEvidence, PortStatusReader {
  private static final Reading UNKNOWN = new Reading(State.NOT_READY, "0");

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<UUID, Shown> ports = new HashMap<>();
  private final CopyOnWriteArrayList<Consumer<UUID>> listeners = new CopyOnWriteArrayList<>();

  private static final class Shown {
    @Nullable String status;
    boolean statusScripted;
    State local = State.NOT_READY;
    boolean localScripted;
    long revision;
  }

  @Override
  public Map<UUID, String> read(UUID guest, Set<UUID> wanted) {
    lock.lock();
    try {
      Map<UUID, String> found = new HashMap<>();
      for (UUID port : wanted) {
        Shown shown = ports.get(port);
        if (shown != null && shown.status != null) {
          found.put(port, shown.status);
        }
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Reading read(Vif vif) {
    lock.lock();
    try {
      Shown shown = ports.get(vif.port());
      return shown == null ? UNKNOWN : new Reading(shown.local, String.valueOf(shown.revision));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Registration onChange(Consumer<UUID> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** From now on the port's status is scripted and no profile changes it. */
  void claimStatus(UUID port) {
    locked(port, shown -> shown.statusScripted = true);
  }

  /** From now on the port's local evidence is scripted and no profile changes it. */
  void claimLocal(UUID port) {
    locked(port, shown -> shown.localScripted = true);
  }

  void scriptStatus(UUID port, @Nullable String status) {
    locked(port, shown -> shown.status = status);
  }

  void scriptLocal(UUID port, State state) {
    locked(port, shown -> show(shown, state));
    changed(port);
  }

  void profileStatus(UUID port, String status) {
    locked(
        port,
        shown -> {
          if (!shown.statusScripted) {
            shown.status = status;
          }
        });
  }

  /** Shows DOWN for a port that nobody has heard of yet. */
  void profileKnows(UUID port) {
    locked(
        port,
        shown -> {
          if (!shown.statusScripted && shown.status == null) {
            shown.status = "DOWN";
          }
        });
  }

  void profileLocal(UUID port, State state) {
    boolean[] scripted = new boolean[1];
    locked(
        port,
        shown -> {
          scripted[0] = shown.localScripted;
          if (!shown.localScripted) {
            show(shown, state);
          }
        });
    if (!scripted[0]) {
      changed(port);
    }
  }

  private static void show(Shown shown, State state) {
    shown.local = state;
    shown.revision++;
  }

  private void changed(UUID port) {
    listeners.forEach(listener -> listener.accept(port));
  }

  private void locked(UUID port, Consumer<Shown> change) {
    lock.lock();
    try {
      change.accept(ports.computeIfAbsent(port, unused -> new Shown()));
    } finally {
      lock.unlock();
    }
  }
}
