package io.vifplug.engine;

import io.vifplug.Operation;
import io.vifplug.Plan;
import io.vifplug.Plan.PortPlan;
import io.vifplug.PortResult;
import io.vifplug.event.EventName;
import io.vifplug.event.EventStatus;
import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.LocalEvidence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The evidence of one attempt: takes what the watch recorded, in order, and knows which ports are
 * proven. No I/O, no clock. Confined to the lane.
 */
final class PortBook {
  private final Map<UUID, PortTracker> ports = new LinkedHashMap<>();
  private final Map<String, Integer> eventsSeen = new TreeMap<>();
  private int unexpectedEvents;
  private boolean frozen;

  PortBook(Plan plan) {
    Operation operation = plan.operation();
    for (PortPlan port : plan.ports().values()) {
      boolean unpluggedHere = operation.replugs() || operation.removes() || port.handshake();
      boolean reopens = operation != Operation.MIGRATE_IN;
      ports.put(port.vif().port(), new PortTracker(port, unpluggedHere, reopens));
    }
  }

  /** Events from before the watch was open: they count for nothing, and are worth knowing. */
  void orphans(List<NetworkEvent> events) {
    for (NetworkEvent event : events) {
      PortTracker port = event.port() == null ? null : ports.get(event.port());
      if (port != null && event.name().equals(EventName.VIF_PLUGGED)) {
        port.earlyOrphan();
      }
    }
  }

  /** From here on nothing re-opens or fails a port: the guest is being resumed. */
  void freeze() {
    frozen = true;
  }

  /** Takes one record of the watch. */
  void accept(WatchEntry entry) {
    if (entry instanceof WatchEntry.TeardownEntered) {
      ports.values().forEach(PortTracker::teardownEntered);
    } else if (entry instanceof WatchEntry.PlugEntered plug) {
      PortTracker port = ports.get(plug.port());
      if (port != null) {
        port.plugEntered(plug.before());
      }
    } else if (entry instanceof WatchEntry.Received received) {
      event(received);
    }
  }

  private void event(WatchEntry.Received received) {
    NetworkEvent event = received.event();
    eventsSeen.merge(event.name().wire(), 1, Integer::sum);
    PortTracker port = event.port() == null ? null : ports.get(event.port());
    if (event.name().equals(EventName.VIF_PLUGGED)) {
      if (event.status() == EventStatus.IN_PROGRESS) {
        return;
      }
      boolean failure = event.status() == EventStatus.FAILED;
      boolean tooLate = frozen && failure;
      if (port == null || (!tooLate && !port.plugged(failure, received.at(), received.nanos()))) {
        unexpectedEvents++;
      }
    } else if (port != null && event.name().equals(EventName.VIF_UNPLUGGED)) {
      port.unplugged(received.nanos(), frozen);
    } else if (port != null && event.name().equals(EventName.VIF_DELETED) && !frozen) {
      port.deleted();
    }
  }

  @Nullable PortTracker find(UUID port) {
    return ports.get(port);
  }

  Collection<PortTracker> all() {
    return ports.values();
  }

  List<PortTracker> where(Predicate<PortTracker> which) {
    List<PortTracker> found = new ArrayList<>();
    for (PortTracker port : ports.values()) {
      if (which.test(port)) {
        found.add(port);
      }
    }
    return found;
  }

  boolean any(Predicate<PortTracker> which) {
    return ports.values().stream().anyMatch(which);
  }

  boolean nothingBlocks() {
    return !any(PortTracker::blocks);
  }

  boolean allConfirmed() {
    return !any(PortTracker::outstanding);
  }

  void local(UUID port, LocalEvidence.Reading reading, Instant at) {
    PortTracker tracker = ports.get(port);
    if (tracker != null) {
      tracker.local(reading, at);
    }
  }

  void statuses(Map<UUID, String> statuses, Instant at) {
    statuses.forEach(
        (port, status) -> {
          PortTracker tracker = ports.get(port);
          if (tracker != null) {
            tracker.status(status, at);
          }
        });
  }

  /** True if all acknowledgements that were due have come, null if none was due. */
  @Nullable Boolean unplugAcknowledged() {
    return any(PortTracker::handshakeDue) ? (Boolean) !any(PortTracker::handshakePending) : null;
  }

  int unexpectedEvents() {
    return unexpectedEvents;
  }

  Map<String, Integer> eventsSeen() {
    return eventsSeen;
  }

  Map<UUID, PortResult> results(boolean endedForAnotherCause) {
    Map<UUID, PortResult> results = new LinkedHashMap<>();
    ports.forEach((id, port) -> results.put(id, port.result(endedForAnotherCause)));
    return results;
  }
}
