package io.vifplug.engine;

import io.vifplug.Priority;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who may plug now: so many guests between the opening and the end of their watch, NORMAL before
 * BULK, first in first out. Thread-safe; nobody waits in it with a thread.
 */
final class Admission {
  private final int limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Priority, Deque<Ticket>> queues = new EnumMap<>(Priority.class);
  private int inFlight;

  Admission(int limit) {
    this.limit = limit;
    for (Priority priority : Priority.values()) {
      queues.put(priority, new ArrayDeque<>());
    }
  }

  /** A place in the queue. {@code granted} runs once, on some thread, when the turn has come. */
  final class Ticket {
    private final Priority priority;
    private final Runnable granted;
    private boolean holds;

    private Ticket(Priority priority, Runnable granted) {
      this.priority = priority;
      this.granted = granted;
    }

    /** Leaves the queue, or gives the place back. Idempotent. */
    void release() {
      Ticket next = null;
      lock.lock();
      try {
        queue(priority).remove(this);
        if (holds) {
          holds = false;
          inFlight--;
          next = admitNext();
        }
      } finally {
        lock.unlock();
      }
      if (next != null) {
        next.granted.run();
      }
    }
  }

  Ticket enter(Priority priority, Runnable granted) {
    Ticket ticket = new Ticket(priority, granted);
    Ticket next;
    lock.lock();
    try {
      queue(priority).add(ticket);
      next = admitNext();
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.granted.run();
    }
    return ticket;
  }

  private @Nullable Ticket admitNext() {
    if (inFlight >= limit) {
      return null;
    }
    for (Priority priority : Priority.values()) {
      Ticket ticket = queue(priority).poll();
      if (ticket != null) {
        ticket.holds = true;
        inFlight++;
        return ticket;
      }
    }
    return null;
  }

  @SuppressWarnings("NullAway") // every priority has a queue
  private Deque<Ticket> queue(Priority priority) {
    return queues.get(priority);
  }

  int inFlight() {
    lock.lock();
    try {
      return inFlight;
    } finally {
      lock.unlock();
    }
  }

  int queued() {
    lock.lock();
    try {
      return queues.values().stream().mapToInt(Deque::size).sum();
    } finally {
      lock.unlock();
    }
  }
}
