package io.vifplug.event;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one receiver. The JDK's server hands a connection over as soon as its first byte
 * has come, and the task then reads the request line and the headers: so the limit for the headers
 * begins with the task. A task beyond the bounds is refused, which makes the server drop the
 * connection; Neutron sends a dropped body again, while it never repeats one that was answered 503.
 */
final class HttpWorkers implements Executor {
  private static final long IDLE_SECONDS = 30;

  private final ThreadPoolExecutor pool;
  private final ScheduledThreadPoolExecutor watchdog;
  private final Duration headerTimeout;

  HttpWorkers(int maxConcurrent, Duration headerTimeout) {
    this.headerTimeout = headerTimeout;
    watchdog = new ScheduledThreadPoolExecutor(1, task -> daemon(new Thread(task), "watchdog"));
    watchdog.setRemoveOnCancelPolicy(true);
    AtomicInteger number = new AtomicInteger();
    ThreadFactory workers =
        task -> daemon(new Worker(task, watchdog), String.valueOf(number.incrementAndGet()));
    pool =
        new ThreadPoolExecutor(
            maxConcurrent,
            maxConcurrent,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(maxConcurrent),
            workers);
    pool.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Thread thread, String name) {
    thread.setName("vifplug-http-" + name);
    thread.setDaemon(true);
    return thread;
  }

  /** Starts a server's own thread as a daemon: it inherits that from the thread that starts it. */
  void startDaemon(Runnable start) throws IOException {
    try {
      watchdog.submit(start).get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while starting");
    }
  }

  /**
   * Runs one exchange.
   *
   * @throws RejectedExecutionException if too many are running and waiting
   */
  @Override
  public void execute(Runnable exchange) {
    pool.execute(
        () -> {
          PhaseLimit limit = limitOfThisThread();
          limit.begin(headerTimeout);
          try {
            exchange.run();
          } finally {
            limit.clear();
          }
        });
  }

  /** The limit of the worker that asks. */
  static PhaseLimit limitOfThisThread() {
    return ((Worker) Thread.currentThread()).limit;
  }

  /** Takes no more exchanges and gives those under way some time. */
  void drain(Duration grace) {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS)) {
        pool.shutdownNow();
      }
    } catch (InterruptedException e) {
      pool.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  void stop() {
    pool.shutdownNow();
    watchdog.shutdownNow();
  }

  private static final class Worker extends Thread {
    private final PhaseLimit limit;

    Worker(Runnable task, ScheduledThreadPoolExecutor watchdog) {
      super(task);
      limit = new PhaseLimit(watchdog, this);
    }
  }
}
