package io.vifplug.testkit.scenario;

import io.vifplug.event.EventName;
import io.vifplug.event.EventStatus;
import io.vifplug.event.ExternalEvents;
import io.vifplug.testkit.Fault.ErrorKind;
import io.vifplug.testkit.scenario.Scenario.At;
import io.vifplug.testkit.scenario.Scenario.Body;
import io.vifplug.testkit.scenario.Scenario.Event;
import io.vifplug.testkit.scenario.Scenario.Fault;
import io.vifplug.testkit.scenario.Scenario.On;
import io.vifplug.testkit.scenario.Scenario.Single;
import io.vifplug.testkit.scenario.Scenario.Takes;
import io.vifplug.testkit.scenario.Scenario.What;
import io.vifplug.testkit.scenario.Scenario.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads what hangs on the steps of the host: times, faults, and events. */
final class EventsReader {
  private static final List<String> STEPS =
      List.of(
          "plug",
          "unplug",
          "createPaused",
          "createRunning",
          "resume",
          "destroy",
          "undefine",
          "lookup");
  private static final Set<String> PORT_STEPS = Set.of("plug", "unplug");
  private static final List<String> EDGES = List.of("enter", "exit", "fail");

  private final Place root;
  private final Known known;

  EventsReader(Place root, Known known) {
    this.root = root;
    this.known = known;
  }

  Map<String, Takes> takes() {
    Place place = root.optional("takes");
    if (place == null) {
      return Map.of();
    }
    place.onlyKeys(new LinkedHashSet<>(STEPS));
    Map<String, Takes> takes = new LinkedHashMap<>();
    place
        .entries()
        .forEach(
            (step, value) -> {
              if (!value.node().isNull()) {
                takes.put(step, takesOf(step, value));
              }
            });
    return takes;
  }

  private Takes takesOf(String step, Place place) {
    if (!place.isObject()) {
      return new Takes(place.time(), Map.of());
    }
    Duration usual = Duration.ZERO;
    Map<UUID, Duration> special = new LinkedHashMap<>();
    for (Map.Entry<String, Place> entry : place.entries().entrySet()) {
      Place value = entry.getValue();
      if (entry.getKey().equals("default")) {
        usual = value.time();
        continue;
      }
      UUID subject = known.portOrGuest(entry.getKey());
      if (subject == null || (!known.isGuest(subject) && !PORT_STEPS.contains(step))) {
        throw value.error(
            "expected 'default' or the "
                + (PORT_STEPS.contains(step) ? "id of a port or the " : "")
                + "key of a guest of this scenario");
      }
      special.put(subject, value.time());
    }
    return new Takes(usual, special);
  }

  List<Fault> faults() {
    Place place = root.optional("faults");
    List<Fault> faults = new ArrayList<>();
    for (Place item : place == null ? List.<Place>of() : place.items()) {
      item.onlyKeys("step", "times", "error", "message", "port", "guest", "after");
      String step = item.required("step").word(STEPS);
      Place times = item.optional("times");
      Place after = item.optional("after");
      Place message = item.optional("message");
      Place port = item.optional("port");
      if (port != null && !PORT_STEPS.contains(step)) {
        throw port.error("expected only with the steps plug and unplug");
      }
      faults.add(
          new Fault(
              step,
              item.required("error").word(ErrorKind.class),
              message == null ? null : message.text(),
              after == null ? 0 : after.integer(0),
              times == null ? null : times.integer(1),
              known.guestIfNamed(item),
              known.portIfNamed(item)));
    }
    return faults;
  }

  List<Event> events() {
    Place place = root.optional("events");
    List<Event> events = new ArrayList<>();
    for (Place item : place == null ? List.<Place>of() : place.items()) {
      item.onlyKeys("at", "on", "nth", "delay", "event", "status", "port", "guest", "body");
      if (item.has("at") == item.has("on")) {
        throw item.error("expected either the key 'at' or the key 'on'");
      }
      if (item.has("event") == item.has("body")) {
        throw item.error("expected either the key 'event' or the key 'body'");
      }
      events.add(new Event(when(item), what(item)));
    }
    return events;
  }

  private When when(Place item) {
    Place at = item.optional("at");
    if (at != null) {
      for (String key : List.of("nth", "delay")) {
        if (item.has(key)) {
          throw item.required(key).error("expected only with the key 'on'");
        }
      }
      return new At(at.time());
    }
    Place on = item.required("on");
    String text = on.text();
    int dot = text.lastIndexOf('.');
    String step = dot < 0 ? text : text.substring(0, dot);
    String edge = dot < 0 ? "" : text.substring(dot + 1);
    if (!STEPS.contains(step) || !EDGES.contains(edge)) {
      throw on.expected(
          "<step>.enter, <step>.exit or <step>.fail with one of the steps "
              + String.join(", ", STEPS));
    }
    Place nth = item.optional("nth");
    Place delay = item.optional("delay");
    UUID port = item.optional("port") == null ? null : item.required("port").uuid();
    // "The step of whose guest?" has one sensible answer where only a port is named: its owner's.
    UUID guest = known.guestIfNamed(item);
    return new On(
        step,
        edge,
        guest == null && port != null ? known.owner(port) : guest,
        PORT_STEPS.contains(step) ? known.portIfNamed(item) : null,
        nth == null ? null : nth.integer(1),
        delay == null ? Duration.ZERO : delay.time());
  }

  private What what(Place item) {
    Place body = item.optional("body");
    if (body != null) {
      for (String key : List.of("status", "port", "guest")) {
        if (item.has(key) && !(item.has("on") && !key.equals("status"))) {
          throw item.required(key).error("expected only with the key 'event'");
        }
      }
      // A string is sent as it is, so that what is no JSON can be told too.
      return new Body(body.isText() ? body.text() : body.node().toString());
    }
    Place event = item.required("event");
    EventName name =
        new EventName(event.word(ExternalEvents.NOVA_NAMES.stream().map(EventName::wire).toList()));
    UUID port = portOf(item, name);
    UUID owner = port == null || item.has("guest") ? null : known.owner(port);
    return new Single(
        name, owner == null ? known.guestOrStranger(item) : owner, port, status(item));
  }

  private @Nullable UUID portOf(Place item, EventName name) {
    Place port = item.optional("port");
    if (port != null) {
      return port.uuid();
    }
    UUID guest = known.guestOrStranger(item);
    UUID only = known.onlyPort(guest);
    if (only == null && !name.equals(EventName.NETWORK_CHANGED)) {
      throw item.error("expected the key 'port': the guest has not exactly one");
    }
    return only;
  }

  private static EventStatus status(Place item) {
    Place status = item.optional("status");
    if (status == null) {
      return EventStatus.COMPLETED;
    }
    String wire = status.word(Arrays.stream(EventStatus.values()).map(EventStatus::wire).toList());
    return Arrays.stream(EventStatus.values())
        .filter(value -> value.wire().equals(wire))
        .findFirst()
        .orElseThrow();
  }
}
