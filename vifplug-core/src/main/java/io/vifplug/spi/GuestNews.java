package io.vifplug.spi;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something a hypervisor tells of its own accord.
 *
 * @param guest the guest
 * @param change what happened
 * @param instance the run of the guest it happened to, as {@link Hypervisor#createPaused} named it;
 *     null if the hypervisor cannot tell
 */
public record GuestNews(UUID guest, Change change, @Nullable String instance) {
  /** Kinds of news. */
  public enum Change {
    /** It has stopped or disappeared. */
    GONE,
    /** It has crashed. */
    CRASHED,
    /** It has been paused. */
    PAUSED,
    /** It has been resumed. */
    RUNNING
  }

  /** Checks for nulls. */
  public GuestNews {
    Objects.requireNonNull(guest, "guest");
    Objects.requireNonNull(change, "change");
  }
}
