package io.vifplug;

/** Where a port stood when its operation ended. */
public enum PortState {
  /** It was awaited and there is evidence. */
  CONFIRMED,
  /** It was up already. */
  ALREADY_UP,
  /** It is administratively down: plugged, not awaited. */
  ADMIN_DOWN,
  /** Nothing was to be expected. */
  NOT_EXPECTED,
  /** The network back end said that it failed, or it could not be plugged. */
  FAILED,
  /** It was awaited and there is no evidence. */
  OUTSTANDING,
  /** It was awaited when the operation ended for another cause. */
  CANCELLED
}
