package io.vifplug.testkit.scenario;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON in and out of plain maps, lists, strings, numbers, booleans and nulls. Plain JSON only: no
 * comments, no duplicate keys, nothing after the end.
 */
final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private Json() {}

  /** Reads a whole document. */
  static JsonNode parse(String file, String text) {
    JsonNode tree;
    try {
      tree = MAPPER.readTree(text);
    } catch (StreamReadException malformed) {
      throw new InvalidScenarioException(file, pointer(malformed), where(malformed));
    } catch (JsonProcessingException malformed) {
      throw new InvalidScenarioException(file, "", where(malformed));
    }
    if (tree == null || tree.isMissingNode()) {
      throw new InvalidScenarioException(file, "", "expected a JSON document, found nothing");
    }
    return tree;
  }

  private static String pointer(StreamReadException malformed) {
    JsonParser parser = malformed.getProcessor();
    if (parser == null || !malformed.getOriginalMessage().startsWith("Duplicate")) {
      return "";
    }
    return parser.getParsingContext().pathAsPointer().toString();
  }

  private static String where(JsonProcessingException malformed) {
    String place =
        malformed.getLocation() == null
            ? ""
            : " (line "
                + malformed.getLocation().getLineNr()
                + ", column "
                + malformed.getLocation().getColumnNr()
                + ")";
    return "expected plain JSON without duplicate keys: "
        + malformed.getOriginalMessage().lines().findFirst().orElse("")
        + place;
  }

  /** An object with the keys of both; where both are objects they are merged, else over wins. */
  static JsonNode merge(JsonNode base, JsonNode over) {
    if (!base.isObject() || !over.isObject()) {
      return over;
    }
    ObjectNode merged = base.deepCopy();
    over.properties()
        .forEach(
            entry -> {
              JsonNode below = merged.get(entry.getKey());
              merged.set(
                  entry.getKey(),
                  below == null ? entry.getValue() : merge(below, entry.getValue()));
            });
    return merged;
  }

  /** The tree as maps, lists, strings, numbers, booleans and nulls, read-only. */
  static @Nullable Object plain(JsonNode node) {
    if (node.isObject()) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      node.properties().forEach(entry -> map.put(entry.getKey(), plain(entry.getValue())));
      return Collections.unmodifiableMap(map);
    }
    if (node.isArray()) {
      List<@Nullable Object> list = new ArrayList<>();
      node.forEach(item -> list.add(plain(item)));
      return Collections.unmodifiableList(list);
    }
    if (node.isTextual()) {
      return node.textValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    return node.isNumber() ? node.numberValue() : null;
  }

  /** A document that is not a scenario as plain values; null if it is not JSON. */
  static @Nullable Object plainOrNull(String text) {
    try {
      JsonNode tree = MAPPER.readTree(text);
      return tree == null ? null : plain(tree);
    } catch (JsonProcessingException notJson) {
      return null;
    }
  }

  /** The value as JSON on one line. */
  static String write(@Nullable Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
