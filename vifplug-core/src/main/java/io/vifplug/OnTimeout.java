package io.vifplug;

/** What to do when evidence does not come in time or a port fails. */
public enum OnTimeout {
  /** Destroy the guest and unplug: FAILED. */
  FAIL,
  /** Resume the guest all the same: DEGRADED, never READY. */
  RESUME
}
