package io.vifplug;

/** Who goes first when many want to plug. */
public enum Priority {
  /** Somebody waits for it. */
  NORMAL,
  /** One of many after a host boot. */
  BULK
}
