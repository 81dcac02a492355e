package io.vifplug.engine;

import io.vifplug.spi.Calls;
import io.vifplug.spi.Registration;
import io.vifplug.spi.Timing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Blocking calls on a bounded number of daemon threads. A call that overruns its deadline gives its
 * place up, so that it poisons its own guest and no other; how many such threads may pile up is
 * bounded too, and beyond that bound calls queue behind them.
 */
final class ThreadCalls implements Calls {
  private static final int MAX_OVERDUE = 32;

  private final int limit;
  private final Timing timing;
  private final ExecutorService threads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private int running;
  private int overdue;

  ThreadCalls(int limit, Timing timing) {
    this.limit = limit;
    this.timing = timing;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, "vifplug-call-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public <T> Call<T> submit(Duration deadline, Callable<T> body) {
    CompletableFuture<T> inTime = new CompletableFuture<>();
    CompletableFuture<T> returned = new CompletableFuture<>();
    enqueue(() -> run(deadline, body, inTime, returned));
    return new Call<>(inTime, returned);
  }

  private <T> void run(
      Duration deadline,
      Callable<T> body,
      CompletableFuture<T> inTime,
      CompletableFuture<T> returned) {
    AtomicBoolean holdsPlace = new AtomicBoolean(true);
    AtomicBoolean over = new AtomicBoolean();
    Registration alarm =
        timing.schedule(
            deadline,
            () -> {
              if (inTime.completeExceptionally(new TimeoutException("no return in " + deadline))) {
                giveUpPlace(holdsPlace, over);
              }
            });
    try {
      T value = body.call();
      inTime.complete(value);
      returned.complete(value);
    } catch (Throwable failure) {
      inTime.completeExceptionally(failure);
      returned.completeExceptionally(failure);
    } finally {
      alarm.close();
      over.set(true);
      leave(holdsPlace);
    }
  }

  private void enqueue(Runnable call) {
    lock.lock();
    try {
      queue.add(call);
      startQueued();
    } finally {
      lock.unlock();
    }
  }

  private void startQueued() {
    while (running < limit && !queue.isEmpty()) {
      running++;
      threads.execute(queue.remove());
    }
  }

  private void giveUpPlace(AtomicBoolean holdsPlace, AtomicBoolean over) {
    lock.lock();
    try {
      if (!over.get() && overdue < MAX_OVERDUE && holdsPlace.compareAndSet(true, false)) {
        overdue++;
        running--;
        startQueued();
      }
    } finally {
      lock.unlock();
    }
  }

  private void leave(AtomicBoolean holdsPlace) {
    lock.lock();
    try {
      if (holdsPlace.compareAndSet(true, false)) {
        running--;
      } else {
        overdue--;
      }
      startQueued();
    } finally {
      lock.unlock();
    }
  }
}
