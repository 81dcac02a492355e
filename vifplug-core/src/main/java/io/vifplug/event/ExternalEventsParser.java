package io.vifplug.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.vifplug.event.ExternalEvents.Batch;
import io.vifplug.event.ExternalEvents.Item;
import io.vifplug.event.ExternalEvents.Parsed;
import io.vifplug.event.ExternalEvents.Rejected;
import io.vifplug.event.ExternalEvents.UnknownNames;
import io.vifplug.internal.Uuids;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Streams one body through Nova's schema: {@code events} alone at the top, at least one; in each
 * event {@code name} and {@code server_uuid} required, {@code status} and {@code tag} optional,
 * nothing else. Equal keys in one object are refused too, as nobody can say which one is meant.
 */
final class ExternalEventsParser {
  private static final int MAX_TAG = 255;
  private static final int SHOWN = 80;
  private static final List<String> FIELDS = List.of("name", "server_uuid", "status", "tag");
  private static final Map<String, EventStatus> STATUSES =
      Arrays.stream(EventStatus.values())
          .collect(Collectors.toUnmodifiableMap(EventStatus::wire, status -> status));
  private static final Map<String, EventName> NAMES =
      ExternalEvents.NOVA_NAMES.stream()
          .collect(Collectors.toUnmodifiableMap(EventName::wire, name -> name));

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final UnknownNames unknownNames;

  ExternalEventsParser(UnknownNames unknownNames) {
    this.unknownNames = unknownNames;
  }

  Parsed parse(byte[] body) {
    try (JsonParser json = JSON.createParser(body)) {
      return new Batch(document(json));
    } catch (RejectedBody e) {
      return new Rejected(e.pointer, e.text);
    } catch (JsonProcessingException e) {
      var where = e.getLocation();
      return new Rejected(
          "",
          "Malformed request body: "
              + e.getOriginalMessage()
              + (where == null
                  ? ""
                  : " (line " + where.getLineNr() + ", column " + where.getColumnNr() + ")"));
    } catch (IOException e) {
      return new Rejected("", "Malformed request body: " + e.getMessage());
    }
  }

  private List<Item> document(JsonParser json) throws IOException {
    if (json.nextToken() == null) {
      throw new RejectedBody("", "Malformed request body: it is empty");
    }
    if (!json.hasToken(JsonToken.START_OBJECT)) {
      throw invalid("", found(json), "It is not of type 'object'.");
    }
    List<Item> items = null;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      json.nextToken();
      if (!key.equals("events")) {
        throw additional("", key);
      }
      items = events(json);
    }
    if (items == null) {
      throw invalid("", "{}", "'events' is a required property.");
    }
    if (json.nextToken() != null) {
      throw new RejectedBody("", "Malformed request body: something follows the JSON document");
    }
    return items;
  }

  private List<Item> events(JsonParser json) throws IOException {
    if (!json.hasToken(JsonToken.START_ARRAY)) {
      throw invalid("/events", found(json), "It is not of type 'array'.");
    }
    List<Item> items = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      items.add(event(json, "/events/" + items.size()));
    }
    if (items.isEmpty()) {
      throw invalid("/events", "[]", "It is too short.");
    }
    return items;
  }

  private Item event(JsonParser json, String pointer) throws IOException {
    if (!json.hasToken(JsonToken.START_OBJECT)) {
      throw invalid(pointer, found(json), "It is not of type 'object'.");
    }
    Map<String, String> fields = new HashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      json.nextToken();
      if (!FIELDS.contains(key)) {
        throw additional(pointer, key);
      }
      if (!json.hasToken(JsonToken.VALUE_STRING)) {
        throw invalid(pointer + "/" + key, found(json), "It is not of type 'string'.");
      }
      fields.put(key, json.getText());
    }
    return item(fields, pointer);
  }

  private Item item(Map<String, String> fields, String pointer) throws RejectedBody {
    String name = required(fields, "name", pointer);
    String server = required(fields, "server_uuid", pointer);
    String status = fields.get("status");
    String tag = fields.get("tag");
    UUID guest = Uuids.parse(server);
    if (guest == null) {
      throw invalid(pointer + "/server_uuid", quote(server), "It is not a 'uuid'.");
    }
    EventStatus meaning = status == null ? EventStatus.COMPLETED : STATUSES.get(status);
    if (meaning == null) {
      throw invalid(
          pointer + "/status",
          quote(String.valueOf(status)),
          "It is not one of " + oneOf(Arrays.stream(EventStatus.values()).map(EventStatus::wire)));
    }
    // Nova's schema counts code points.
    if (tag != null && tag.codePointCount(0, tag.length()) > MAX_TAG) {
      throw invalid(pointer + "/tag", quote(tag), "It is too long.");
    }
    EventName known = NAMES.get(name);
    if (known == null) {
      String none =
          "It is not one of " + oneOf(ExternalEvents.NOVA_NAMES.stream().map(EventName::wire));
      if (unknownNames == UnknownNames.STRICT) {
        throw invalid(pointer + "/name", quote(name), none);
      }
      return new Item(name, server, status, tag, null, "unknown event name");
    }
    UUID port = tag == null ? null : Uuids.parse(tag);
    return new Item(name, server, status, tag, new NetworkEvent(known, guest, port, meaning), null);
  }

  private static String required(Map<String, String> fields, String key, String pointer)
      throws RejectedBody {
    String value = fields.get(key);
    if (value == null) {
      throw invalid(pointer, "{…}", "'" + key + "' is a required property.");
    }
    return value;
  }

  private static RejectedBody additional(String pointer, String key) {
    return invalid(
        pointer,
        "{…}",
        "Additional properties are not allowed (" + quote(key) + " was unexpected).");
  }

  private static RejectedBody invalid(String pointer, String value, String why) {
    return new RejectedBody(
        pointer,
        "Invalid input for field/attribute "
            + (pointer.isEmpty() ? "(body)" : pointer)
            + ". Value: "
            + value
            + ". "
            + why);
  }

  private static String oneOf(Stream<String> words) {
    return words.collect(Collectors.joining("', '", "['", "']."));
  }

  private static String found(JsonParser json) throws IOException {
    JsonToken token = json.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return "{…}";
    }
    if (token == JsonToken.START_ARRAY) {
      return "[…]";
    }
    return token == JsonToken.VALUE_STRING ? quote(json.getText()) : shorten(json.getText());
  }

  private static String quote(String text) {
    return '"' + shorten(text) + '"';
  }

  private static String shorten(String text) {
    return text.codePointCount(0, text.length()) <= SHOWN
        ? text
        : text.substring(0, text.offsetByCodePoints(0, SHOWN)) + "…";
  }

  /** Ends the parse; caught above and never seen outside. */
  private static final class RejectedBody extends IOException {
    private static final long serialVersionUID = 1L;
    private final String pointer;
    private final String text;

    RejectedBody(String pointer, String text) {
      super(text, null);
      this.pointer = pointer;
      this.text = text;
    }
  }
}
