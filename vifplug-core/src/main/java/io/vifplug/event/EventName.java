package io.vifplug.event;

import java.util.List;

/**
 * The name of an external event. An open value type.
 *
 * @param wire the word on the wire, for example {@code network-vif-plugged}
 */
public record EventName(String wire) {
  /** A port has been wired, or bound, or failed: see the event's status and the backend matrix. */
  public static final EventName VIF_PLUGGED = new EventName("network-vif-plugged");

  /** A port that was up has gone down. */
  public static final EventName VIF_UNPLUGGED = new EventName("network-vif-unplugged");

  /** A port has been deleted. */
  public static final EventName VIF_DELETED = new EventName("network-vif-deleted");

  /** Something about a port has changed. Never evidence. */
  public static final EventName NETWORK_CHANGED = new EventName("network-changed");

  /** The network events Neutron sends. */
  public static final List<EventName> NETWORK =
      List.of(VIF_PLUGGED, VIF_UNPLUGGED, VIF_DELETED, NETWORK_CHANGED);

  @Override
  public String toString() {
    return wire;
  }
}
