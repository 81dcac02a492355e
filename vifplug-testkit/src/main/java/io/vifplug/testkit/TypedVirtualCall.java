package io.vifplug.testkit;

import io.vifplug.testkit.VirtualTime.Order;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A {@link VirtualCall} with its result. */
final class TypedVirtualCall<T> extends VirtualCall {
  private final Duration deadline;
  private final Callable<T> body;
  private final CompletableFuture<T> inTime = new CompletableFuture<>();
  private final CompletableFuture<T> returned = new CompletableFuture<>();

  TypedVirtualCall(Duration deadline, Callable<T> body) {
    this.deadline = deadline;
    this.body = body;
  }

  CompletableFuture<T> inTime() {
    return inTime;
  }

  CompletableFuture<T> returned() {
    return returned;
  }

  @SuppressWarnings("NullAway") // a body may return null, as a Callable<Void> does
  void enter(VirtualTime time, VirtualSession session) {
    T value = null;
    Throwable thrown = null;
    VirtualCall outer = time.current;
    time.current = this;
    try {
      value = body.call();
    } catch (Throwable any) {
      thrown = any;
    } finally {
      time.current = outer;
    }
    boolean late = hangs() || spent().compareTo(deadline) > 0;
    if (late) {
      var unused = time.putAfter(deadline, Order.TIMER, session, this::timeOut);
    }
    if (!hangs()) {
      T result = value;
      Throwable failure = thrown;
      // Not owned by the session: the host ends the call whether or not its caller still lives.
      var unused =
          time.after(
              spent(),
              Order.CALL_RETURN,
              () -> {
                session.over(this);
                runReturnTasks();
                deliver(result, failure);
              });
    }
  }

  private void timeOut() {
    if (!isDropped()) {
      inTime.completeExceptionally(
          new TimeoutException("the call has not returned within " + deadline));
    }
  }

  @SuppressWarnings("NullAway")
  private void deliver(T value, @Nullable Throwable thrown) {
    if (isDropped()) {
      return;
    }
    if (thrown == null) {
      inTime.complete(value);
      returned.complete(value);
    } else {
      inTime.completeExceptionally(thrown);
      returned.completeExceptionally(thrown);
    }
  }
}
