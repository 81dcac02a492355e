package io.vifplug.spi;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/**
 * The one way in which a blocking call (hypervisor, plugger, reader, hook) leaves the engine.
 * Thread-safe.
 */
public interface Calls {
  /**
   * Runs a blocking call elsewhere. The deadline counts from the entry of the call, not from its
   * submission. A call that overruns is not interrupted: its outcome is unknown until it returns.
   *
   * @param deadline how long the call may take
   * @param body the call
   * @param <T> what it returns
   * @return the two stages of the call
   */
  <T> Call<T> submit(Duration deadline, Callable<T> body);

  /**
   * A submitted call.
   *
   * @param inTime completes when the call returns or throws; exceptionally with {@link
   *     TimeoutException} when the deadline passes first
   * @param returned completes when the call has really returned or thrown, in time or not
   * @param <T> what the call returns
   */
  record Call<T>(CompletionStage<T> inTime, CompletionStage<T> returned) {}
}
