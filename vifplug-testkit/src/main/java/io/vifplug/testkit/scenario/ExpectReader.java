package io.vifplug.testkit.scenario;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks that what a scenario expects can be compared at all. */
final class ExpectReader {
  private ExpectReader() {}

  @SuppressWarnings("unchecked")
  static @Nullable Map<String, Object> read(@Nullable Place expect) {
    if (expect == null) {
      return null;
    }
    check(expect.object());
    return (Map<String, Object>) Json.plain(expect.node());
  }

  private static void check(Place place) {
    if (place.node().isArray()) {
      place.items().forEach(ExpectReader::check);
    } else if (place.isObject()) {
      Map<String, Place> entries = place.entries();
      checkComparison(entries);
      entries.values().forEach(ExpectReader::check);
    }
  }

  private static void checkComparison(Map<String, Place> entries) {
    Set<String> keys = new HashSet<>(entries.keySet());
    if (keys.isEmpty()) {
      return;
    }
    if (ExpectMatcher.BOUNDS.containsAll(keys)) {
      entries.values().forEach(ExpectReader::bound);
    } else if (keys.equals(Set.of(ExpectMatcher.CONTAINS))) {
      entries.values().forEach(Place::text);
    } else if (keys.equals(Set.of(ExpectMatcher.IN_ORDER))) {
      entries.values().forEach(Place::items);
    }
  }

  private static Object bound(Place bound) {
    if (bound.node().isNumber()) {
      return new BigDecimal(bound.node().asText());
    }
    Duration duration = bound.duration();
    return duration;
  }
}
