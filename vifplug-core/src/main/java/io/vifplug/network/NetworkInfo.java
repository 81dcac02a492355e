package io.vifplug.network;

import java.util.List;

/**
 * The vifs of one guest, in the order they are plugged.
 *
 * <p>Immutable.
 *
 * @param vifs the vifs in order
 */
public record NetworkInfo(List<Vif> vifs) {
  /** Copies the list. */
  public NetworkInfo {
    vifs = List.copyOf(vifs);
  }

  /**
   * The vifs given, in order.
   *
   * @param vifs the vifs
   * @return the network info
   */
  public static NetworkInfo of(Vif... vifs) {
    return new NetworkInfo(List.of(vifs));
  }

  /**
   * Reads Nova's {@code network_info}: an array of vif objects, or one of them. Unknown keys are
   * ignored; a missing or empty {@code vnic_type} is {@code normal}, a missing {@code active} is
   * up.
   *
   * @param json the JSON text
   * @return the vifs
   * @throws InvalidNetworkInfoException if it cannot be read; names the JSON pointer
   */
  public static NetworkInfo fromNova(String json) {
    return NetworkInfoReader.nova(json);
  }

  /**
   * Reads Neutron ports: {@code {"ports": […]}}, {@code {"port": {…}}}, an array of ports or one
   * port. {@code status} ACTIVE makes a vif active.
   *
   * @param json the JSON text
   * @return the vifs
   * @throws InvalidNetworkInfoException if it cannot be read; names the JSON pointer
   */
  public static NetworkInfo fromNeutron(String json) {
    return NetworkInfoReader.neutron(json);
  }
}
