package io.vifplug.engine;

import io.vifplug.network.Vif;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.PortStatusReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the proofs that nobody pushes: port statuses, and local evidence where its source is
 * silent. Pauses grow; everything ends with the attempt. Confined to the lane.
 */
final class ProofPoll {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final Context context;
  private final UUID guest;
  private final Executor lane;
  private final PortBook book;
  private final Duration callTimeout;
  private final Timers timers;
  private final Runnable changed;
  private Duration pause = FIRST_PAUSE;
  private boolean scheduled;
  private boolean reading;

  ProofPoll(
      Context context,
      UUID guest,
      Executor lane,
      PortBook book,
      Duration callTimeout,
      Timers timers,
      Runnable changed) {
    this.context = context;
    this.guest = guest;
    this.lane = lane;
    this.book = book;
    this.callTimeout = callTimeout;
    this.timers = timers;
    this.changed = changed;
  }

  /** Asks at once whatever can bring a port further, and again with growing pauses. */
  void kick() {
    pause = FIRST_PAUSE;
    ask();
  }

  /** Asks at once, unless an answer or the next question is on its way already. */
  void kickIfIdle() {
    if (!scheduled && !reading) {
      kick();
    }
  }

  private void ask() {
    if (timers.stopped() || reading) {
      return;
    }
    Set<UUID> statuses = ids(book.where(this::wantsStatus));
    List<Vif> locals =
        book.where(this::wantsLocal).stream().map(port -> port.plan().vif()).toList();
    if (statuses.isEmpty() && locals.isEmpty()) {
      return;
    }
    int[] outstanding = {(statuses.isEmpty() ? 0 : 1) + locals.size()};
    reading = true;
    Runnable one =
        () -> {
          if (--outstanding[0] == 0) {
            reading = false;
            changed.run();
            again();
          }
        };
    if (!statuses.isEmpty()) {
      readStatuses(statuses, one);
    }
    locals.forEach(vif -> readLocal(vif, one));
  }

  /** Where nobody can be asked, asking again would never end. */
  private boolean wantsStatus(PortTracker port) {
    return context.reader() != null && port.wantsStatus();
  }

  private boolean wantsLocal(PortTracker port) {
    LocalEvidence local = context.local();
    return local != null && port.wantsLocal() && local.covers(port.plan().vif());
  }

  private void again() {
    boolean wanted = book.any(port -> wantsStatus(port) || wantsLocal(port));
    if (!scheduled && wanted && !timers.stopped()) {
      scheduled = true;
      timers.after(
          pause,
          () -> {
            scheduled = false;
            ask();
          });
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
              ? LONGEST_PAUSE
              : pause.multipliedBy(2);
    }
  }

  /** Reads the statuses of these ports once, then runs {@code done} on the lane. */
  void readStatuses(Set<UUID> ports, Runnable done) {
    PortStatusReader reader = context.reader();
    if (reader == null || ports.isEmpty()) {
      done.run();
      return;
    }
    context
        .calls()
        .submit(callTimeout, () -> reader.read(guest, ports))
        .inTime()
        .whenComplete(
            (statuses, failure) ->
                lane.execute(
                    () -> {
                      if (statuses != null && !timers.stopped()) {
                        book.statuses(only(ports, statuses), context.timing().now());
                      }
                      done.run();
                    }));
  }

  private static Map<UUID, String> only(Set<UUID> ports, Map<UUID, String> statuses) {
    return statuses.entrySet().stream()
        .filter(entry -> ports.contains(entry.getKey()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Reads the local evidence of one vif, then runs {@code done} on the lane. */
  void readLocal(Vif vif, Runnable done) {
    LocalEvidence local = context.local();
    if (local == null || !local.covers(vif)) {
      done.run();
      return;
    }
    context
        .calls()
        .submit(callTimeout, () -> local.read(vif))
        .inTime()
        .whenComplete(
            (LocalEvidence.@Nullable Reading reading, @Nullable Throwable failure) ->
                lane.execute(
                    () -> {
                      if (reading != null && !timers.stopped()) {
                        book.local(vif.port(), reading, context.timing().now());
                      }
                      done.run();
                    }));
  }

  static Set<UUID> ids(List<PortTracker> ports) {
    return ports.stream().map(PortTracker::port).collect(Collectors.toSet());
  }
}
