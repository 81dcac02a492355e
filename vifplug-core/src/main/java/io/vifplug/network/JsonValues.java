package io.vifplug.network;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns JSON into plain strings, booleans, numbers, lists and maps. */
final class JsonValues {
  private JsonValues() {}

  /** The entries of an object in their order; one that is null is left out, as if not sent. */
  static Map<String, Object> map(JsonNode object) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      Object value = value(entry.getValue());
      if (value != null) {
        map.put(entry.getKey(), value);
      }
    }
    return map;
  }

  private static List<Object> list(JsonNode array) {
    List<Object> list = new ArrayList<>();
    for (JsonNode element : array) {
      Object value = value(element);
      if (value != null) {
        list.add(value);
      }
    }
    return list;
  }

  private static @Nullable Object value(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> map(node);
      case ARRAY -> list(node);
      case STRING -> node.textValue();
      case BOOLEAN -> node.booleanValue();
      case NUMBER -> node.numberValue();
      default -> null;
    };
  }
}
