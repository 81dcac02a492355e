package io.vifplug.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The open ear for one attempt. Any thread files; the attempt's lane drains. Filing never blocks
 * and runs nothing of the attempt.
 */
final class Watch {
  private final UUID guest;
  private final long attempt;
  private final Runnable wake;
  private final Queue<WatchEntry> entries = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  Watch(UUID guest, long attempt, Runnable wake) {
    this.guest = guest;
    this.attempt = attempt;
    this.wake = wake;
  }

  UUID guest() {
    return guest;
  }

  long attempt() {
    return attempt;
  }

  /** Files an entry; false if the watch is closed and will not see it. */
  boolean file(WatchEntry entry) {
    if (closed) {
      return false;
    }
    entries.add(entry);
    // Closed in between: either the last drain has taken it, or nobody will.
    return !closed || !entries.remove(entry);
  }

  /** Tells the attempt that there is something to drain. */
  void wake() {
    wake.run();
  }

  /** Takes what has been filed, in order. */
  List<WatchEntry> drain() {
    List<WatchEntry> drained = new ArrayList<>();
    for (WatchEntry entry = entries.poll(); entry != null; entry = entries.poll()) {
      drained.add(entry);
    }
    return drained;
  }

  void close() {
    closed = true;
  }
}
