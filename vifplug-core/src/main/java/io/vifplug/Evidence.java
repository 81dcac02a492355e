package io.vifplug;

/** Why a port counts as ready. A result carries the kinds that confirmed it together. */
public enum Evidence {
  /** The network back end said so. */
  EVENT,
  /** This host shows it, or a gate stood in for events that never come. */
  LOCAL,
  /** The port status reader said ACTIVE. */
  PULL
}
