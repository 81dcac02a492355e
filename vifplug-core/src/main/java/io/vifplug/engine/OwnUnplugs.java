package io.vifplug.engine;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.vifplug.spi.Timing;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which ports this library unplugged last, whatever an {@code active} flag says of them since.
 * Thread-safe and bounded.
 */
final class OwnUnplugs {
  private static final int KEPT_PORTS = 100_000;

  private final Timing timing;
  private final Cache<UUID, Entry> ports =
      CacheBuilder.newBuilder().maximumSize(KEPT_PORTS).build();

  /**
   * One unplug.
   *
   * @param nanos when it returned
   * @param acknowledged whether the back end has said that it saw it
   */
  record Entry(long nanos, boolean acknowledged) {}

  OwnUnplugs(Timing timing) {
    this.timing = timing;
  }

  void unplugged(UUID port, boolean acknowledged) {
    ports.put(port, new Entry(timing.nanoTime(), acknowledged));
  }

  void acknowledged(UUID port) {
    ports.asMap().computeIfPresent(port, (id, entry) -> new Entry(entry.nanos(), true));
  }

  void plugged(UUID port) {
    ports.invalidate(port);
  }

  @Nullable Entry find(UUID port) {
    return ports.getIfPresent(port);
  }

  /** Whether we unplugged it so lately that its late event may still be on the way. */
  boolean isRecent(Entry entry, Duration age) {
    return timing.nanoTime() - entry.nanos() < age.toNanos();
  }
}
