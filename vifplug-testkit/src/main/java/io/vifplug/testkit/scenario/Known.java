package io.vifplug.testkit.scenario;

import io.vifplug.network.NetworkInfo;
import io.vifplug.network.Vif;
import io.vifplug.testkit.scenario.Scenario.GuestSetup;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Resolves the guests and ports that a scenario file names, or leaves out where there is one. */
final class Known {
  private final List<GuestSetup> guests;
  private final Map<UUID, Set<UUID>> ports = new LinkedHashMap<>();

  Known(List<GuestSetup> guests) {
    this.guests = guests;
    guests.forEach(setup -> addPorts(setup.guest().id(), setup.network()));
  }

  void addPorts(UUID guest, NetworkInfo network) {
    Set<UUID> known = ports.computeIfAbsent(guest, id -> new LinkedHashSet<>());
    network.vifs().stream().map(Vif::port).forEach(known::add);
  }

  /** The guest of an entry: the one it names, else the only one. */
  UUID guest(Place entry) {
    Place named = entry.optional("guest");
    if (named != null) {
      return guestNamed(named);
    }
    if (guests.size() != 1) {
      throw entry.error("expected the key 'guest': there are " + guests.size() + " guests");
    }
    return guests.get(0).guest().id();
  }

  /** The guest that an entry names, or null. */
  @Nullable UUID guestIfNamed(Place entry) {
    Place named = entry.optional("guest");
    return named == null ? null : guestNamed(named);
  }

  private UUID guestNamed(Place named) {
    UUID guest = find(named.text());
    if (guest == null) {
      throw named.expected("the key of a guest, one of " + keys());
    }
    return guest;
  }

  /** As {@link #guest}; strangers may be named by their UUID. */
  UUID guestOrStranger(Place entry) {
    Place named = entry.optional("guest");
    if (named != null && find(named.text()) == null && Place.isUuid(named.text())) {
      return named.uuid();
    }
    return guest(entry);
  }

  private @Nullable UUID find(String key) {
    for (GuestSetup setup : guests) {
      if (setup.key().equals(key)
          || setup.guest().id().toString().equals(key.toLowerCase(Locale.ROOT))) {
        return setup.guest().id();
      }
    }
    return null;
  }

  private String keys() {
    return String.join(", ", guests.stream().map(GuestSetup::key).toList());
  }

  /** The port of an entry: the one it names, else the only one there is. */
  UUID port(Place entry) {
    Place named = entry.optional("port");
    if (named != null) {
      return knownPort(named);
    }
    UUID guest = guest(entry);
    UUID only = onlyPort(guest);
    if (only == null) {
      throw entry.error(
          "expected the key 'port': the guest has " + portsOf(guest).size() + " ports");
    }
    return only;
  }

  /** The port that an entry names, or null. */
  @Nullable UUID portIfNamed(Place entry) {
    Place named = entry.optional("port");
    return named == null ? null : knownPort(named);
  }

  UUID knownPort(Place named) {
    UUID port = named.uuid();
    if (owner(port) == null) {
      throw named.expected("the id of a port in a networkInfo of this scenario");
    }
    return port;
  }

  /** The port with this id or the guest with this key, or null. */
  @Nullable UUID portOrGuest(String text) {
    UUID guest = find(text);
    if (guest != null || !Place.isUuid(text)) {
      return guest;
    }
    UUID port = UUID.fromString(text);
    return owner(port) == null ? null : port;
  }

  boolean isPort(UUID id) {
    return owner(id) != null;
  }

  @Nullable UUID onlyPort(UUID guest) {
    Set<UUID> known = portsOf(guest);
    return known.size() == 1 ? known.iterator().next() : null;
  }

  private Set<UUID> portsOf(UUID guest) {
    return ports.getOrDefault(guest, Set.of());
  }

  /** The first guest with this port, or null. */
  @Nullable UUID owner(UUID port) {
    for (Map.Entry<UUID, Set<UUID>> entry : ports.entrySet()) {
      if (entry.getValue().contains(port)) {
        return entry.getKey();
      }
    }
    return null;
  }

  boolean isGuest(UUID id) {
    return ports.containsKey(id);
  }
}
