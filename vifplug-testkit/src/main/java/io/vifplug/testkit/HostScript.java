package io.vifplug.testkit;

import io.vifplug.spi.HostException;
import io.vifplug.spi.Registration;
import io.vifplug.testkit.Fault.ErrorKind;
import io.vifplug.testkit.Timeline.Phase;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * How the doubles of one host behave: how long their calls take, which of them fail, and who is
 * told of them. Shared by {@link FakeHypervisor} and {@link FakePlugger}. Thread-safe.
 *
 * <p>A call's effect happens at its entry; {@code exit} and {@code fail} come when the virtual time
 * of the call is over. Without virtual time calls take no time.
 */
public final class HostScript {
  private final @Nullable VirtualTime time;
  private final Timeline timeline;
  private final Map<String, Duration> durations = new ConcurrentHashMap<>();
  private final CopyOnWriteArrayList<ActiveFault> faults = new CopyOnWriteArrayList<>();
  private final CopyOnWriteArrayList<Listening> listeners = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch hung = new CountDownLatch(1);
  private volatile BiPredicate<UUID, UUID> inUse = (guest, port) -> false;

  /**
   * A script in virtual time.
   *
   * @param time the time
   * @param timeline where calls are recorded
   */
  public HostScript(VirtualTime time, Timeline timeline) {
    this.time = time;
    this.timeline = timeline;
  }

  /**
   * A script for tests with real threads.
   *
   * @param timeline where calls are recorded
   */
  public HostScript(Timeline timeline) {
    this.time = null;
    this.timeline = timeline;
  }

  /**
   * Where calls are recorded.
   *
   * @return the timeline
   */
  public Timeline timeline() {
    return timeline;
  }

  /**
   * How long calls of a step take.
   *
   * @param step the step word
   * @param duration zero or more
   * @return this
   */
  public HostScript takes(String step, Duration duration) {
    durations.put(step, duration);
    return this;
  }

  /**
   * How long calls of a step take on one port or guest.
   *
   * @param step the step word
   * @param portOrGuest the id; a port's goes before a guest's
   * @param duration zero or more
   * @return this
   */
  public HostScript takes(String step, UUID portOrGuest, Duration duration) {
    durations.put(step + "/" + portOrGuest, duration);
    return this;
  }

  /**
   * Adds a fault. Of several that match a call the first added counts.
   *
   * @param fault the fault
   * @return ends it
   */
  public Registration fault(Fault fault) {
    ActiveFault active = new ActiveFault(fault, new AtomicInteger(), new AtomicInteger());
    faults.add(active);
    return () -> faults.remove(active);
  }

  /**
   * Tells of calls.
   *
   * @param trigger for example {@code plug.enter}
   * @param listener told of each
   * @return stops it
   */
  public Registration onStep(String trigger, StepListener listener) {
    return onStep(Trigger.of(trigger), listener);
  }

  /**
   * Tells of calls.
   *
   * @param trigger which calls
   * @param listener told of each
   * @return stops it
   */
  public Registration onStep(Trigger trigger, StepListener listener) {
    Listening listening = new Listening(trigger, listener, new AtomicInteger());
    listeners.add(listening);
    return () -> listeners.remove(listening);
  }

  /** With real threads: lets calls return that hang. They throw a host exception. */
  public void releaseHung() {
    CountDownLatch old = hung;
    hung = new CountDownLatch(1);
    old.countDown();
  }

  /** What a call does to the host. */
  @FunctionalInterface
  interface Effect<T> {
    T run() throws HostException;
  }

  /** Runs one call: record, listeners, duration, fault, effect. */
  <T> T call(String step, UUID guest, @Nullable UUID port, Effect<T> effect) throws HostException {
    tell(step, guest, port, Phase.ENTER, "");
    spend(step, guest, port);
    try {
      Fault fault = nextFault(step, guest, port);
      if (fault != null) {
        if (fault.leavesGuest()) {
          effect.run();
        }
        throw failure(fault, guest, port);
      }
      T result = effect.run();
      succeeded(step, guest, port);
      whenReturned(() -> tell(step, guest, port, Phase.EXIT, String.valueOf(result)));
      return result;
    } catch (HostException | RuntimeException | Error thrown) {
      whenReturned(() -> tell(step, guest, port, Phase.FAIL, String.valueOf(thrown.getMessage())));
      throw thrown;
    }
  }

  void inUse(BiPredicate<UUID, UUID> test) {
    inUse = test;
  }

  /** Whether a port is in use by its guest that runs or is paused. */
  boolean isInUse(UUID guest, UUID port) {
    return inUse.test(guest, port);
  }

  private void spend(String step, UUID guest, @Nullable UUID port) {
    if (time == null) {
      return;
    }
    Duration duration = port == null ? null : durations.get(step + "/" + port);
    if (duration == null) {
      duration = durations.get(step + "/" + guest);
    }
    if (duration == null) {
      duration = durations.get(step);
    }
    if (duration != null) {
      time.spend(duration);
    }
  }

  private @Nullable Fault nextFault(String step, UUID guest, @Nullable UUID port) {
    for (ActiveFault active : faults) {
      Fault fault = active.fault;
      if (fault.matches(step, guest, port) && active.successes.get() >= fault.after()) {
        Integer times = fault.times();
        if (times == null || active.used.getAndIncrement() < times) {
          return fault;
        }
      }
    }
    return null;
  }

  private void succeeded(String step, UUID guest, @Nullable UUID port) {
    for (ActiveFault active : faults) {
      if (active.fault.matches(step, guest, port)) {
        active.successes.incrementAndGet();
      }
    }
  }

  private HostException failure(Fault fault, UUID guest, @Nullable UUID port) {
    if (fault.error() == ErrorKind.THROWABLE) {
      throw new LinkageError(fault.message());
    }
    String subject = port == null ? "guest " + guest : "port " + port + " of guest " + guest;
    String message = fault.message() + " (" + fault.step() + " of " + subject + ")";
    if (fault.error() == ErrorKind.HANG) {
      return hang(message);
    }
    return new HostException(HostException.Kind.valueOf(fault.error().name()), message);
  }

  private HostException hang(String message) {
    if (time != null) {
      time.hang();
    } else {
      CountDownLatch latch = hung;
      try {
        latch.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return new HostException(HostException.Kind.GENERIC, message);
  }

  private void whenReturned(Runnable task) {
    if (time == null) {
      task.run();
    } else {
      time.whenReturned(task);
    }
  }

  private void tell(String step, UUID guest, @Nullable UUID port, Phase phase, String note) {
    timeline.record(step, guest, port, phase, note);
    for (Listening listening : listeners) {
      Trigger trigger = listening.trigger;
      if (trigger.matches(step, phase, guest, port)) {
        int nth = listening.count.incrementAndGet();
        if (trigger.nth() == 0 || trigger.nth() == nth) {
          listening.listener.onStep(new StepListener.Step(step, phase, guest, port, nth));
        }
      }
    }
  }

  private record ActiveFault(Fault fault, AtomicInteger used, AtomicInteger successes) {}

  private record Listening(Trigger trigger, StepListener listener, AtomicInteger count) {}
}
