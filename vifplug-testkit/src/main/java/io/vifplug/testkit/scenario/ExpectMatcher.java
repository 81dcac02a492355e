package io.vifplug.testkit.scenario;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares a result with the part of it that a scenario expects. Works on maps, lists, strings,
 * numbers, booleans and nulls.
 *
 * <p>Of an object every expected key must be there and match; an array must match in order and
 * whole, its elements again as parts. Numbers and durations are equal by value. Besides a plain
 * value there may stand {@code {"atLeast": …, "atMost": …}} (inclusive) for numbers and durations,
 * {@code {"contains": …}} for strings and {@code {"inOrder": […]}} for a subsequence of an array.
 */
public final class ExpectMatcher {
  static final Set<String> BOUNDS = Set.of("atLeast", "atMost");
  static final String CONTAINS = "contains";
  static final String IN_ORDER = "inOrder";

  private final List<String> mismatches = new ArrayList<>();

  private ExpectMatcher() {}

  /**
   * Compares.
   *
   * @param expected what must be there
   * @param actual the result
   * @return one line per difference with its path, what was expected and what was found; empty if
   *     all is as expected
   */
  public static List<String> mismatches(@Nullable Object expected, @Nullable Object actual) {
    ExpectMatcher matcher = new ExpectMatcher();
    matcher.match("$", expected, actual);
    return List.copyOf(matcher.mismatches);
  }

  private static boolean matches(@Nullable Object expected, @Nullable Object actual) {
    return mismatches(expected, actual).isEmpty();
  }

  private void match(String path, @Nullable Object expected, @Nullable Object actual) {
    if (expected instanceof Map<?, ?> map) {
      matchMap(path, map, actual);
    } else if (expected instanceof List<?> list) {
      matchList(path, list, actual);
    } else if (!sameScalar(expected, actual)) {
      differ(path, Json.write(expected), actual);
    }
  }

  private void matchMap(String path, Map<?, ?> expected, @Nullable Object actual) {
    if (actual instanceof Map<?, ?> found) {
      expected.forEach(
          (key, value) -> {
            String below = path + step(String.valueOf(key));
            if (found.containsKey(key)) {
              match(below, value, found.get(key));
            } else {
              mismatches.add(
                  below
                      + ": expected "
                      + Json.write(value)
                      + ", found no such key among "
                      + keys(found));
            }
          });
    } else if (isBounds(expected)) {
      matchBounds(path, expected, actual);
    } else if (expected.keySet().equals(Set.of(CONTAINS))) {
      if (!(actual instanceof String text)
          || !text.contains(String.valueOf(expected.get(CONTAINS)))) {
        differ(path, "a string that contains " + Json.write(expected.get(CONTAINS)), actual);
      }
    } else if (expected.keySet().equals(Set.of(IN_ORDER))) {
      matchInOrder(path, expected.get(IN_ORDER), actual);
    } else {
      differ(path, Json.write(expected), actual);
    }
  }

  private static boolean isBounds(Map<?, ?> expected) {
    return !expected.isEmpty() && BOUNDS.containsAll(expected.keySet());
  }

  private void matchBounds(String path, Map<?, ?> bounds, @Nullable Object actual) {
    bounds.forEach(
        (key, bound) -> {
          Integer order = compare(actual, bound);
          boolean lower = "atLeast".equals(key);
          if (order == null || (lower ? order < 0 : order > 0)) {
            differ(path, (lower ? "at least " : "at most ") + Json.write(bound), actual);
          }
        });
  }

  private void matchList(String path, List<?> expected, @Nullable Object actual) {
    if (!(actual instanceof List<?> found)) {
      differ(path, Json.write(expected), actual);
      return;
    }
    for (int i = 0; i < Math.min(expected.size(), found.size()); i++) {
      match(path + "[" + i + "]", expected.get(i), found.get(i));
    }
    if (expected.size() != found.size()) {
      mismatches.add(
          path
              + ": expected "
              + count(expected.size())
              + ", found "
              + count(found.size())
              + ": "
              + shorten(Json.write(found)));
    }
  }

  private void matchInOrder(String path, @Nullable Object expected, @Nullable Object actual) {
    if (!(expected instanceof List<?> wanted) || !(actual instanceof List<?> found)) {
      differ(path, "an array with, in this order, " + Json.write(expected), actual);
      return;
    }
    int next = 0;
    for (int i = 0; i < wanted.size(); i++) {
      int from = next;
      while (next < found.size() && !matches(wanted.get(i), found.get(next))) {
        next++;
      }
      if (next == found.size()) {
        mismatches.add(
            path
                + ": expected in this order "
                + Json.write(wanted)
                + ", found nothing from element "
                + from
                + " on that matches its element "
                + i
                + " "
                + Json.write(wanted.get(i))
                + " in "
                + shorten(Json.write(found)));
        return;
      }
      next++;
    }
  }

  private static boolean sameScalar(@Nullable Object expected, @Nullable Object actual) {
    Integer order = compare(expected, actual);
    return order == null ? Objects.equals(expected, actual) : order == 0;
  }

  /** Compares two numbers or two durations; null if they are neither. */
  private static @Nullable Integer compare(@Nullable Object left, @Nullable Object right) {
    if (left instanceof Number one && right instanceof Number other) {
      return new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString()));
    }
    Duration one = duration(left);
    Duration other = duration(right);
    return one == null || other == null ? null : one.compareTo(other);
  }

  private static @Nullable Duration duration(@Nullable Object value) {
    if (!(value instanceof String text) || !(text.startsWith("P") || text.startsWith("-P"))) {
      return null;
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException noDuration) {
      return null;
    }
  }

  private void differ(String path, String expected, @Nullable Object actual) {
    mismatches.add(path + ": expected " + expected + ", found " + shorten(Json.write(actual)));
  }

  private static String step(String key) {
    return key.matches("[A-Za-z_][A-Za-z0-9_]*") ? "." + key : "['" + key + "']";
  }

  private static String keys(Map<?, ?> map) {
    return shorten(map.keySet().toString());
  }

  private static String count(int elements) {
    return elements == 1 ? "1 element" : elements + " elements";
  }

  private static String shorten(String text) {
    return text.length() <= 500 ? text : text.substring(0, 497) + "...";
  }
}
