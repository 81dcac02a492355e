package io.vifplug.spi;

import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Asks the network back end for port statuses. Thread-safe; may block. Only ever asked for ports of
 * one guest at a time.
 */
public interface PortStatusReader {
  /** The status of a port that is up. */
  String ACTIVE = "ACTIVE";

  /**
   * Reads statuses.
   *
   * @param guest the guest
   * @param ports its ports
   * @return the status words (ACTIVE, DOWN, BUILD, ERROR or others); ports the back end does not
   *     know are missing
   * @throws HostException if the back end cannot be asked; the engine asks again later
   */
  Map<UUID, String> read(UUID guest, Set<UUID> ports) throws HostException;
}
