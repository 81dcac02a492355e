package io.vifplug.engine;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.vifplug.event.EventSink;
import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.GuestDirectory.Place;
import io.vifplug.spi.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Events in, entries of watches out. Thread-safe; there is no lock across guests (LP 1330431), and
 * no watch outlives its attempt.
 *
 * <p>An ended attempt leaves a tombstone, so that a late event is known for what it is. An event
 * for a guest of ours that has neither is kept for a while, so that the next attempt can say what
 * came too early for it.
 */
final class WatchRegistry implements EventSink {
  private static final Duration TOMBSTONE_AGE = Duration.ofMinutes(10);
  private static final Duration ORPHAN_AGE = Duration.ofMinutes(1);
  private static final int KEPT_GUESTS = 1_000;
  private static final int KEPT_EVENTS = 32;

  private final Timing timing;
  private final Function<UUID, Place> places;
  private final Runnable onEvent;
  private final Map<UUID, Watch> watches = new ConcurrentHashMap<>();
  private final Cache<UUID, Consumer<NetworkEvent>> tombstones;
  private final Cache<UUID, List<NetworkEvent>> orphans;
  private volatile boolean closed;

  /**
   * Makes an empty registry.
   *
   * @param timing the clock
   * @param places where a guest is that has neither watch nor tombstone
   * @param onEvent told of each accepted event; returns at once
   */
  WatchRegistry(Timing timing, Function<UUID, Place> places, Runnable onEvent) {
    this.timing = timing;
    this.places = places;
    this.onEvent = onEvent;
    this.tombstones = kept(timing, TOMBSTONE_AGE);
    this.orphans = kept(timing, ORPHAN_AGE);
  }

  private static <V> Cache<UUID, V> kept(Timing timing, Duration age) {
    return CacheBuilder.newBuilder()
        .maximumSize(KEPT_GUESTS)
        .expireAfterWrite(age)
        .ticker(
            new Ticker() {
              @Override
              public long read() {
                return timing.nanoTime();
              }
            })
        .build();
  }

  @Override
  public List<Disposition> deliver(List<NetworkEvent> events) {
    List<Disposition> dispositions = new ArrayList<>(events.size());
    Set<Watch> touched = new LinkedHashSet<>();
    Instant at = timing.now();
    long nanos = timing.nanoTime();
    for (NetworkEvent event : events) {
      dispositions.add(file(event, at, nanos, touched));
    }
    // Only now may anything react: one body is filed whole.
    touched.forEach(Watch::wake);
    return dispositions;
  }

  private Disposition file(NetworkEvent event, Instant at, long nanos, Set<Watch> touched) {
    if (closed) {
      return Disposition.CLOSED;
    }
    Watch watch = watches.get(event.guest());
    if (watch != null && watch.file(new WatchEntry.Received(event, at, nanos))) {
      touched.add(watch);
      onEvent.run();
      return Disposition.ACCEPTED;
    }
    Consumer<NetworkEvent> tombstone = tombstones.getIfPresent(event.guest());
    if (tombstone != null) {
      tombstone.accept(event);
      onEvent.run();
      return Disposition.ACCEPTED;
    }
    return switch (places.apply(event.guest())) {
      case HERE -> {
        keepOrphan(event);
        onEvent.run();
        yield Disposition.ACCEPTED;
      }
      case ELSEWHERE -> Disposition.ELSEWHERE;
      case UNKNOWN -> Disposition.UNKNOWN;
    };
  }

  private void keepOrphan(NetworkEvent event) {
    orphans
        .asMap()
        .merge(
            event.guest(),
            List.of(event),
            (kept, added) -> {
              List<NetworkEvent> all = new ArrayList<>(kept);
              all.addAll(added);
              return List.copyOf(all.subList(Math.max(0, all.size() - KEPT_EVENTS), all.size()));
            });
  }

  /** Opens a watch; returns the events of the guest that came before anybody listened. */
  List<NetworkEvent> open(Watch watch) {
    Watch before = watches.put(watch.guest(), watch);
    if (before != null) {
      before.close();
    }
    tombstones.invalidate(watch.guest());
    List<NetworkEvent> early = orphans.asMap().remove(watch.guest());
    return early == null ? List.of() : early;
  }

  /**
   * Closes a watch.
   *
   * @param watch the watch
   * @param tombstone told of the guest's events from now on, or null to leave none
   */
  void close(Watch watch, @Nullable Consumer<NetworkEvent> tombstone) {
    if (tombstone != null) {
      tombstones.put(watch.guest(), tombstone);
    }
    watches.remove(watch.guest(), watch);
    watch.close();
  }

  int size() {
    return watches.size();
  }

  void shut(boolean value) {
    closed = value;
  }
}
