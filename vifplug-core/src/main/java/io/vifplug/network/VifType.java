package io.vifplug.network;

import java.util.Objects;

/**
 * How a bound port is connected on the host ({@code binding:vif_type}). An open value type. It says
 * how to plug, never who announces it: OpenDaylight and ml2/ovs are both {@code ovs} (LP 1755890).
 *
 * <p>Immutable.
 *
 * @param wire the word used by Neutron and Nova; may be empty when a vif carries none
 */
public record VifType(String wire) {
  /** An Open vSwitch port. */
  public static final VifType OVS = new VifType("ovs");

  /** A tap in a Linux bridge. */
  public static final VifType BRIDGE = new VifType("bridge");

  /** A bare tap. */
  public static final VifType TAP = new VifType("tap");

  /** A vhost-user socket. */
  public static final VifType VHOSTUSER = new VifType("vhostuser");

  /** A virtual function on an embedded bridge. */
  public static final VifType HW_VEB = new VifType("hw_veb");

  /** A whole physical function. */
  public static final VifType HOSTDEV_PHYSICAL = new VifType("hostdev_physical");

  /** A macvtap on a host device. */
  public static final VifType MACVTAP = new VifType("macvtap");

  /** The network back end could not bind the port. */
  public static final VifType BINDING_FAILED = new VifType("binding_failed");

  /** The port is bound to no host. */
  public static final VifType UNBOUND = new VifType("unbound");

  /** No type at all. */
  public static final VifType NONE = new VifType("");

  /** Keeps the wire string. */
  public VifType {
    Objects.requireNonNull(wire, "wire");
  }

  @Override
  public String toString() {
    return wire.isEmpty() ? "(none)" : wire;
  }
}
