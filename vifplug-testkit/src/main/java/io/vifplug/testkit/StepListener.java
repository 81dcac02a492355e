package io.vifplug.testkit;

import io.vifplug.testkit.Timeline.Phase;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Told of a call on the host. Runs on the thread of the call. */
@FunctionalInterface
public interface StepListener {
  /**
   * A call stands where the trigger waits for it.
   *
   * @param step the call
   */
  void onStep(Step step);

  /**
   * A call on the host.
   *
   * @param step the step word
   * @param phase where it stands
   * @param guest the guest
   * @param port the port, or null
   * @param nth the how-manieth call that matched this listener's trigger, from 1
   */
  record Step(String step, Phase phase, UUID guest, @Nullable UUID port, int nth) {}
}
