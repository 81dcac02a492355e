package io.vifplug.testkit;

import io.vifplug.spi.Calls;
import io.vifplug.spi.Registration;
import io.vifplug.spi.Timing;
import io.vifplug.testkit.VirtualTime.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

/**
 * What one component may use of a {@link VirtualTime}: timers, tasks and calls that belong to it
 * and vanish with it. Killing the session of an engine is the crash of its process.
 *
 * <p>Not thread-safe, like the time it belongs to.
 */
public final class VirtualSession implements Timing, Executor {
  private final VirtualTime time;
  private final Calls calls = new SessionCalls();
  private final Set<VirtualCall> inFlight = new HashSet<>();
  private boolean dead;

  VirtualSession(VirtualTime time) {
    this.time = time;
  }

  @Override
  public Instant now() {
    return time.now();
  }

  @Override
  public long nanoTime() {
    return time.nanoTime();
  }

  @Override
  public Registration schedule(Duration delay, Runnable task) {
    return dead ? Registration.NONE : time.putAfter(delay, Order.TIMER, this, task);
  }

  @Override
  public void execute(Runnable task) {
    if (!dead) {
      time.putReady(this, task);
    }
  }

  /**
   * Blocking calls in virtual time. A call's body runs as a ready task, and its result is delivered
   * when the time that the body has {@linkplain VirtualTime#spend spent} is over.
   *
   * @return the single-threaded double of {@link Calls}
   */
  public Calls calls() {
    return calls;
  }

  /** Never delivers the results of calls in flight. What they did to the host stays. */
  public void dropCallsInFlight() {
    inFlight.forEach(VirtualCall::drop);
    inFlight.clear();
  }

  /** Forgets timers and tasks, deadlines of calls and calls not entered among them. */
  public void dropTimers() {
    time.forget(this);
  }

  /**
   * Ends the session: timers, tasks and results of calls in flight are dropped, and whatever is
   * scheduled through it from now on is ignored.
   */
  public void kill() {
    dead = true;
    dropTimers();
    dropCallsInFlight();
  }

  private final class SessionCalls implements Calls {
    @Override
    public <T> Call<T> submit(Duration deadline, Callable<T> body) {
      TypedVirtualCall<T> call = new TypedVirtualCall<>(deadline, body);
      if (!dead) {
        inFlight.add(call);
        time.putReady(VirtualSession.this, () -> call.enter(time, VirtualSession.this));
      }
      return new Call<>(call.inTime(), call.returned());
    }
  }

  void over(VirtualCall call) {
    inFlight.remove(call);
  }
}
