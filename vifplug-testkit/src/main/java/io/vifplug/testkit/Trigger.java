package io.vifplug.testkit;

import io.vifplug.testkit.Timeline.Phase;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which calls on the host a {@link StepListener} is told of.
 *
 * @param step the step word, for example {@code plug}
 * @param phase where the call stands
 * @param guest only calls on this guest, or null for all
 * @param port only calls on this port, or null for all
 * @param nth only the n-th such call, counted from 1 among those that match; 0 for every one
 */
public record Trigger(
    String step, Phase phase, @Nullable UUID guest, @Nullable UUID port, int nth) {
  /** Checks the values. */
  public Trigger {
    Objects.requireNonNull(step, "step");
    Objects.requireNonNull(phase, "phase");
    if (nth < 0) {
      throw new IllegalArgumentException("nth is 1 or more, or 0 for every time: " + nth);
    }
  }

  /**
   * Reads a trigger, for example {@code plug.enter} or {@code createPaused.exit}.
   *
   * @param text step word, a dot, and {@code enter}, {@code exit} or {@code fail}
   * @return the trigger, for every guest, port and time
   * @throws IllegalArgumentException if the text is none
   */
  public static Trigger of(String text) {
    int dot = text.lastIndexOf('.');
    if (dot > 0) {
      for (Phase phase : Phase.values()) {
        if (phase.word().equals(text.substring(dot + 1).toLowerCase(Locale.ROOT))) {
          return new Trigger(text.substring(0, dot), phase, null, null, 0);
        }
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no trigger; expected <step>.enter, <step>.exit or <step>.fail");
  }

  /**
   * The same trigger for one guest.
   *
   * @param value the guest's id
   * @return a changed copy
   */
  public Trigger withGuest(UUID value) {
    return new Trigger(step, phase, value, port, nth);
  }

  /**
   * The same trigger for one port.
   *
   * @param value the port's id
   * @return a changed copy
   */
  public Trigger withPort(UUID value) {
    return new Trigger(step, phase, guest, value, nth);
  }

  /**
   * The same trigger for the n-th time only.
   *
   * @param value 1 or more
   * @return a changed copy
   */
  public Trigger withNth(int value) {
    return new Trigger(step, phase, guest, port, value);
  }

  boolean matches(String aStep, Phase aPhase, UUID aGuest, @Nullable UUID aPort) {
    return step.equals(aStep)
        && phase == aPhase
        && (guest == null || guest.equals(aGuest))
        && (port == null || port.equals(aPort));
  }
}
