package io.vifplug.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The wire format of {@code POST os-server-external-events}: reads the body as Nova's schema has it
 * and writes the answer as Nova does.
 *
 * <p>Stateless and thread-safe. Source: Nova's API reference and its JSON schema of
 * os-server-external-events up to microversion 2.93.
 */
public final class ExternalEvents {
  /** The event names Nova knows (microversion 2.93); only the first four are about the network. */
  public static final List<EventName> NOVA_NAMES =
      List.of(
          EventName.NETWORK_CHANGED,
          EventName.VIF_PLUGGED,
          EventName.VIF_UNPLUGGED,
          EventName.VIF_DELETED,
          new EventName("volume-extended"),
          new EventName("power-update"),
          new EventName("accelerator-request-bound"),
          new EventName("volume-reimaged"));

  private static final JsonFactory JSON = new JsonFactory();

  private ExternalEvents() {}

  /** What a name that Nova does not know does to a body. */
  public enum UnknownNames {
    /** That event is refused, the others are delivered: a sender may be newer than we are. */
    TOLERANT,
    /** The whole body is refused, as Nova does. */
    STRICT
  }

  /** What a body turned out to be. */
  public sealed interface Parsed permits Batch, Rejected {}

  /**
   * A body that can be delivered.
   *
   * @param items its events in order, at least one
   */
  public record Batch(List<Item> items) implements Parsed {
    /** Copies the list. */
    public Batch {
      items = List.copyOf(items);
    }
  }

  /**
   * A body that is refused as a whole; nothing of it may be delivered.
   *
   * @param pointer the JSON pointer (RFC 6901) of the first bad place; empty for the document
   * @param message what is wrong there, in Nova's manner
   */
  public record Rejected(String pointer, String message) implements Parsed {}

  /**
   * One event, as sent and as understood. Exactly one of {@code event} and {@code refusal} is set.
   *
   * @param name the name as sent
   * @param serverUuid the server's id as sent
   * @param status the status as sent, or null if absent
   * @param tag the tag as sent, or null if absent
   * @param event what it means, with ids normalised; a tag that is no UUID gives no port
   * @param refusal why this event alone is refused
   */
  public record Item(
      String name,
      String serverUuid,
      @Nullable String status,
      @Nullable String tag,
      @Nullable NetworkEvent event,
      @Nullable String refusal) {
    /**
     * Checks for nulls.
     *
     * @throws IllegalArgumentException if both or none of event and refusal are given
     */
    public Item {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(serverUuid, "serverUuid");
      if ((event == null) == (refusal == null)) {
        throw new IllegalArgumentException("an item has an event or a refusal");
      }
    }
  }

  /**
   * One event with what became of it.
   *
   * @param item the event
   * @param code 200 accepted, 400 refused, 404 unknown guest, 422 not deliverable here
   */
  public record Answer(Item item, int code) {
    /** The code of an accepted event. */
    public static final int ACCEPTED = 200;

    /** Checks for nulls. */
    public Answer {
      Objects.requireNonNull(item, "item");
    }

    /**
     * Whether the event was taken.
     *
     * @return true for code 200
     */
    public boolean accepted() {
      return code == ACCEPTED;
    }

    /**
     * The status Nova answers: it speaks of the delivery, not of the event's own status.
     *
     * @return {@code completed} if accepted, else {@code failed}
     */
    public String status() {
      return (accepted() ? EventStatus.COMPLETED : EventStatus.FAILED).wire();
    }
  }

  /**
   * Reads a body. Never throws for a bad one.
   *
   * @param body the bytes, JSON in UTF-8
   * @param unknownNames what to do with names Nova does not know
   * @return the events, or why the body is refused
   */
  public static Parsed parse(byte[] body, UnknownNames unknownNames) {
    return new ExternalEventsParser(unknownNames).parse(body);
  }

  /**
   * Writes an answer: the events in their order with their original values, each with {@code code}
   * and {@code status}.
   *
   * @param answers the events and what became of them
   * @return the JSON text
   */
  public static String write(List<Answer> answers) {
    return document(
        json -> {
          for (Answer answer : answers) {
            Item item = answer.item();
            writeEvent(json, item.name(), item.serverUuid(), item.tag(), answer.status());
            json.writeNumberField("code", answer.code());
            json.writeEndObject();
          }
        });
  }

  /**
   * Writes a body as a sender does.
   *
   * @param events the events, at least one for a receiver to accept it
   * @return the JSON text
   */
  public static String body(List<NetworkEvent> events) {
    return document(
        json -> {
          for (NetworkEvent event : events) {
            String tag = event.port() == null ? null : event.port().toString();
            String guest = event.guest().toString();
            writeEvent(json, event.name().wire(), guest, tag, event.status().wire());
            json.writeEndObject();
          }
        });
  }

  /** Leaves the object open. */
  private static void writeEvent(
      JsonGenerator json, String name, String server, @Nullable String tag, String status)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", name);
    json.writeStringField("server_uuid", server);
    if (tag != null) {
      json.writeStringField("tag", tag);
    }
    json.writeStringField("status", status);
  }

  @FunctionalInterface
  private interface Content {
    void writeTo(JsonGenerator json) throws IOException;
  }

  private static String document(Content events) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeArrayFieldStart("events");
      events.writeTo(json);
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string writer does not fail
    }
    return text.toString();
  }
}
