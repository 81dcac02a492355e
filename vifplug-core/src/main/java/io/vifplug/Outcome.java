package io.vifplug;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How an operation ended. Told exactly once, and complete when it is told.
 *
 * <p>Immutable.
 *
 * @param guest the guest
 * @param operation the operation
 * @param attempt the attempt's generation number, unique per host and growing; 0 if none was begun
 * @param kind how it ended
 * @param reason why, or null for READY, SUPERSEDED and INTERRUPTED
 * @param message for an operator: port, expected, observed, since when, what to do
 * @param limit the limit of time that fired, or null
 * @param startedAt when the operation was asked for
 * @param endedAt when it ended
 * @param elapsed the time between the two, by the monotonic clock
 * @param ports one result per port, in plug order
 * @param unplugAcknowledged null if no unplug acknowledgement was due, true if all came, else false
 * @param unexpectedEvents plugged events for ports that were not awaited or without a port
 * @param eventsSeen all events of the guest while the watch was open, by name
 * @param steps the steps taken, in order
 * @param suppressed further failures after the first, in order
 * @param cleanupComplete false if something of this operation may be left on the host
 * @param leftovers what is left, one line each
 * @param cause the exception behind a failure, or null
 */
public record Outcome(
    UUID guest,
    Operation operation,
    long attempt,
    Kind kind,
    @Nullable Reason reason,
    String message,
    @Nullable Limit limit,
    Instant startedAt,
    Instant endedAt,
    Duration elapsed,
    Map<UUID, PortResult> ports,
    @Nullable Boolean unplugAcknowledged,
    int unexpectedEvents,
    Map<String, Integer> eventsSeen,
    List<StepRecord> steps,
    List<String> suppressed,
    boolean cleanupComplete,
    List<String> leftovers,
    @Nullable Throwable cause) {

  /** How operations end. */
  public enum Kind {
    /** Every expected port was confirmed; the guest runs (or, of a removal, it is done). */
    READY,
    /** The guest runs, and not everything was confirmed. */
    DEGRADED,
    /** It did not work and was cleaned up. */
    FAILED,
    /** The caller ended it. */
    CANCELLED,
    /** A newer operation took over. */
    SUPERSEDED,
    /** The agent died; see recovery. */
    INTERRUPTED,
    /** Refused before anything was touched. */
    REJECTED
  }

  /**
   * One step and when it was entered.
   *
   * @param step the step's name as in the plan
   * @param port the port it is about, or null
   * @param at the wall clock at its entry
   * @param sinceStart the time since the operation was asked for, by the monotonic clock
   */
  public record StepRecord(String step, @Nullable UUID port, Instant at, Duration sinceStart) {}

  /** Copies the collections. */
  public Outcome {
    ports = Collections.unmodifiableMap(new LinkedHashMap<>(ports));
    eventsSeen = Collections.unmodifiableMap(new LinkedHashMap<>(eventsSeen));
    steps = List.copyOf(steps);
    suppressed = List.copyOf(suppressed);
    leftovers = List.copyOf(leftovers);
  }

  /**
   * Whether the guest runs with every expected port confirmed (or a removal is done).
   *
   * @return true for READY
   */
  public boolean isReady() {
    return kind == Kind.READY;
  }
}
