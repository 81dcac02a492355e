package io.vifplug.event;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how long one thread may spend in socket calls. When a limit is over the thread is
 * interrupted, and an interrupted socket call closes its channel: that is how a slow client is cut
 * off, whatever the thread was reading or writing. Between limits, and after {@link #clear}, no
 * interrupt can come from here.
 */
final class PhaseLimit {
  private final ReentrantLock lock = new ReentrantLock();
  private final ScheduledExecutorService watchdog;
  private final Thread thread;
  private @Nullable Future<?> timer;
  private long phase;
  private boolean expired;

  PhaseLimit(ScheduledExecutorService watchdog, Thread thread) {
    this.watchdog = watchdog;
    this.thread = thread;
  }

  /** From now on the owning thread has this long. Replaces the limit before it. */
  void begin(Duration limit) {
    lock.lock();
    try {
      stop();
      long begun = phase;
      timer = watchdog.schedule(() -> expire(begun), limit.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lifts the limit.
   *
   * @throws InterruptedIOException if it was over already: the channel is closed or will be
   */
  void end() throws InterruptedIOException {
    lock.lock();
    try {
      stop();
      if (expired) {
        throw new InterruptedIOException("the client was too slow");
      }
    } finally {
      lock.unlock();
    }
  }

  /** Lifts the limit and forgets that it was over: the thread is done with that client. */
  void clear() {
    lock.lock();
    try {
      stop();
      expired = false;
      Thread.interrupted();
    } finally {
      lock.unlock();
    }
  }

  private void stop() {
    phase++;
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  private void expire(long begun) {
    lock.lock();
    try {
      if (begun == phase) {
        expired = true;
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }
}
