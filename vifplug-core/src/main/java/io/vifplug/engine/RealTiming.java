package io.vifplug.engine;

import io.vifplug.spi.Registration;
import io.vifplug.spi.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The real clock, and one daemon thread for timers. */
final class RealTiming implements Timing {
  private final ScheduledThreadPoolExecutor timer;

  RealTiming() {
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "vifplug-timer");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    // The thread ends when nothing is scheduled, so nobody has to close it.
    timer.setKeepAliveTime(10, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Registration schedule(Duration delay, Runnable task) {
    Future<?> future = timer.schedule(task, Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }
}
