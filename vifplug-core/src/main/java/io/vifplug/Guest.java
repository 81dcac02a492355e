package io.vifplug;

import io.vifplug.spi.Hypervisor;
import java.util.Objects;
import java.util.UUID;

/**
 * One virtual machine (Nova: instance; libvirt: domain), keyed by its id.
 *
 * <p>Immutable.
 *
 * @param id its UUID
 * @param name its name on the hypervisor, unique on the host
 * @param definition what the hypervisor needs to create it, without its vifs: for libvirt the
 *     domain XML; empty where nothing is needed
 */
public record Guest(UUID id, String name, String definition) {
  /** Checks for nulls and a blank name. */
  public Guest {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(definition, "definition");
    if (name.isBlank()) {
      throw new IllegalArgumentException("guest " + id + " has a blank name");
    }
  }

  /**
   * A guest with the default name and no definition.
   *
   * @param id its UUID
   * @return the guest
   */
  public static Guest of(UUID id) {
    return new Guest(id, Hypervisor.defaultName(id), "");
  }

  @Override
  public String toString() {
    return name + " (" + id + ")";
  }
}
