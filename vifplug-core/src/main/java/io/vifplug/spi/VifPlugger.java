package io.vifplug.spi;

import io.vifplug.Guest;
import io.vifplug.network.Vif;

/**
 * Wires vifs on the host. Calls may block; the engine makes them on its own call threads, one at a
 * time per guest and many guests at once, so implementations are thread-safe.
 */
public interface VifPlugger {
  /** When a vif of a kind can be plugged. */
  enum Moment {
    /** Before the guest exists: the normal case. */
    BEFORE_CREATE,
    /** Only once the guest exists, paused or not. */
    AFTER_CREATE,
    /** Only once the guest runs: such a port cannot be waited for. */
    AFTER_START
  }

  /**
   * Whether this plugger plugs vifs of this kind. Pure: no I/O.
   *
   * @param vif the vif
   * @return true if it does
   */
  boolean supports(Vif vif);

  /**
   * When a vif of this kind can be plugged. Pure: no I/O.
   *
   * @param vif a supported vif
   * @return the moment
   */
  default Moment moment(Vif vif) {
    return Moment.BEFORE_CREATE;
  }

  /**
   * Plugs a vif and proves it by reading back. All or nothing: a call that threw has changed
   * nothing. Plugging a healthy port of the same owner again changes nothing.
   *
   * @param guest the guest
   * @param vif the vif
   * @throws HostException if it is not plugged
   */
  void plug(Guest guest, Vif vif) throws HostException;

  /**
   * Unplugs a vif. A vif that is not plugged is success.
   *
   * @param guest the guest
   * @param vif the vif, as it was when it was plugged
   * @throws HostException if it may still be plugged
   */
  void unplug(Guest guest, Vif vif) throws HostException;
}
