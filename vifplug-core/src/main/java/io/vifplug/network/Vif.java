package io.vifplug.network;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One virtual interface of a guest, as Nova or Neutron describes it. The port id is its identity:
 * never the MAC, never the device name.
 *
 * <p>Immutable; equality is by value.
 *
 * @param port the id of the Neutron port
 * @param type how it is connected on the host
 * @param vnicType the kind of NIC
 * @param mac the guest's MAC address as given; empty if none was given
 * @param networkId the id of its network; empty if none was given
 * @param bridge the bridge it belongs in, or null if the description names none
 * @param deviceName the name of the host device, for example {@code tap01234567-89}
 * @param active whether the back end said the port is up when the description was made; a missing
 *     flag counts as up, as in Nova
 * @param adminUp the port's administrative state
 * @param details the binding details: strings, booleans, numbers, lists and maps, read-only
 * @param profile the binding profile, of the same kinds
 */
public record Vif(
    UUID port,
    VifType type,
    VnicType vnicType,
    String mac,
    String networkId,
    @Nullable String bridge,
    String deviceName,
    boolean active,
    boolean adminUp,
    Map<String, Object> details,
    Map<String, Object> profile) {

  /** Copies the maps. */
  public Vif {
    Objects.requireNonNull(port, "port");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(vnicType, "vnicType");
    Objects.requireNonNull(mac, "mac");
    Objects.requireNonNull(networkId, "networkId");
    Objects.requireNonNull(deviceName, "deviceName");
    details = freeze(details);
    profile = freeze(profile);
  }

  /**
   * Starts the description of an inactive {@code normal} vif of type {@code ovs}.
   *
   * @param port the port's id
   * @return a builder
   */
  public static Builder builder(UUID port) {
    return new Builder(port);
  }

  /**
   * The device name Nova gives a port: {@code tap} and the first 11 characters of the id.
   *
   * @param port the port's id
   * @return the name
   */
  public static String defaultDeviceName(UUID port) {
    return "tap" + port.toString().substring(0, 11);
  }

  /**
   * The mechanism driver that bound the port: of {@code details.bound_drivers} the entry of the
   * highest level (hierarchical binding; Neutron 20.0.0, LP 1821058).
   *
   * @return the driver's name, or null if the description names none
   */
  public @Nullable String boundDriver() {
    if (!(details.get("bound_drivers") instanceof Map<?, ?> levels)) {
      return null;
    }
    String driver = null;
    int highest = Integer.MIN_VALUE;
    for (Map.Entry<?, ?> level : levels.entrySet()) {
      int number = levelOf(String.valueOf(level.getKey()));
      if (number >= highest && level.getValue() instanceof String name && !name.isBlank()) {
        highest = number;
        driver = name;
      }
    }
    return driver;
  }

  private static int levelOf(String key) {
    try {
      return Integer.parseInt(key);
    } catch (NumberFormatException notANumber) {
      return -1;
    }
  }

  /**
   * Whether the port is connected through a Linux bridge of its own ({@code
   * details.ovs_hybrid_plug}).
   *
   * @return true if so
   */
  public boolean hybridPlug() {
    return Boolean.TRUE.equals(details.get("ovs_hybrid_plug"));
  }

  /**
   * Whether the plug step makes the tap ({@code details.ovs_create_tap}, LP 2069718), so that the
   * back end can wire the port before the guest exists.
   *
   * @return true if so
   */
  public boolean createsTap() {
    return Boolean.TRUE.equals(details.get("ovs_create_tap"));
  }

  /**
   * The PCI address of the host device in the binding profile.
   *
   * @return {@code profile.pci_slot}, or null if there is none
   */
  public @Nullable String pciAddress() {
    return profile.get("pci_slot") instanceof String slot && !slot.isBlank() ? slot : null;
  }

  /**
   * This vif with another {@code active} flag.
   *
   * @param value the flag
   * @return a copy
   */
  public Vif withActive(boolean value) {
    return new Vif(
        port, type, vnicType, mac, networkId, bridge, deviceName, value, adminUp, details, profile);
  }

  private static Map<String, Object> freeze(Map<String, Object> map) {
    Map<String, Object> copy = new LinkedHashMap<>();
    map.forEach((key, value) -> copy.put(key, freezeValue(value)));
    return Collections.unmodifiableMap(copy);
  }

  private static Object freezeValue(Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> copy = new LinkedHashMap<>();
      map.forEach((key, inner) -> copy.put(String.valueOf(key), freezeValue(inner)));
      return Collections.unmodifiableMap(copy);
    }
    if (value instanceof List<?> list) {
      List<Object> copy = new ArrayList<>();
      list.forEach(inner -> copy.add(freezeValue(inner)));
      return Collections.unmodifiableList(copy);
    }
    return value;
  }

  /** Builds a {@link Vif} by hand, for tests and callers without Nova's JSON. Not thread-safe. */
  public static final class Builder {
    private final UUID port;
    private VifType type = VifType.OVS;
    private VnicType vnicType = VnicType.NORMAL;
    private String mac;
    private String networkId = "";
    private @Nullable String bridge;
    private String deviceName;
    private boolean active;
    private boolean adminUp = true;
    private final Map<String, Object> details = new LinkedHashMap<>();
    private final Map<String, Object> profile = new LinkedHashMap<>();

    private Builder(UUID port) {
      this.port = port;
      this.deviceName = defaultDeviceName(port);
      long both = port.getMostSignificantBits() * 31 + port.getLeastSignificantBits();
      long bits = (both * 0x9E3779B97F4A7C15L) >>> 40;
      this.mac =
          "fa:16:3e:%02x:%02x:%02x"
              .formatted((bits >>> 16) & 0xff, (bits >>> 8) & 0xff, bits & 0xff);
    }

    /**
     * Sets the vif type.
     *
     * @param value the type
     * @return this
     */
    public Builder type(VifType value) {
      type = value;
      return this;
    }

    /**
     * Sets the vnic type.
     *
     * @param value the type
     * @return this
     */
    public Builder vnicType(VnicType value) {
      vnicType = value;
      return this;
    }

    /**
     * Sets the MAC address.
     *
     * @param value the address
     * @return this
     */
    public Builder mac(String value) {
      mac = value;
      return this;
    }

    /**
     * Sets the network's id.
     *
     * @param value the id
     * @return this
     */
    public Builder network(String value) {
      networkId = value;
      return this;
    }

    /**
     * Sets the bridge.
     *
     * @param value its name
     * @return this
     */
    public Builder bridge(String value) {
      bridge = value;
      return this;
    }

    /**
     * Sets the device's name.
     *
     * @param value the name
     * @return this
     */
    public Builder deviceName(String value) {
      deviceName = value;
      return this;
    }

    /**
     * Says that the back end reports the port up.
     *
     * @return this
     */
    public Builder active() {
      active = true;
      return this;
    }

    /**
     * Says that the port is administratively down.
     *
     * @return this
     */
    public Builder adminDown() {
      adminUp = false;
      return this;
    }

    /**
     * Names the mechanism driver that bound the port.
     *
     * @param driver for example {@code openvswitch}
     * @return this
     */
    public Builder driver(String driver) {
      details.put("bound_drivers", Map.of("0", driver));
      return this;
    }

    /**
     * Adds a binding detail.
     *
     * @param key its name
     * @param value a string, boolean, number, list or map
     * @return this
     */
    public Builder detail(String key, Object value) {
      details.put(key, value);
      return this;
    }

    /**
     * Adds an entry of the binding profile.
     *
     * @param key its name
     * @param value a string, boolean, number, list or map
     * @return this
     */
    public Builder profile(String key, Object value) {
      profile.put(key, value);
      return this;
    }

    /**
     * Makes the vif.
     *
     * @return the vif
     */
    public Vif build() {
      return new Vif(
          port,
          type,
          vnicType,
          mac,
          networkId,
          bridge,
          deviceName,
          active,
          adminUp,
          details,
          profile);
    }
  }
}
