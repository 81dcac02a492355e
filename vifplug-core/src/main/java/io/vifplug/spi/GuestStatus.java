package io.vifplug.spi;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a hypervisor says of a guest at one moment.
 *
 * @param state its state
 * @param pausedByUs whether it is paused and carries the mark that vifplug paused it
 * @param instance names this run of the guest (in libvirt the domain id); null if it does not run
 * @param defined whether a definition of it exists that outlives a stop
 * @param nameOwner another guest that uses the same name, or null
 */
public record GuestStatus(
    State state,
    boolean pausedByUs,
    @Nullable String instance,
    boolean defined,
    @Nullable UUID nameOwner) {

  /** States of a guest. */
  public enum State {
    /** The hypervisor does not know it. */
    ABSENT,
    /** Defined, not running. */
    SHUTOFF,
    /** Running. */
    RUNNING,
    /** Exists and is paused. */
    PAUSED,
    /** Its process has died or it has crashed, and it is still there. */
    CRASHED;

    /**
     * Whether there is something to destroy.
     *
     * @return true for running, paused and crashed guests
     */
    public boolean isActive() {
      return this == RUNNING || this == PAUSED || this == CRASHED;
    }
  }

  /** Checks for nulls. */
  public GuestStatus {
    Objects.requireNonNull(state, "state");
  }

  /** A guest the hypervisor does not know. */
  public static final GuestStatus ABSENT = new GuestStatus(State.ABSENT, false, null, false, null);
}
