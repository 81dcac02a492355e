package io.vifplug.engine;

import io.vifplug.event.EventSource;
import io.vifplug.spi.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notices a silent event source and a stalled host. Thread-safe. */
final class HealthBook {
  private static final Logger log = LoggerFactory.getLogger(HealthBook.class);

  /** Guests that time out within this time of one another time out together. */
  private static final Duration TOGETHER = Duration.ofMinutes(1);

  private static final int STALL = 3;

  /** How long a report waits for more guests of the same stall. */
  private static final Duration GATHER = Duration.ofSeconds(1);

  private record TimedOut(UUID guest, Instant since, long nanos) {}

  private final Timing timing;
  private final List<EventSource> sources;
  private final int silentAfter;
  private final Notifier notifier;
  private final AtomicLong events = new AtomicLong();
  private final AtomicInteger timeoutsInARow = new AtomicInteger();
  private final AtomicInteger stuckCalls = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<TimedOut> recent = new ArrayDeque<>();
  private boolean reportDue;

  HealthBook(Timing timing, List<EventSource> sources, int silentAfter, Notifier notifier) {
    this.timing = timing;
    this.sources = sources;
    this.silentAfter = silentAfter;
    this.notifier = notifier;
  }

  void event() {
    events.incrementAndGet();
    timeoutsInARow.set(0);
  }

  void timedOut(UUID guest, Instant since) {
    int inARow = timeoutsInARow.incrementAndGet();
    if (inARow == silentAfter) {
      long seen = calls();
      log.warn(
          "EVENT_SOURCE_SILENT: {} operations in a row timed out and no event of any kind came;"
              + " the receiver has seen {} calls since start: check that the network back end can"
              + " reach it and that its agents run",
          inARow,
          seen);
      notifier.tell(listener -> listener.eventSourceSilent(inARow, seen));
    }
    lock.lock();
    try {
      recent.removeIf(old -> old.guest().equals(guest));
      recent.add(new TimedOut(guest, since, timing.nanoTime()));
      prune();
      if (recent.size() >= STALL && !reportDue) {
        reportDue = true;
        timing.schedule(GATHER, this::reportStall);
      }
    } finally {
      lock.unlock();
    }
  }

  private void prune() {
    long oldest = timing.nanoTime() - TOGETHER.toNanos();
    recent.removeIf(old -> old.nanos() < oldest);
  }

  private void reportStall() {
    List<TimedOut> stalled;
    lock.lock();
    try {
      reportDue = false;
      prune();
      stalled = List.copyOf(recent);
    } finally {
      lock.unlock();
    }
    if (stalled.size() < STALL) {
      return;
    }
    Instant first = stalled.stream().map(TimedOut::since).min(Instant::compareTo).orElseThrow();
    List<UUID> guests = stalled.stream().map(TimedOut::guest).toList();
    log.warn(
        "host-wide stall: {} guests timed out together, the first has waited since {}: look at this"
            + " host's network agent, not at the guests: {}",
        guests.size(),
        first,
        guests);
    notifier.tell(listener -> listener.hostStalled(guests, first));
  }

  long calls() {
    return sources.stream().mapToLong(source -> source.health().calls()).sum();
  }

  boolean hasSources() {
    return !sources.isEmpty();
  }

  long events() {
    return events.get();
  }

  int timeoutsInARow() {
    return timeoutsInARow.get();
  }

  boolean silent() {
    return timeoutsInARow.get() >= silentAfter;
  }

  int stalledGuests() {
    lock.lock();
    try {
      prune();
      return recent.size() >= STALL ? recent.size() : 0;
    } finally {
      lock.unlock();
    }
  }

  void stuck(int change) {
    stuckCalls.addAndGet(change);
  }

  int stuckCalls() {
    return stuckCalls.get();
  }
}
