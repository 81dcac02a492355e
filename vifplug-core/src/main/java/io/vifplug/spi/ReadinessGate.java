package io.vifplug.spi;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A condition besides events: a DHCP reservation, a bound virtual function. Thread-safe; {@link
 * #check} may block and is polled.
 */
public interface ReadinessGate {
  /**
   * Its name in outcomes.
   *
   * @return the name
   */
  String name();

  /**
   * When it must be open.
   *
   * @return the phase
   */
  Phase phase();

  /**
   * The port it is about.
   *
   * @return the port's id, or null for the whole guest
   */
  @Nullable UUID port();

  /**
   * Looks whether it is open now. Nothing is remembered between calls.
   *
   * @return the reading
   * @throws HostException if it cannot be looked at: counts as closed
   */
  Reading check() throws HostException;

  /** When a gate must be open. */
  enum Phase {
    /** Before the first plug. */
    PLUG,
    /** Before resume, and again right before it. */
    RESUME,
    /** Both. */
    BOTH;

    /**
     * Whether it is checked before plugging.
     *
     * @return true for PLUG and BOTH
     */
    public boolean beforePlug() {
      return this != RESUME;
    }

    /**
     * Whether it is checked before resuming.
     *
     * @return true for RESUME and BOTH
     */
    public boolean beforeResume() {
      return this != PLUG;
    }
  }

  /**
   * What a gate shows.
   *
   * @param open whether it is open
   * @param expected what was expected
   * @param observed what was found
   */
  record Reading(boolean open, String expected, String observed) {
    /** Checks for nulls. */
    public Reading {
      Objects.requireNonNull(expected, "expected");
      Objects.requireNonNull(observed, "observed");
    }
  }
}
