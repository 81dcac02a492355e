package io.vifplug.spi;

import io.vifplug.network.Vif;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Proof on this host that a port is wired: an OVSDB row, a link state. Thread-safe. Reads may block
 * and are made on call threads.
 */
public interface LocalEvidence {
  /**
   * Reads what this host shows of a port now.
   *
   * @param vif the vif
   * @return the reading
   * @throws HostException if it cannot be read; the engine reads again later
   */
  Reading read(Vif vif) throws HostException;

  /**
   * Whether this source can say anything of ports of this kind. Pure: no I/O.
   *
   * @param vif the vif
   * @return true unless overridden
   */
  default boolean covers(Vif vif) {
    return true;
  }

  /**
   * Tells that something about a port may have changed, so that it is read again at once. A source
   * that cannot tell never calls; the engine then polls.
   *
   * @param listener told the port's id, on any thread; returns at once
   * @return stops it
   */
  default Registration onChange(Consumer<UUID> listener) {
    return Registration.NONE;
  }

  /**
   * One reading.
   *
   * @param state what is shown
   * @param revision changes whenever the thing behind the reading was made anew or its state
   *     changed, so that a reading from before a plug is told from one after it
   */
  record Reading(State state, String revision) {
    /** Checks for nulls. */
    public Reading {
      Objects.requireNonNull(state, "state");
      Objects.requireNonNull(revision, "revision");
    }
  }

  /** What a reading shows. */
  enum State {
    /** The port is wired. */
    READY,
    /** The device is there, the port is not wired. */
    NOT_READY,
    /** The device is not there. */
    GONE
  }
}
