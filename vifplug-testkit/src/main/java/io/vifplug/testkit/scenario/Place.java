package io.vifplug.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A value in a scenario file that knows where it stands, so that every complaint can say it. */
record Place(String file, String pointer, JsonNode node) {
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** Refuses every key that is not listed. */
  Place onlyKeys(String... keys) {
    return onlyKeys(Set.of(keys));
  }

  Place onlyKeys(Set<String> keys) {
    object();
    node.properties()
        .forEach(
            entry -> {
              if (!keys.contains(entry.getKey())) {
                throw at(entry.getKey())
                    .error(
                        "unknown key; expected one of " + String.join(", ", new TreeSet<>(keys)));
              }
            });
    return this;
  }

  Place required(String key) {
    object();
    JsonNode value = node.get(key);
    if (value == null || value.isNull()) {
      throw error("expected the key '" + key + "'");
    }
    return at(key);
  }

  /** The value of a key, or null if it is missing or null. */
  @Nullable Place optional(String key) {
    object();
    JsonNode value = node.get(key);
    return value == null || value.isNull() ? null : at(key);
  }

  boolean has(String key) {
    return optional(key) != null;
  }

  private Place at(String key) {
    JsonNode value = node.get(key);
    String escaped = key.replace("~", "~0").replace("/", "~1");
    return new Place(file, pointer + "/" + escaped, value == null ? node : value);
  }

  /** The elements of the array under a key; none if the key is missing. */
  List<Place> items(String key) {
    Place value = optional(key);
    return value == null ? List.of() : value.items();
  }

  List<Place> items() {
    if (!node.isArray()) {
      throw expected("an array");
    }
    List<Place> items = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      items.add(new Place(file, pointer + "/" + i, node.get(i)));
    }
    return items;
  }

  Map<String, Place> entries() {
    object();
    Map<String, Place> entries = new LinkedHashMap<>();
    node.properties().forEach(entry -> entries.put(entry.getKey(), at(entry.getKey())));
    return entries;
  }

  Place object() {
    if (!node.isObject()) {
      throw expected("an object");
    }
    return this;
  }

  boolean isObject() {
    return node.isObject();
  }

  boolean isText() {
    return node.isTextual();
  }

  String text() {
    if (!node.isTextual()) {
      throw expected("a string");
    }
    return node.textValue();
  }

  String notBlank() {
    if (text().isBlank()) {
      throw expected("a string that is not blank");
    }
    return text();
  }

  boolean bool() {
    if (!node.isBoolean()) {
      throw expected("true or false");
    }
    return node.booleanValue();
  }

  int integer(int atLeast) {
    if (!node.isIntegralNumber() || !node.canConvertToInt() || node.intValue() < atLeast) {
      throw expected("an integer, " + atLeast + " or more");
    }
    return node.intValue();
  }

  double positive() {
    if (!node.isNumber() || node.doubleValue() <= 0) {
      throw expected("a number above 0");
    }
    return node.doubleValue();
  }

  /** A duration of any sign. */
  Duration duration() {
    if (node.isTextual()) {
      try {
        return Duration.parse(node.textValue());
      } catch (DateTimeParseException malformed) {
        throw expected("an ISO-8601 duration such as \"PT0.2S\" or \"PT5M\"");
      }
    }
    throw expected("an ISO-8601 duration such as \"PT0.2S\" or \"PT5M\"");
  }

  /** A moment since the start, or a length. */
  Duration time() {
    Duration time = duration();
    if (time.isNegative()) {
      throw expected("a duration of zero or more");
    }
    return time;
  }

  Duration moreThanZero() {
    Duration time = duration();
    if (time.isNegative() || time.isZero()) {
      throw expected("a duration of more than zero");
    }
    return time;
  }

  UUID uuid() {
    if (!node.isTextual() || !UUID_FORM.matcher(node.textValue()).matches()) {
      throw expected("a UUID");
    }
    return UUID.fromString(node.textValue().toLowerCase(Locale.ROOT));
  }

  static boolean isUuid(String text) {
    return UUID_FORM.matcher(text).matches();
  }

  <E extends Enum<E>> E word(Class<E> type) {
    for (E constant : type.getEnumConstants()) {
      if (node.isTextual() && constant.name().equals(node.textValue())) {
        return constant;
      }
    }
    throw expected(
        "one of "
            + String.join(", ", Arrays.stream(type.getEnumConstants()).map(Enum::name).toList()));
  }

  String word(List<String> words) {
    if (!node.isTextual() || !words.contains(node.textValue())) {
      throw expected("one of " + String.join(", ", words));
    }
    return node.textValue();
  }

  InvalidScenarioException expected(String what) {
    String found = node.toString();
    if (found.length() > 80) {
      found = found.substring(0, 77) + "...";
    }
    return error("expected " + what + ", found " + found);
  }

  InvalidScenarioException error(String message) {
    return new InvalidScenarioException(file, pointer, message);
  }
}
