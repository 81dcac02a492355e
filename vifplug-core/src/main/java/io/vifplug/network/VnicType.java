package io.vifplug.network;

import java.util.List;
import java.util.Objects;

/**
 * The kind of virtual NIC a port asks for ({@code binding:vnic_type}). An open value type: a wire
 * string that is not known is kept as it is.
 *
 * <p>Immutable. Source of the list: neutron-lib {@code portbindings.VNIC_TYPES}.
 *
 * @param wire the word used by Neutron and Nova, for example {@code direct-physical}
 */
public record VnicType(String wire) implements Comparable<VnicType> {
  /** A paravirtual NIC on a software or offloaded switch. */
  public static final VnicType NORMAL = new VnicType("normal");

  /** A virtual function passed through to the guest. */
  public static final VnicType DIRECT = new VnicType("direct");

  /** A virtual function that stays on the host, with a macvtap on it. */
  public static final VnicType MACVTAP = new VnicType("macvtap");

  /** A whole physical function passed through. */
  public static final VnicType DIRECT_PHYSICAL = new VnicType("direct-physical");

  /** A NIC of a bare-metal node. */
  public static final VnicType BAREMETAL = new VnicType("baremetal");

  /** virtio data path in front of a virtual function. */
  public static final VnicType VIRTIO_FORWARDER = new VnicType("virtio-forwarder");

  /** A NIC with a switch of its own, bare metal. */
  public static final VnicType SMART_NIC = new VnicType("smart-nic");

  /** vhost data path acceleration. */
  public static final VnicType VDPA = new VnicType("vdpa");

  /** A virtual function of an accelerator. */
  public static final VnicType ACCELERATOR_DIRECT = new VnicType("accelerator-direct");

  /** A whole accelerator passed through. */
  public static final VnicType ACCELERATOR_DIRECT_PHYSICAL =
      new VnicType("accelerator-direct-physical");

  /** A virtual function whose representor is wired on a DPU. */
  public static final VnicType REMOTE_MANAGED = new VnicType("remote-managed");

  /** The types Neutron knows, in its order. */
  public static final List<VnicType> KNOWN =
      List.of(
          NORMAL,
          DIRECT,
          MACVTAP,
          DIRECT_PHYSICAL,
          BAREMETAL,
          VIRTIO_FORWARDER,
          SMART_NIC,
          VDPA,
          ACCELERATOR_DIRECT,
          ACCELERATOR_DIRECT_PHYSICAL,
          REMOTE_MANAGED);

  /**
   * Keeps the wire string.
   *
   * @throws IllegalArgumentException if it is blank
   */
  public VnicType {
    Objects.requireNonNull(wire, "wire");
    if (wire.isBlank()) {
      throw new IllegalArgumentException("a vnic type is not blank");
    }
  }

  /**
   * The type with this wire string; missing or empty means {@link #NORMAL} (LP 1370077).
   *
   * @param wire the wire string
   * @return the type
   */
  public static VnicType of(String wire) {
    return wire.isBlank() ? NORMAL : new VnicType(wire);
  }

  /**
   * Whether Neutron knows this type.
   *
   * @return true if it is in {@link #KNOWN}
   */
  public boolean isKnown() {
    return KNOWN.contains(this);
  }

  /**
   * Whether a port of this type hands a host device (a virtual or physical function) to the guest.
   *
   * @return true for the passthrough types
   */
  public boolean needsHostDevice() {
    return equals(DIRECT)
        || equals(MACVTAP)
        || equals(DIRECT_PHYSICAL)
        || equals(VDPA)
        || equals(ACCELERATOR_DIRECT)
        || equals(ACCELERATOR_DIRECT_PHYSICAL)
        || equals(REMOTE_MANAGED);
  }

  @Override
  public int compareTo(VnicType other) {
    return wire.compareTo(other.wire);
  }

  @Override
  public String toString() {
    return wire;
  }
}
