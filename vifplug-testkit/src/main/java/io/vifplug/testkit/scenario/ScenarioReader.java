package io.vifplug.testkit.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.vifplug.Guest;
import io.vifplug.Operation;
import io.vifplug.Priority;
import io.vifplug.network.InvalidNetworkInfoException;
import io.vifplug.network.NetworkInfo;
import io.vifplug.spi.GuestStatus;
import io.vifplug.spi.Hypervisor;
import io.vifplug.testkit.scenario.Scenario.Action;
import io.vifplug.testkit.scenario.Scenario.Ask;
import io.vifplug.testkit.scenario.Scenario.Call;
import io.vifplug.testkit.scenario.Scenario.CallKind;
import io.vifplug.testkit.scenario.Scenario.GuestSetup;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads scenario files and says of everything wrong where it stands and what was expected. */
final class ScenarioReader {
  private static final List<String> NOT_YET = List.of("CRASH", "RECOVER");

  private final Path folder;
  private final Place root;

  private ScenarioReader(Path folder, Place root) {
    this.folder = folder;
    this.root = root;
  }

  static Scenario read(Path file) {
    String text = readText(file, new Place(file.toString(), "", Json.parse("", "null")));
    return parse(file.toString(), file.toAbsolutePath().resolveSibling(""), text);
  }

  static Scenario parse(String file, Path folder, String text) {
    JsonNode tree = Json.parse(file, text);
    return new ScenarioReader(folder, new Place(file, "", tree)).scenario();
  }

  private static String readText(Path file, Place place) {
    try {
      return Files.readString(file);
    } catch (MalformedInputException notText) {
      throw place.error("expected a file in UTF-8: " + file);
    } catch (IOException unreadable) {
      throw place.error("expected a file that can be read: " + file + ": " + unreadable);
    }
  }

  private Scenario scenario() {
    Place version = root.required("scenario");
    if (!version.node().isIntegralNumber() || version.node().longValue() != 1) {
      throw version.expected("the format version 1");
    }
    root.onlyKeys(
        "scenario",
        "name",
        "guest",
        "guests",
        "driver",
        "policy",
        "eventSource",
        "matrix",
        "backend",
        "takes",
        "do",
        "faults",
        "events",
        "guestEvents",
        "portStatus",
        "localEvidence",
        "gates",
        "sysfs",
        "runUntil",
        "expect");
    refuseUnsupported("sysfs");
    List<GuestSetup> guests = guests();
    Known known = new Known(guests);
    Place policy = root.optional("policy");
    Place driver = root.optional("driver");
    Place source = root.optional("eventSource");
    Place runUntil = root.optional("runUntil");
    String name = root.required("name").notBlank();
    var scenarioPolicy = PolicyReader.ofScenario(policy);
    List<Action> actions = actions(known, policy);
    EventsReader events = new EventsReader(root, known);
    WorldReader world = new WorldReader(root, known);
    return new Scenario(
        name,
        guests,
        driver == null ? null : driver.notBlank(),
        scenarioPolicy,
        maxInFlight(policy),
        strictEventNames(policy),
        source == null || source.bool(),
        world.matrix(),
        world.backend(),
        events.takes(),
        actions,
        events.faults(),
        events.events(),
        world.guestNews(),
        world.portStatus(),
        world.localEvidence(),
        world.gates(),
        runUntil == null ? null : runUntil.time(),
        ExpectReader.read(root.optional("expect")));
  }

  /** The one place where keys are refused that the format has and the engine does not, yet. */
  private void refuseUnsupported(String key) {
    Place place = root.optional(key);
    if (place != null) {
      throw place.error("'" + key + "' is not supported yet");
    }
  }

  private static @Nullable Integer maxInFlight(@Nullable Place policy) {
    Place value = policy == null ? null : policy.optional(PolicyReader.MAX_IN_FLIGHT);
    return value == null ? null : value.integer(1);
  }

  private static boolean strictEventNames(@Nullable Place policy) {
    Place value = policy == null ? null : policy.optional(PolicyReader.UNKNOWN_EVENT_NAMES);
    return value != null && value.word(List.of("TOLERANT", "STRICT")).equals("STRICT");
  }

  private List<GuestSetup> guests() {
    Place one = root.optional("guest");
    Place many = root.optional("guests");
    if ((one == null) == (many == null)) {
      throw root.error("expected either the key 'guest' or the key 'guests'");
    }
    List<Place> places = one == null ? root.items("guests") : List.of(one);
    if (places.isEmpty()) {
      throw root.required("guests").error("expected one guest or more");
    }
    List<GuestSetup> guests = new ArrayList<>();
    for (Place place : places) {
      GuestSetup setup = guest(place);
      for (GuestSetup other : guests) {
        if (other.key().equals(setup.key()) || other.guest().id().equals(setup.guest().id())) {
          throw place.error(
              "expected a key and a uuid of its own; they are those of another guest");
        }
      }
      guests.add(setup);
    }
    return guests;
  }

  private GuestSetup guest(Place place) {
    place.onlyKeys("key", "uuid", "name", "state", "pausedBy", "networkInfo", "host");
    UUID id = place.required("uuid").uuid();
    Place key = place.optional("key");
    Place name = place.optional("name");
    Place state = place.optional("state");
    Place host = place.optional("host");
    Place info = place.optional("networkInfo");
    GuestStatus.State at =
        state == null
            ? GuestStatus.State.ABSENT
            : GuestStatus.State.valueOf(
                state.word(List.of("ABSENT", "SHUTOFF", "RUNNING", "PAUSED")));
    Place pausedBy = place.optional("pausedBy");
    if (pausedBy != null && at != GuestStatus.State.PAUSED) {
      throw pausedBy.error("expected only with \"state\": \"PAUSED\"");
    }
    return new GuestSetup(
        key == null ? id.toString() : key.notBlank(),
        new Guest(id, name == null ? Hypervisor.defaultName(id) : name.notBlank(), ""),
        at,
        pausedBy != null && pausedBy.word(List.of("USER", "LIBRARY")).equals("LIBRARY"),
        info == null ? new NetworkInfo(List.of()) : networkInfo(info),
        host == null || host.word(List.of("HERE", "OTHER")).equals("HERE"));
  }

  private NetworkInfo networkInfo(Place place) {
    if (place.isObject()) {
      Place name = place.onlyKeys("file").required("file");
      String text;
      try {
        text = readText(folder.resolve(name.notBlank()), name);
      } catch (InvalidPathException malformed) {
        throw name.expected("a file name");
      }
      try {
        return NetworkInfo.fromNova(text);
      } catch (InvalidNetworkInfoException invalid) {
        throw name.error("in " + name.text() + ": " + invalid.getMessage());
      }
    }
    if (!place.node().isArray()) {
      throw place.expected("an array of vifs or {\"file\": \"relative.json\"}");
    }
    try {
      return NetworkInfo.fromNova(place.node().toString());
    } catch (InvalidNetworkInfoException invalid) {
      String message = invalid.getMessage();
      String prefix = invalid.pointer() + ": ";
      throw new InvalidScenarioException(
          place.file(),
          place.pointer() + invalid.pointer(),
          message != null && message.startsWith(prefix)
              ? message.substring(prefix.length())
              : String.valueOf(message));
    }
  }

  private List<Action> actions(Known known, @Nullable Place policy) {
    List<Action> actions = new ArrayList<>();
    for (Place place : root.items("do")) {
      actions.add(place.object().has("call") ? call(place, known) : ask(place, known, policy));
    }
    return actions;
  }

  private static Call call(Place place, Known known) {
    place.onlyKeys("at", "call", "guest");
    Place kind = place.required("call");
    if (kind.isText() && NOT_YET.contains(kind.text())) {
      throw kind.error("'" + kind.text() + "' is not supported yet");
    }
    CallKind what = kind.word(CallKind.class);
    if (what != CallKind.CANCEL && place.has("guest")) {
      throw place.required("guest").error("expected only with CANCEL");
    }
    return new Call(
        place.required("at").time(), what, what == CallKind.CANCEL ? known.guest(place) : null);
  }

  private Ask ask(Place place, Known known, @Nullable Place scenarioPolicy) {
    place.onlyKeys("at", "operation", "call", "guest", "networkInfo", "port", "policy", "priority");
    Operation operation = place.required("operation").word(Operation.class);
    UUID guest = known.guest(place);
    Place info = place.optional("networkInfo");
    NetworkInfo network = info == null ? null : networkInfo(info);
    if (network != null) {
      known.addPorts(guest, network);
    }
    Place policy = place.optional("policy");
    Place priority = place.optional("priority");
    return new Ask(
        place.required("at").time(),
        operation,
        guest,
        network,
        portOf(operation, place, network, known),
        policy == null
            ? PolicyReader.ofScenario(scenarioPolicy)
            : PolicyReader.ofRequest(scenarioPolicy, policy),
        priority == null ? null : priority.word(Priority.class));
  }

  private static @Nullable UUID portOf(
      Operation operation, Place place, @Nullable NetworkInfo network, Known known) {
    if (operation != Operation.ATTACH && operation != Operation.DETACH) {
      if (place.has("port")) {
        throw place.required("port").error("expected only with ATTACH and DETACH");
      }
      return null;
    }
    if (!place.has("port") && network != null && network.vifs().size() == 1) {
      return network.vifs().get(0).port();
    }
    return known.port(place);
  }
}
