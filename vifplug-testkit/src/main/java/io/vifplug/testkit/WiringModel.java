package io.vifplug.testkit;

import io.vifplug.event.NetworkEvent;
import io.vifplug.network.Vif;
import io.vifplug.network.VnicType;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.PortStatusReader;
import io.vifplug.testkit.FakeNetworkBackend.Profile;
import io.vifplug.testkit.VirtualTime.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How agents and controllers of each profile wire ports and announce them. Not thread-safe. */
final class WiringModel implements FakePlugger.WiringListener {
  private static final Duration OVS_WORK = Duration.ofMillis(800);
  private static final Duration OVN_WIRING = Duration.ofMillis(150);
  private static final Duration OVN_UNWIRING = Duration.ofMillis(800);
  private static final Duration OVN_ECHO = Duration.ofSeconds(2);
  private static final Set<VnicType> NEVER_WIRED_HERE =
      Set.of(
          VnicType.DIRECT_PHYSICAL,
          VnicType.REMOTE_MANAGED,
          VnicType.BAREMETAL,
          VnicType.SMART_NIC);

  private final VirtualTime time;
  private final PortBoard board;
  private final Consumer<NetworkEvent> announcements;
  private final Map<UUID, Port> ports = new LinkedHashMap<>();
  private final Set<Port> unseen = new LinkedHashSet<>();
  private Profile profile = Profile.SCRIPTED;
  private Duration pollInterval = Duration.ofSeconds(2);
  private Duration silentUntil = Duration.ZERO;
  private Duration perPort = Duration.ZERO;
  private Duration lastWiring = Duration.ofDays(-1);
  private Duration maxJitter = Duration.ZERO;
  private Random random = new Random(0);
  private boolean pollScheduled;
  private long silenced;

  /** A port as this host and its agent have it. */
  private static final class Port {
    final UUID id;
    UUID guest;
    Profile profile;
    boolean present;
    // Each plug and unplug makes another device; work on an older one is void.
    long device;
    boolean seen;
    long seenDevice;
    // What the back end's data base says.
    boolean up;
    @Nullable Duration wiredAt;
    @Nullable Duration unwiredAt;

    Port(UUID id, UUID guest, Profile profile) {
      this.id = id;
      this.guest = guest;
      this.profile = profile;
    }
  }

  WiringModel(VirtualTime time, PortBoard board, Consumer<NetworkEvent> announcements) {
    this.time = time;
    this.board = board;
    this.announcements = announcements;
  }

  void profile(Profile value) {
    profile = value;
  }

  void pollInterval(Duration value) {
    pollInterval = positive(value, "poll interval");
  }

  void silentUntil(Duration value) {
    silentUntil = value;
  }

  void jitter(long seed, Duration max) {
    random = new Random(seed);
    maxJitter = positive(max, "jitter");
  }

  void capacityPerSecond(double value) {
    if (!(value > 0)) {
      throw new IllegalArgumentException("the capacity is more than zero: " + value);
    }
    perPort = Duration.ofNanos(Math.round(1e9 / value));
  }

  @Nullable Duration wiredAt(UUID port) {
    Port found = ports.get(port);
    return found == null ? null : found.wiredAt;
  }

  @Nullable Duration unwiredAt(UUID port) {
    Port found = ports.get(port);
    return found == null ? null : found.unwiredAt;
  }

  long silenced() {
    return silenced;
  }

  @Override
  public void plugged(UUID guest, Vif vif) {
    Port port = appear(guest, vif);
    if (port == null) {
      return;
    }
    board.profileKnows(port.id);
    board.profileLocal(port.id, LocalEvidence.State.NOT_READY);
    switch (port.profile) {
      case ML2_OVS, ML2_OVS_HYBRID, LINUXBRIDGE -> pollFor(port);
      case ML2_OVN -> wireAfter(port, OVN_WIRING);
      case NETWORKING_ODL -> wire(port, port.device);
      default -> {}
    }
  }

  @Override
  public void adopted(UUID guest, Vif vif) {
    Port port = appear(guest, vif);
    if (port != null && port.profile != Profile.SRIOVNICSWITCH) {
      port.seen = true;
      port.seenDevice = port.device;
      port.up = true;
      showWired(port);
    }
  }

  @Override
  public void unplugged(UUID guest, Vif vif) {
    Port port = ports.get(vif.port());
    if (port == null || !port.present) {
      return;
    }
    boolean wasWired = port.wiredAt != null;
    port.present = false;
    port.device++;
    port.wiredAt = null;
    port.unwiredAt = time.elapsed();
    board.profileLocal(port.id, LocalEvidence.State.GONE);
    switch (port.profile) {
      case ML2_OVS, ML2_OVS_HYBRID, LINUXBRIDGE -> pollFor(port);
      case ML2_OVN -> {
        if (wasWired) {
          unwireOvn(port);
        }
      }
      default -> {}
    }
  }

  private @Nullable Port appear(UUID guest, Vif vif) {
    Profile wiredBy = profileOf(vif);
    if (wiredBy == Profile.SCRIPTED || NEVER_WIRED_HERE.contains(vif.vnicType())) {
      return null;
    }
    Port port = ports.computeIfAbsent(vif.port(), id -> new Port(id, guest, wiredBy));
    port.guest = guest;
    port.profile = wiredBy;
    port.present = true;
    port.device++;
    port.wiredAt = null;
    return port;
  }

  private Profile profileOf(Vif vif) {
    String driver = vif.boundDriver();
    if (driver == null || driver.equals(profile.driver()) || profile == Profile.SCRIPTED) {
      return profile;
    }
    if (driver.equals("opendaylight")) {
      return Profile.NETWORKING_ODL;
    }
    for (Profile other : Profile.values()) {
      if (driver.equals(other.driver())) {
        return other;
      }
    }
    return Profile.SCRIPTED;
  }

  private void pollFor(Port port) {
    unseen.add(port);
    if (!pollScheduled) {
      pollScheduled = true;
      long polls = time.elapsed().dividedBy(pollInterval) + 1;
      var unused = time.at(pollInterval.multipliedBy(polls), Order.EVENT, this::poll);
    }
  }

  private void poll() {
    pollScheduled = false;
    List<Port> changed = new ArrayList<>(unseen);
    unseen.clear();
    for (Port port : changed) {
      Duration work = port.profile == Profile.LINUXBRIDGE ? Duration.ZERO : OVS_WORK;
      boolean vanished = !port.present && port.seen;
      boolean newDevice = port.present && (!port.seen || port.seenDevice != port.device);
      port.seen = port.present;
      port.seenDevice = port.device;
      if (vanished) {
        later(work, () -> unwire(port));
      } else if (newDevice) {
        wireAfter(port, work);
      }
    }
  }

  private void wireAfter(Port port, Duration work) {
    Duration now = time.elapsed();
    Duration ready = now.plus(work).plus(jitter());
    Duration free = lastWiring.plus(perPort);
    Duration at = perPort.isZero() || ready.compareTo(free) >= 0 ? ready : free;
    lastWiring = at;
    long device = port.device;
    runAt(at, () -> wire(port, device));
  }

  private void wire(Port port, long device) {
    if (port.device != device) {
      return;
    }
    boolean news = !port.up;
    port.up = true;
    showWired(port);
    if (port.profile == Profile.ML2_OVN) {
      announce(NetworkEvent.plugged(port.guest, port.id));
      later(
          OVN_ECHO,
          () -> {
            if (port.device == device) {
              announce(NetworkEvent.plugged(port.guest, port.id));
            }
          });
    } else if (news && port.profile != Profile.NETWORKING_ODL) {
      // Wired again while the data base says ACTIVE: no change, no event (LP 1357599, 1694371).
      announce(NetworkEvent.plugged(port.guest, port.id));
    }
  }

  private void showWired(Port port) {
    port.wiredAt = time.elapsed();
    board.profileStatus(port.id, PortStatusReader.ACTIVE);
    board.profileLocal(port.id, LocalEvidence.State.READY);
  }

  private void unwire(Port port) {
    if (port.up) {
      port.up = false;
      board.profileStatus(port.id, "DOWN");
      announce(NetworkEvent.unplugged(port.guest, port.id));
    }
  }

  private void unwireOvn(Port port) {
    UUID guest = port.guest;
    later(
        OVN_UNWIRING,
        () -> {
          if (port.wiredAt == null) {
            port.up = false;
            board.profileStatus(port.id, "DOWN");
          }
          announce(NetworkEvent.unplugged(guest, port.id));
          // LP 2112569: swapped arguments make it look up again.
          later(OVN_ECHO, () -> announce(NetworkEvent.plugged(guest, port.id)));
        });
  }

  private void announce(NetworkEvent event) {
    if (time.elapsed().compareTo(silentUntil) < 0) {
      silenced++;
    } else {
      announcements.accept(event);
    }
  }

  private void later(Duration delay, Runnable task) {
    runAt(time.elapsed().plus(delay).plus(jitter()), task);
  }

  private void runAt(Duration at, Runnable task) {
    if (at.equals(time.elapsed())) {
      task.run();
    } else {
      var unused = time.at(at, Order.EVENT, task);
    }
  }

  private Duration jitter() {
    return maxJitter.isZero()
        ? Duration.ZERO
        : Duration.ofNanos((long) (random.nextDouble() * maxJitter.toNanos()));
  }

  private static Duration positive(Duration value, String what) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException("the " + what + " is more than zero: " + value);
    }
    return value;
  }
}
