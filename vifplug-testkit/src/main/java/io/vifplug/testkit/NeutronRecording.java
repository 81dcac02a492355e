package io.vifplug.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vifplug.event.ExternalEvents;
import io.vifplug.event.ExternalEvents.Batch;
import io.vifplug.event.ExternalEvents.UnknownNames;
import io.vifplug.event.NetworkEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One conversation of a real Neutron with its Nova, as it was recorded: what was done to the ports,
 * and every body that was sent, byte for byte. The recordings come with the testkit; they were made
 * with Neutron 21.0 and agents that poll every two seconds.
 *
 * <p>Immutable and thread-safe.
 *
 * @param name names the recording: the back end and the scenario, for example {@code ovn-batch}
 * @param backend the network back end: {@code ovs}, {@code ovn}, {@code ovnfixed} (with LP 2112569
 *     fixed), {@code linuxbridge}, {@code macvtap} or {@code odl} (status set at binding)
 * @param scenario what was tried
 * @param about the same in a sentence
 * @param neutron Neutron's version
 * @param firewall the firewall driver; {@code iptables_hybrid} means hybrid plug
 * @param steps what was done and seen, in order
 * @param requests what Neutron sent, in order
 */
public record NeutronRecording(
    String name,
    String backend,
    String scenario,
    String about,
    String neutron,
    String firewall,
    List<Step> steps,
    List<Request> requests) {

  /** The path every request was sent to. */
  public static final String PATH = "/v2.1/os-server-external-events";

  private static final String FOLDER = "recordings/";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Copies the lists. */
  public NeutronRecording {
    steps = List.copyOf(steps);
    requests = List.copyOf(requests);
  }

  /**
   * Something that was done to a port, an agent or a server, or a change of a port's status.
   *
   * @param at the time since the recording began
   * @param text what it was
   */
  public record Step(Duration at, String text) {}

  /**
   * One POST.
   *
   * @param at the time since the recording began
   * @param body the body as sent
   * @param answered the status it was answered with, null if the connection was dropped on purpose
   * @param statuses the status of each port named in it, read back from Neutron while the request
   *     was open; {@code gone} for one deleted; empty if that was not done
   */
  public record Request(
      Duration at, String body, @Nullable Integer answered, Map<UUID, String> statuses) {
    /** Copies the map. */
    public Request {
      statuses = Map.copyOf(statuses);
    }

    /**
     * The events in the body.
     *
     * @return the events in their order
     */
    public List<NetworkEvent> events() {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      if (!(ExternalEvents.parse(bytes, UnknownNames.STRICT) instanceof Batch batch)) {
        throw new IllegalStateException("a recorded body cannot be read: " + body);
      }
      List<NetworkEvent> events = new ArrayList<>();
      for (ExternalEvents.Item item : batch.items()) {
        if (item.event() != null) {
          events.add(item.event());
        }
      }
      return List.copyOf(events);
    }
  }

  /**
   * The guests named in any body.
   *
   * @return their ids, in the order they appear
   */
  public Set<UUID> guests() {
    Set<UUID> guests = new LinkedHashSet<>();
    requests.forEach(request -> request.events().forEach(event -> guests.add(event.guest())));
    return guests;
  }

  /**
   * The names of all recordings.
   *
   * @return the names in alphabetical order
   */
  public static List<String> names() {
    return new String(read("index.txt"), StandardCharsets.UTF_8).lines().toList();
  }

  /**
   * Reads all recordings.
   *
   * @return the recordings in the order of their names
   */
  public static List<NeutronRecording> all() {
    return names().stream().map(NeutronRecording::load).toList();
  }

  /**
   * Reads one recording.
   *
   * @param name its name
   * @return the recording
   * @throws IllegalArgumentException if there is none of that name; the message lists all
   */
  public static NeutronRecording named(String name) {
    List<String> names = names();
    if (!names.contains(name)) {
      throw new IllegalArgumentException(
          "no recording '" + name + "'; there are " + String.join(", ", names));
    }
    return load(name);
  }

  private static NeutronRecording load(String name) {
    JsonNode root = json(name);
    List<Step> steps = new ArrayList<>();
    for (JsonNode step : root.get("steps")) {
      steps.add(new Step(time(step), step.get("step").textValue()));
    }
    List<Request> requests = new ArrayList<>();
    for (JsonNode request : root.get("requests")) {
      Map<UUID, String> statuses = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> port : request.path("ports").properties()) {
        statuses.put(UUID.fromString(port.getKey()), port.getValue().textValue());
      }
      JsonNode answered = request.get("answered");
      requests.add(
          new Request(
              time(request),
              request.get("body").textValue(),
              answered.isNull() ? null : answered.intValue(),
              statuses));
    }
    return new NeutronRecording(
        name,
        root.get("backend").textValue(),
        root.get("scenario").textValue(),
        root.get("about").textValue(),
        root.get("neutron").textValue(),
        root.get("firewall").textValue(),
        steps,
        requests);
  }

  private static Duration time(JsonNode entry) {
    return Duration.ofMillis(Math.round(entry.get("t").doubleValue() * 1000));
  }

  private static JsonNode json(String name) {
    try {
      return MAPPER.readTree(read(name + ".json"));
    } catch (IOException e) {
      throw new UncheckedIOException("recording " + name, e);
    }
  }

  private static byte[] read(String file) {
    try (InputStream stream = NeutronRecording.class.getResourceAsStream(FOLDER + file)) {
      if (stream == null) {
        throw new IllegalStateException("the testkit lacks its resource " + FOLDER + file);
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }
}
