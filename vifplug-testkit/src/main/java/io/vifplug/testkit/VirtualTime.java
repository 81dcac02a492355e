package io.vifplug.testkit;

import io.vifplug.spi.Calls;
import io.vifplug.spi.Registration;
import io.vifplug.spi.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A clock that only moves when it is driven, with everything that is to happen in one queue:
 * timers, tasks of the engine, calls on the host. A wait of five minutes takes microseconds, and
 * the same run gives the same result every time.
 *
 * <p>What happens at one instant happens in the order of {@link Order}, and within one order as it
 * was scheduled. A task given to {@link #execute} runs right after the item that gave it, before
 * the next item of the queue. What a task throws comes out of the method that drives the time.
 *
 * <p>Not thread-safe: everything runs on the thread that drives it. It is itself the default {@link
 * VirtualSession}; a component that is to be killed in a test gets a {@link #session} of its own.
 */
public final class VirtualTime implements Timing, Executor {
  /** The wall clock at the start. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final long DEFAULT_MAX_STEPS = 10_000_000;

  /** What comes first at one instant. */
  public enum Order {
    /** What the hypervisor tells of its own accord. */
    GUEST_NEWS,
    /** Calls on the host that return. */
    CALL_RETURN,
    /** What the network back end does and says. */
    EVENT,
    /** What the agent asks for. */
    ACTION,
    /** Timers: a deadline that is reached, last of all. */
    TIMER
  }

  private final TreeSet<Item> queue = new TreeSet<>();
  private final ArrayDeque<Ready> ready = new ArrayDeque<>();
  private final List<String> holds = new ArrayList<>();
  private final VirtualSession root = new VirtualSession(this);
  private Duration wallClockJump = Duration.ZERO;
  private long nanos;
  private long sequence;
  private boolean driven;
  @Nullable VirtualCall current;

  /** A clock that stands at {@link #START}. */
  public VirtualTime() {}

  @Override
  public Instant now() {
    return START.plus(wallClockJump).plusNanos(nanos);
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  /**
   * How far the time has been driven since the start.
   *
   * @return the virtual time that has passed
   */
  public Duration elapsed() {
    return Duration.ofNanos(nanos);
  }

  /**
   * Moves the wall clock, as an administrator or NTP does; the monotonic clock does not notice.
   *
   * @param by how far; negative moves it back
   */
  public void jumpWallClock(Duration by) {
    wallClockJump = wallClockJump.plus(by);
  }

  /** Runs the task right after the item that is running, or at the next drive. */
  @Override
  public void execute(Runnable task) {
    root.execute(task);
  }

  @Override
  public Registration schedule(Duration delay, Runnable task) {
    return root.schedule(delay, task);
  }

  /**
   * Blocking calls in virtual time, of the default session.
   *
   * @return the single-threaded double of {@link Calls}
   */
  public Calls calls() {
    return root.calls();
  }

  /**
   * A session of its own, that can be killed with all that it has scheduled.
   *
   * @return a new session
   */
  public VirtualSession session() {
    return new VirtualSession(this);
  }

  /** Never delivers the results of the default session's calls in flight; their effects stay. */
  public void dropCallsInFlight() {
    root.dropCallsInFlight();
  }

  /** Forgets the timers and tasks of the default session. */
  public void dropTimers() {
    root.dropTimers();
  }

  /**
   * Schedules something from now on.
   *
   * @param delay zero or more
   * @param order its place among what happens at the same instant
   * @param task what to run
   * @return cancels it
   */
  public Registration after(Duration delay, Order order, Runnable task) {
    return put(plus(nanos, delay), order, null, task);
  }

  /**
   * Schedules something at a time since the start.
   *
   * @param sinceStart when; not in the past
   * @param order its place among what happens at the same instant
   * @param task what to run
   * @return cancels it
   */
  public Registration at(Duration sinceStart, Order order, Runnable task) {
    long time = plus(0, sinceStart);
    if (time < nanos) {
      throw new IllegalArgumentException(
          sinceStart + " is in the past: the virtual time is " + elapsed());
    }
    return put(time, order, null, task);
  }

  /**
   * Adds virtual time to the call whose body is running: it returns that much later. Outside of a
   * call, and on other threads than the driving one, does nothing.
   *
   * @param time zero or more
   */
  public void spend(Duration time) {
    VirtualCall call = current;
    if (call != null) {
      call.spend(time);
    }
  }

  /** Makes the call whose body is running never return. Outside of a call does nothing. */
  public void hang() {
    VirtualCall call = current;
    if (call != null) {
      call.hang();
    }
  }

  /**
   * Whether the body of a call is running.
   *
   * @return true inside of a body
   */
  public boolean inCall() {
    return current != null;
  }

  /**
   * Runs something when the call whose body is running returns, right before its result is
   * delivered; never if it hangs. It runs even if the result itself has been dropped, since the
   * host does not know of that. Outside of a call it runs at once.
   *
   * @param task what to run
   */
  public void whenReturned(Runnable task) {
    VirtualCall call = current;
    if (call == null) {
      task.run();
    } else {
      call.whenReturned(task);
    }
  }

  /**
   * Keeps {@link #runUntilIdle} from moving the time while something outside of it is going on.
   *
   * @param name names the hold in the error
   * @return ends the hold
   */
  public Registration hold(String name) {
    holds.add(name);
    boolean[] open = {true};
    return () -> {
      if (open[0]) {
        open[0] = false;
        holds.remove(name);
      }
    };
  }

  /** Runs the tasks that are ready. The time does not move, and no timer fires. */
  public void settle() {
    drive(this::drain);
  }

  /**
   * Drives the time on.
   *
   * @param by how far; zero runs what is due now
   */
  public void advance(Duration by) {
    runUntilNanos(plus(nanos, by));
  }

  /**
   * Drives the time to a point; everything due by then, that point included, has run.
   *
   * @param sinceStart the point; if it is past, only what is due now runs
   */
  public void runUntil(Duration sinceStart) {
    runUntilNanos(Math.max(nanos, plus(0, sinceStart)));
  }

  /**
   * Drives the time until nothing is left to happen.
   *
   * @throws IllegalStateException if a hold is open and time would have to move, or if it does not
   *     end in ten million steps
   */
  public void runUntilIdle() {
    runUntilIdle(DEFAULT_MAX_STEPS);
  }

  /**
   * Drives the time until nothing is left to happen.
   *
   * @param maxSteps how many items may run
   * @throws IllegalStateException if a hold is open and time would have to move, or if it does not
   *     end in that many steps
   */
  public void runUntilIdle(long maxSteps) {
    drive(
        () -> {
          drain();
          long steps = 0;
          while (!queue.isEmpty()) {
            if (!holds.isEmpty() && queue.first().time > nanos) {
              throw new IllegalStateException(
                  "virtual time stands at " + elapsed() + " because of open holds: " + holds);
            }
            if (++steps > maxSteps) {
              throw new IllegalStateException(
                  "still not idle after %d steps, at %s with %d items queued: something schedules itself for ever"
                      .formatted(maxSteps, elapsed(), queue.size()));
            }
            step();
          }
        });
  }

  /**
   * How much is left to happen.
   *
   * @return the number of queued items and ready tasks
   */
  public int pending() {
    return queue.size() + ready.size();
  }

  private void runUntilNanos(long target) {
    drive(
        () -> {
          drain();
          while (!queue.isEmpty() && queue.first().time <= target) {
            step();
          }
          nanos = target;
        });
  }

  private void step() {
    Item item = Objects.requireNonNull(queue.pollFirst());
    nanos = item.time;
    item.task.run();
    drain();
  }

  private void drain() {
    Ready next;
    while ((next = ready.poll()) != null) {
      next.task.run();
    }
  }

  private void drive(Runnable loop) {
    if (driven) {
      throw new IllegalStateException("the virtual time is being driven already, by a caller");
    }
    driven = true;
    try {
      loop.run();
    } finally {
      driven = false;
    }
  }

  Registration put(long time, Order order, @Nullable VirtualSession owner, Runnable task) {
    Item item = new Item(time, order, sequence++, owner, task);
    queue.add(item);
    return () -> queue.remove(item);
  }

  Registration putAfter(Duration delay, Order order, VirtualSession owner, Runnable task) {
    return put(plus(nanos, delay), order, owner, task);
  }

  void putReady(VirtualSession owner, Runnable task) {
    ready.add(new Ready(owner, task));
  }

  void forget(VirtualSession owner) {
    queue.removeIf(item -> item.owner == owner);
    ready.removeIf(task -> task.owner == owner);
  }

  private static long plus(long time, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("a delay is not negative: " + delay);
    }
    try {
      return Math.addExact(time, delay.toNanos());
    } catch (ArithmeticException beyondTheEndOfTime) {
      return Long.MAX_VALUE;
    }
  }

  private record Ready(VirtualSession owner, Runnable task) {}

  private record Item(
      long time, Order order, long sequence, @Nullable VirtualSession owner, Runnable task)
      implements Comparable<Item> {
    @Override
    public int compareTo(Item other) {
      int byTime = Long.compare(time, other.time);
      int byOrder = byTime != 0 ? byTime : order.compareTo(other.order);
      return byOrder != 0 ? byOrder : Long.compare(sequence, other.sequence);
    }
  }
}
