package io.vifplug.testkit;

import io.vifplug.Guest;
import io.vifplug.network.Vif;
import io.vifplug.network.VifType;
import io.vifplug.spi.HostException;
import io.vifplug.spi.Registration;
import io.vifplug.spi.VifPlugger;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A plugger in memory, with durations, faults and listeners from a {@link HostScript}. Thread-safe.
 * Effects happen at the entry of a call; a call that is scripted to fail has none.
 */
public final class FakePlugger implements VifPlugger {
  /** The vif types that are supported unless {@link #supportOnly} says otherwise. */
  public static final Set<String> DEFAULT_TYPES =
      Set.of(
          "ovs",
          "bridge",
          "tap",
          "vhostuser",
          "hw_veb",
          "hostdev_physical",
          "macvtap",
          "vdpa",
          "802.1qbg",
          "802.1qbh",
          "ib_hostdev",
          "agilio_ovs",
          "midonet",
          "macvlan");

  /** Told when a vif has been plugged or unplugged, at once and on the thread of the call. */
  public interface WiringListener {
    /**
     * A vif is plugged that was not.
     *
     * @param guest the guest's id
     * @param vif the vif
     */
    void plugged(UUID guest, Vif vif);

    /**
     * A vif is unplugged that was plugged.
     *
     * @param guest the guest's id
     * @param vif the vif
     */
    void unplugged(UUID guest, Vif vif);

    /**
     * A vif was plugged before the test began.
     *
     * @param guest the guest's id
     * @param vif the vif
     */
    default void adopted(UUID guest, Vif vif) {}
  }

  private final HostScript script;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<UUID, Map<UUID, Vif>> plugged = new HashMap<>();
  private final Map<UUID, UUID> owners = new HashMap<>();
  private final CopyOnWriteArrayList<WiringListener> listeners = new CopyOnWriteArrayList<>();
  private final Map<VifType, Moment> moments = new ConcurrentHashMap<>();
  private volatile Set<String> types = DEFAULT_TYPES;
  private volatile boolean refusesForeignPorts;

  /**
   * A plugger with nothing plugged.
   *
   * @param script how it behaves
   */
  public FakePlugger(HostScript script) {
    this.script = script;
  }

  /**
   * Supports these vif types and no others.
   *
   * @param wire the types' words
   */
  public void supportOnly(String... wire) {
    types = Set.of(wire);
  }

  /**
   * Sets when vifs of a type can be plugged.
   *
   * @param type the type
   * @param moment the moment
   */
  public void moment(VifType type, Moment moment) {
    moments.put(type, moment);
  }

  /** Fails the plug of a port that is plugged for another guest, instead of taking it over. */
  public void refuseForeignPorts() {
    refusesForeignPorts = true;
  }

  /**
   * Plugs vifs as they were before the test begins. Tells the network back end, but records
   * nothing.
   *
   * @param guest the guest's id
   * @param vifs its vifs
   */
  public void adopt(UUID guest, List<Vif> vifs) {
    lock.lock();
    try {
      vifs.forEach(vif -> add(guest, vif));
    } finally {
      lock.unlock();
    }
    vifs.forEach(vif -> listeners.forEach(listener -> listener.adopted(guest, vif)));
  }

  /**
   * Tells of every change, in order.
   *
   * @param listener told of each
   * @return stops it
   */
  public Registration onWiring(WiringListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public boolean supports(Vif vif) {
    return types.contains(vif.type().wire());
  }

  @Override
  public Moment moment(Vif vif) {
    return moments.getOrDefault(vif.type(), Moment.BEFORE_CREATE);
  }

  @Override
  public void plug(Guest guest, Vif vif) throws HostException {
    var unused = script.call("plug", guest.id(), vif.port(), () -> doPlug(guest.id(), vif));
  }

  @Override
  public void unplug(Guest guest, Vif vif) throws HostException {
    var unused = script.call("unplug", guest.id(), vif.port(), () -> doUnplug(guest.id(), vif));
  }

  /**
   * What is plugged for a guest.
   *
   * @param guest the guest's id
   * @return a copy, in the order of plugging
   */
  public List<Vif> plugged(UUID guest) {
    lock.lock();
    try {
      return List.copyOf(plugged.getOrDefault(guest, Map.of()).values());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Everything that is plugged.
   *
   * @return a copy: per guest its vifs in the order of plugging; no guest without any
   */
  public Map<UUID, List<Vif>> plugged() {
    lock.lock();
    try {
      Map<UUID, List<Vif>> all = new HashMap<>();
      plugged.forEach((guest, vifs) -> all.put(guest, List.copyOf(vifs.values())));
      return all;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether a port is plugged for any guest.
   *
   * @param port the port's id
   * @return true if it is
   */
  public boolean isPlugged(UUID port) {
    return owner(port) != null;
  }

  /**
   * Whom a port is plugged for.
   *
   * @param port the port's id
   * @return the guest's id, or null if it is not plugged
   */
  public @Nullable UUID owner(UUID port) {
    lock.lock();
    try {
      return owners.get(port);
    } finally {
      lock.unlock();
    }
  }

  private String doPlug(UUID guest, Vif vif) throws HostException {
    if (!supports(vif)) {
      throw new HostException(
          HostException.Kind.UNSUPPORTED,
          "port " + vif.port() + " has vif type " + vif.type() + "; supported are " + types);
    }
    lock.lock();
    try {
      UUID owner = owners.get(vif.port());
      if (guest.equals(owner)) {
        add(guest, vif);
        return "";
      }
      if (owner != null) {
        String conflict =
            "plug of port %s for guest %s while guest %s has it"
                .formatted(vif.port(), guest, owner);
        script.timeline().violation(conflict);
        if (refusesForeignPorts) {
          throw new HostException(HostException.Kind.GENERIC, conflict);
        }
        remove(owner, vif.port());
      }
      add(guest, vif);
    } finally {
      lock.unlock();
    }
    listeners.forEach(listener -> listener.plugged(guest, vif));
    return "";
  }

  private String doUnplug(UUID guest, Vif vif) {
    if (script.isInUse(guest, vif.port())) {
      script
          .timeline()
          .violation("unplug of port " + vif.port() + " under its active guest " + guest);
    }
    Vif removed;
    lock.lock();
    try {
      removed = guest.equals(owners.get(vif.port())) ? remove(guest, vif.port()) : null;
    } finally {
      lock.unlock();
    }
    if (removed != null) {
      listeners.forEach(listener -> listener.unplugged(guest, removed));
    }
    return "";
  }

  private void add(UUID guest, Vif vif) {
    owners.put(vif.port(), guest);
    plugged.computeIfAbsent(guest, unused -> new LinkedHashMap<>()).put(vif.port(), vif);
  }

  private @Nullable Vif remove(UUID guest, UUID port) {
    owners.remove(port);
    Map<UUID, Vif> vifs = plugged.get(guest);
    if (vifs == null) {
      return null;
    }
    Vif removed = vifs.remove(port);
    if (vifs.isEmpty()) {
      plugged.remove(guest);
    }
    return removed;
  }
}
