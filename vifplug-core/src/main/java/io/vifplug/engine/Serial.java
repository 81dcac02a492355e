package io.vifplug.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks one at a time and in order on a shared executor, and holds no thread in between. */
final class Serial implements Executor {
  private static final Logger log = LoggerFactory.getLogger(Serial.class);

  private final Executor executor;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();

  Serial(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (pending.getAndIncrement() == 0) {
      executor.execute(this::drain);
    }
  }

  private void drain() {
    int batch = pending.get();
    for (int i = 0; i < batch; i++) {
      Runnable task = tasks.remove();
      try {
        task.run();
      } catch (Throwable fault) {
        // A task reports its own faults; this one is a defect, and must not stop the next task.
        log.error("a task of the engine threw", fault);
      }
    }
    if (pending.addAndGet(-batch) != 0) {
      executor.execute(this::drain);
    }
  }
}
