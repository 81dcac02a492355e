package io.vifplug.backend;

/** When a back end announces a port with {@code network-vif-plugged}. */
public enum Announcement {
  /** When it has wired the plugged port. */
  PLUG_TIME,
  /** When the port is bound, whatever is plugged. */
  BIND_TIME,
  /** Never, or not reliably. */
  NONE
}
