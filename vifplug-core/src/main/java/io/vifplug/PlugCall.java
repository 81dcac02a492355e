package io.vifplug;

import java.util.concurrent.CompletionStage;

/** An operation that was asked for. Thread-safe. */
public interface PlugCall {
  /**
   * How it ends. Completes exactly once, never exceptionally, on a thread of vifplug's own.
   *
   * @return the stage
   */
  CompletionStage<Outcome> outcome();

  /**
   * Waits for the end. Every operation ends by itself: all its waits are bounded.
   *
   * @return how it ended
   */
  Outcome join();

  /**
   * Asks for the end: CANCELLED(CALLER), after clean-up. Does nothing to an operation that has
   * ended. Returns at once.
   */
  void cancel();

  /**
   * Where it stands now. The outcome is in it as soon as anything says that the operation has
   * ended.
   *
   * @return a snapshot
   */
  Progress progress();
}
