package io.vifplug.testkit.scenario;

import io.vifplug.Operation;
import io.vifplug.backend.Announcement;
import io.vifplug.backend.BackendMatrix;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.ReadinessGate;
import io.vifplug.testkit.scenario.Scenario.Backend;
import io.vifplug.testkit.scenario.Scenario.Gate;
import io.vifplug.testkit.scenario.Scenario.LocalChange;
import io.vifplug.testkit.scenario.Scenario.News;
import io.vifplug.testkit.scenario.Scenario.StatusChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads what the world around the agent does: the back end, the hypervisor's news, proofs. */
final class WorldReader {
  private static final List<String> PROFILES =
      List.of(
          "scripted",
          "ml2-ovs",
          "ml2-ovs-hybrid",
          "ml2-ovn",
          "networking-odl",
          "sriovnicswitch",
          "linuxbridge");

  private final Place root;
  private final Known known;

  WorldReader(Place root, Known known) {
    this.root = root;
    this.known = known;
  }

  List<BackendMatrix.Change> matrix() {
    List<BackendMatrix.Change> changes = new ArrayList<>();
    for (Place place : root.items("matrix")) {
      place.onlyKeys(
          "driver", "vnicType", "operation", "announces", "announcesUnplug", "settleAfterUnplug");
      Place driver = place.optional("driver");
      Place vnicType = place.optional("vnicType");
      Place operation = place.optional("operation");
      Place announces = place.optional("announces");
      Place unplug = place.optional("announcesUnplug");
      Place settle = place.optional("settleAfterUnplug");
      boolean anyType = vnicType == null || vnicType.text().equals(BackendMatrix.ANY);
      changes.add(
          new BackendMatrix.Change(
              driver == null ? BackendMatrix.ANY : driver.notBlank(),
              vnicType == null || anyType
                  ? BackendMatrix.ANY
                  : PolicyReader.vnicType(vnicType.text(), vnicType).wire(),
              operation == null ? null : operation.word(Operation.class),
              announces == null ? null : announces.word(Announcement.class),
              unplug == null ? null : unplug.bool(),
              settle == null ? null : settle.time()));
    }
    return changes;
  }

  Backend backend() {
    Place place = root.optional("backend");
    if (place == null) {
      return Backend.SCRIPTED;
    }
    if (!place.isObject()) {
      return new Backend(profile(place), null, null, null);
    }
    place.onlyKeys("profile", "capacityPerSecond", "pollInterval", "silentUntil");
    Place capacity = place.optional("capacityPerSecond");
    Place poll = place.optional("pollInterval");
    Place silent = place.optional("silentUntil");
    return new Backend(
        profile(place.required("profile")),
        capacity == null ? null : capacity.positive(),
        poll == null ? null : poll.moreThanZero(),
        silent == null ? null : silent.time());
  }

  private static @Nullable String profile(Place place) {
    String word = place.word(PROFILES);
    return word.equals("scripted") ? null : word;
  }

  List<News> guestNews() {
    List<News> news = new ArrayList<>();
    for (Place place : root.items("guestEvents")) {
      place.onlyKeys("at", "guestState", "guest");
      news.add(
          new News(
              place.required("at").time(),
              known.guest(place),
              place.required("guestState").word(GuestNews.Change.class)));
    }
    return news;
  }

  @Nullable Map<UUID, List<StatusChange>> portStatus() {
    Place place = root.optional("portStatus");
    if (place == null) {
      return null;
    }
    Map<UUID, List<StatusChange>> statuses = new LinkedHashMap<>();
    place
        .entries()
        .forEach(
            (port, changes) -> {
              UUID id = Place.isUuid(port) ? known.portOrGuest(port) : null;
              if (id == null || !known.isPort(id)) {
                throw changes.error("expected the id of a port in a networkInfo of this scenario");
              }
              statuses.put(id, statusChanges(changes));
            });
    return statuses;
  }

  private static List<StatusChange> statusChanges(Place place) {
    List<StatusChange> changes = new ArrayList<>();
    for (Place item : place.items()) {
      item.onlyKeys("at", "status");
      changes.add(new StatusChange(item.required("at").time(), item.required("status").notBlank()));
    }
    changes.sort(Comparator.comparing(StatusChange::at));
    return changes;
  }

  @Nullable List<LocalChange> localEvidence() {
    if (!root.has("localEvidence")) {
      return null;
    }
    List<LocalChange> changes = new ArrayList<>();
    for (Place place : root.items("localEvidence")) {
      place.onlyKeys("at", "guest", "port", "ready", "gone");
      Place ready = place.optional("ready");
      Place gone = place.optional("gone");
      if ((ready == null) == (gone == null)) {
        throw place.error("expected either the key 'ready' or the key 'gone'");
      }
      LocalEvidence.State shows = LocalEvidence.State.GONE;
      if (ready != null) {
        shows = ready.bool() ? LocalEvidence.State.READY : LocalEvidence.State.NOT_READY;
      } else if (gone != null && !gone.bool()) {
        throw gone.expected("true");
      }
      changes.add(new LocalChange(place.required("at").time(), known.port(place), shows));
    }
    return changes;
  }

  List<Gate> gates() {
    List<Gate> gates = new ArrayList<>();
    for (Place place : root.items("gates")) {
      place.onlyKeys("name", "guest", "port", "phase", "opens", "closes");
      UUID port = known.portIfNamed(place);
      UUID owner = port == null || place.has("guest") ? null : known.owner(port);
      UUID guest = owner == null ? known.guest(place) : owner;
      Place phase = place.optional("phase");
      Place opens = place.optional("opens");
      Place closes = place.optional("closes");
      Duration closing = closes == null ? null : closes.time();
      gates.add(
          new Gate(
              place.required("name").notBlank(),
              guest,
              port == null ? known.onlyPort(guest) : port,
              phase == null ? ReadinessGate.Phase.RESUME : phase.word(ReadinessGate.Phase.class),
              opens == null ? null : opens.time(),
              closing));
    }
    return gates;
  }
}
