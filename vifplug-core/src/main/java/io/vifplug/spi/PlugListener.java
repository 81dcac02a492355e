package io.vifplug.spi;

import io.vifplug.Outcome;
import io.vifplug.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Told what happens. Called on threads of its own, one call at a time and in order: a slow listener
 * delays other notifications of itself, never a guest. What it throws is logged.
 */
public interface PlugListener {
  /**
   * An operation was planned; rejected ones too.
   *
   * @param plan the plan
   */
  default void planned(Plan plan) {}

  /**
   * An attempt has entered a step.
   *
   * @param attempt the attempt's generation number
   * @param guest the guest
   * @param step the step
   */
  default void stepEntered(long attempt, UUID guest, Plan.Step step) {}

  /**
   * An awaited port was confirmed.
   *
   * @param attempt the attempt's generation number
   * @param guest the guest
   * @param port the port
   * @param at when
   */
  default void portConfirmed(long attempt, UUID guest, UUID port, Instant at) {}

  /**
   * A confirmed port went down again before resume and is awaited anew.
   *
   * @param attempt the attempt's generation number
   * @param guest the guest
   * @param port the port
   * @param at when
   */
  default void portReopened(long attempt, UUID guest, UUID port, Instant at) {}

  /**
   * An operation has ended.
   *
   * @param outcome how
   */
  default void ended(Outcome outcome) {}

  /**
   * A DEGRADED guest's last outstanding port has become ready. Nothing was touched.
   *
   * @param attempt the attempt's generation number
   * @param guest the guest
   * @param at when
   */
  default void becameReady(long attempt, UUID guest, Instant at) {}

  /**
   * A plugged event came after its attempt had ended. It changes nothing.
   *
   * @param attempt the attempt that it came too late for
   * @param guest the guest
   * @param port the port
   * @param lateness how long after the end
   */
  default void lateEvent(long attempt, UUID guest, UUID port, Duration lateness) {}

  /**
   * Clean-up that was not complete when the outcome was told has gone on and ended.
   *
   * @param attempt the attempt's generation number
   * @param guest the guest
   * @param leftovers what is still left; empty if all is clean
   */
  default void cleanupEnded(long attempt, UUID guest, List<String> leftovers) {}

  /**
   * Several operations in a row timed out and no event of any kind came: the event source is
   * silent.
   *
   * @param timeouts how many
   * @param calls how many calls the source has seen since its start
   */
  default void eventSourceSilent(int timeouts, long calls) {}

  /**
   * Several guests timed out together: the host or its network agent is stalled, not one guest.
   *
   * @param guests the guests
   * @param since when the first of them began to wait
   */
  default void hostStalled(List<UUID> guests, Instant since) {}
}
