package io.vifplug.spi;

import java.time.Duration;
import java.time.Instant;

/**
 * The only clock and the only timer of the engine. Thread-safe.
 *
 * <p>Elapsed times come from {@link #nanoTime} alone, so a jump of the wall clock changes nothing.
 */
public interface Timing {
  /**
   * The wall clock, for what people read.
   *
   * @return now
   */
  Instant now();

  /**
   * The monotonic clock, in nanoseconds from an arbitrary origin.
   *
   * @return nanoseconds
   */
  long nanoTime();

  /**
   * Runs a task once, not before the delay is over. The task must be short.
   *
   * @param delay zero or more
   * @param task what to run
   * @return cancels the task if it has not run
   */
  Registration schedule(Duration delay, Runnable task);
}
