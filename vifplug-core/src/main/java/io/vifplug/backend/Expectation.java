package io.vifplug.backend;

/** What an operation expects of a port. */
public enum Expectation {
  /** An event after plug of that port was entered. */
  AWAIT_PLUG_TIME,
  /** An event after the watch was opened. */
  AWAIT_BIND_TIME,
  /** Nothing: it is up already. */
  ALREADY_UP,
  /** Nothing: it is administratively down. */
  ADMIN_DOWN,
  /** Nothing: nothing is announced here. */
  NOT_EXPECTED,
  /** Local evidence, or gates that stand in for events. */
  LOCAL;

  /**
   * Whether the guest waits for this port.
   *
   * @return true for the two AWAIT kinds and LOCAL
   */
  public boolean isAwaited() {
    return this == AWAIT_PLUG_TIME || this == AWAIT_BIND_TIME || this == LOCAL;
  }
}
