package io.vifplug;

/** The limit of time that ended an operation. */
public enum Limit {
  /** The time for evidence. */
  EVENT,
  /** The time for gates. */
  GATE,
  /** The time for one plug call. */
  PLUG,
  /** The time for the create call. */
  CREATE,
  /** The time for the resume call. */
  RESUME,
  /** The caller's own deadline. */
  CALLER
}
