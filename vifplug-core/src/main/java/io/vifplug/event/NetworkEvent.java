package io.vifplug.event;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event of the network back end. It carries no host, no sequence number and no time stamp.
 *
 * <p>Immutable.
 *
 * @param name its name
 * @param guest the guest it is about ({@code server_uuid})
 * @param port the port it is about, or null if its tag is missing or no UUID: such an event matches
 *     no port
 * @param status what it says
 */
public record NetworkEvent(EventName name, UUID guest, @Nullable UUID port, EventStatus status) {
  /** Checks for nulls. */
  public NetworkEvent {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(guest, "guest");
    Objects.requireNonNull(status, "status");
  }

  /**
   * A completed event.
   *
   * @param name its name
   * @param guest the guest
   * @param port the port
   * @return the event
   */
  public static NetworkEvent completed(EventName name, UUID guest, UUID port) {
    return new NetworkEvent(name, guest, port, EventStatus.COMPLETED);
  }

  /**
   * A completed {@code network-vif-plugged}.
   *
   * @param guest the guest
   * @param port the port
   * @return the event
   */
  public static NetworkEvent plugged(UUID guest, UUID port) {
    return completed(EventName.VIF_PLUGGED, guest, port);
  }

  /**
   * A completed {@code network-vif-unplugged}.
   *
   * @param guest the guest
   * @param port the port
   * @return the event
   */
  public static NetworkEvent unplugged(UUID guest, UUID port) {
    return completed(EventName.VIF_UNPLUGGED, guest, port);
  }
}
