package io.vifplug.engine;

import io.vifplug.spi.Registration;
import io.vifplug.spi.Timing;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;

/** The timers of one attempt: they run on its lane, and none outlives it. Confined to the lane. */
final class Timers {
  private final Timing timing;
  private final Executor lane;
  private final Set<Entry> open = new HashSet<>();
  private boolean stopped;

  private static final class Entry {
    private Registration registration = Registration.NONE;
  }

  Timers(Timing timing, Executor lane) {
    this.timing = timing;
    this.lane = lane;
  }

  Registration after(Duration delay, Runnable task) {
    if (stopped) {
      return Registration.NONE;
    }
    Entry entry = new Entry();
    open.add(entry);
    entry.registration =
        timing.schedule(
            delay.isNegative() ? Duration.ZERO : delay,
            () ->
                lane.execute(
                    () -> {
                      if (open.remove(entry)) {
                        task.run();
                      }
                    }));
    return () -> {
      if (open.remove(entry)) {
        entry.registration.close();
      }
    };
  }

  /** Ends all timers; no new ones are taken. */
  void stop() {
    stopped = true;
    open.forEach(entry -> entry.registration.close());
    open.clear();
  }

  boolean stopped() {
    return stopped;
  }
}
