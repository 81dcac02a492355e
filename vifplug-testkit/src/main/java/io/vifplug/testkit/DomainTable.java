package io.vifplug.testkit;

import io.vifplug.Guest;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.GuestStatus;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.spi.HostException;
import io.vifplug.spi.Hypervisor.Resumed;
import io.vifplug.testkit.FakeHypervisor.Domain;
import io.vifplug.testkit.FakeHypervisor.Pauser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The state machine behind {@link FakeHypervisor}. Its owner holds a lock around every call. */
final class DomainTable {
  private final Timeline timeline;
  private final Map<UUID, Domain> domains = new LinkedHashMap<>();
  private final Map<String, UUID> names = new HashMap<>();
  // Guests that somebody else changed, or whose destroy failed: what follows is not misuse.
  private final Set<UUID> excused = new TreeSet<>();
  private long lastInstance;

  DomainTable(Timeline timeline) {
    this.timeline = timeline;
  }

  @Nullable Domain get(UUID guest) {
    return domains.get(guest);
  }

  Map<UUID, Domain> all() {
    return new LinkedHashMap<>(domains);
  }

  void excuse(UUID guest) {
    excused.add(guest);
  }

  /** Whether the guest runs or is paused with the port, and nothing excuses taking it away. */
  boolean holds(UUID guest, UUID port) {
    Domain domain = domains.get(guest);
    return domain != null
        && (domain.state() == State.RUNNING || domain.state() == State.PAUSED)
        && domain.ports().contains(port)
        && !excused.contains(guest);
  }

  void put(Guest guest, State state, @Nullable Pauser pausedBy, List<Vif> vifs) {
    if (state == State.ABSENT) {
      forget(guest.id());
      return;
    }
    String instance = state.isActive() ? nextInstance() : null;
    List<UUID> used = state.isActive() ? ports(vifs) : List.of();
    keep(new Domain(guest, state, pausedBy, instance, true, used));
  }

  void undefine(Guest guest) throws HostException {
    Domain domain = domains.get(guest.id());
    if (domain != null && domain.state().isActive()) {
      throw new HostException(
          HostException.Kind.GENERIC,
          "cannot undefine guest %s: it is %s".formatted(guest, domain.state()));
    }
    forget(guest.id());
  }

  GuestStatus status(Guest guest) {
    Domain domain = domains.get(guest.id());
    UUID owner = names.get(guest.name());
    UUID other = guest.id().equals(owner) ? null : owner;
    if (domain == null) {
      return new GuestStatus(State.ABSENT, false, null, false, other);
    }
    return new GuestStatus(
        domain.state(),
        domain.pausedBy() == Pauser.LIBRARY,
        domain.instance(),
        domain.defined(),
        other);
  }

  String create(String step, Guest guest, List<Vif> vifs, @Nullable Pauser pauser)
      throws HostException {
    Domain old = domains.get(guest.id());
    if (old != null && old.state().isActive()) {
      if (!excused.contains(guest.id())) {
        timeline.violation(step + " of guest " + guest.id() + " while it is " + old.state());
      }
      throw new HostException(
          HostException.Kind.GENERIC, "guest " + guest + " is active already: " + old.state());
    }
    UUID owner = names.get(guest.name());
    if (owner != null && !owner.equals(guest.id())) {
      throw new HostException(
          HostException.Kind.GENERIC,
          "domain '%s' already exists with uuid %s".formatted(guest.name(), owner));
    }
    excused.remove(guest.id());
    State state = pauser == null ? State.RUNNING : State.PAUSED;
    String instance = nextInstance();
    keep(new Domain(guest, state, pauser, instance, true, ports(vifs)));
    return instance;
  }

  Resumed resume(Guest guest, String instance, List<GuestNews> news) throws HostException {
    Domain domain = domains.get(guest.id());
    if (domain == null || !instance.equals(domain.instance()) || domain.state() == State.CRASHED) {
      throw new HostException(
          HostException.Kind.GONE, "run " + instance + " of guest " + guest + " is gone");
    }
    if (domain.state() == State.RUNNING) {
      return Resumed.RAN_ALREADY;
    }
    if (domain.pausedBy() != Pauser.LIBRARY) {
      return Resumed.PAUSED_BY_OTHERS;
    }
    domains.put(guest.id(), domain.running());
    news.add(new GuestNews(guest.id(), GuestNews.Change.RUNNING, instance));
    return Resumed.RESUMED;
  }

  @Nullable GuestNews stop(UUID guest) {
    Domain domain = domains.get(guest);
    if (domain == null || !domain.state().isActive()) {
      return null;
    }
    if (domain.defined()) {
      domains.put(guest, domain.off());
    } else {
      forget(guest);
    }
    excused.remove(guest);
    return new GuestNews(guest, GuestNews.Change.GONE, domain.instance());
  }

  GuestNews change(UUID guest, GuestNews.Change change) {
    Domain domain = domains.get(guest);
    if (change == GuestNews.Change.GONE) {
      GuestNews news = stop(guest);
      return news != null ? news : new GuestNews(guest, change, null);
    }
    if (domain == null) {
      throw new IllegalArgumentException("the hypervisor does not know guest " + guest);
    }
    String instance = domain.instance() != null ? domain.instance() : nextInstance();
    Domain active =
        new Domain(
            domain.guest(),
            domain.state(),
            domain.pausedBy(),
            instance,
            domain.defined(),
            domain.ports());
    domains.put(
        guest,
        switch (change) {
          case CRASHED -> active.crashed();
          case PAUSED -> active.paused(Pauser.USER);
          default -> active.running();
        });
    return new GuestNews(guest, change, instance);
  }

  void changePorts(boolean attach, Guest guest, UUID port) throws HostException {
    Domain domain = domains.get(guest.id());
    boolean active = domain != null && domain.state().isActive();
    if (domain == null || !active) {
      if (attach) {
        throw new HostException(HostException.Kind.GONE, "guest " + guest + " does not run");
      }
      return;
    }
    List<UUID> ports = new ArrayList<>(domain.ports());
    boolean unused = ports.remove(port);
    if (attach) {
      ports.add(port);
    }
    domains.put(guest.id(), domain.withPorts(ports));
  }

  private void keep(Domain domain) {
    forget(domain.guest().id());
    domains.put(domain.guest().id(), domain);
    names.put(domain.guest().name(), domain.guest().id());
  }

  private void forget(UUID guest) {
    Domain old = domains.remove(guest);
    if (old != null) {
      names.remove(old.guest().name(), guest);
    }
  }

  private String nextInstance() {
    return String.valueOf(++lastInstance);
  }

  private static List<UUID> ports(List<Vif> vifs) {
    return vifs.stream().map(Vif::port).toList();
  }
}
