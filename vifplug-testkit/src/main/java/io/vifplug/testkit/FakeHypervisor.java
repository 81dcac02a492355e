package io.vifplug.testkit;

import io.vifplug.Guest;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.GuestStatus;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.spi.HostException;
import io.vifplug.spi.Hypervisor;
import io.vifplug.spi.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hypervisor in memory: a state machine per guest that behaves as libvirt does, with durations,
 * faults and listeners from a {@link HostScript}. Thread-safe. Effects happen at the entry of a
 * call; a call that is scripted to fail has none.
 *
 * <p>Creating a guest defines it, so that after a destroy it is SHUTOFF until it is undefined. A
 * destroy tells GONE and a resume tells RUNNING, as a real hypervisor's event stream does.
 */
public final class FakeHypervisor implements Hypervisor {
  /** Who paused a guest. */
  public enum Pauser {
    /** vifplug: the guest carries its mark. */
    LIBRARY,
    /** Somebody else. */
    USER
  }

  /**
   * A guest as the hypervisor has it.
   *
   * @param guest the guest
   * @param state its state
   * @param pausedBy who paused it, null if it is not paused
   * @param instance names this run, null if it does not run
   * @param defined whether a definition exists
   * @param ports the ports of this run, in order
   */
  public record Domain(
      Guest guest,
      State state,
      @Nullable Pauser pausedBy,
      @Nullable String instance,
      boolean defined,
      List<UUID> ports) {
    /** Copies the list. */
    public Domain {
      ports = List.copyOf(ports);
    }

    Domain running() {
      return new Domain(guest, State.RUNNING, null, instance, defined, ports);
    }

    Domain paused(Pauser by) {
      return new Domain(guest, State.PAUSED, by, instance, defined, ports);
    }

    Domain crashed() {
      return new Domain(guest, State.CRASHED, null, instance, defined, ports);
    }

    Domain off() {
      return new Domain(guest, State.SHUTOFF, null, null, true, List.of());
    }

    Domain withPorts(List<UUID> value) {
      return new Domain(guest, state, pausedBy, instance, defined, value);
    }
  }

  private final HostScript script;
  private final ReentrantLock lock = new ReentrantLock();
  private final DomainTable table;
  private final CopyOnWriteArrayList<Consumer<GuestNews>> listeners = new CopyOnWriteArrayList<>();
  private volatile boolean attachable = true;

  /**
   * A hypervisor without guests.
   *
   * @param script how it behaves
   */
  public FakeHypervisor(HostScript script) {
    this.script = script;
    this.table = new DomainTable(script.timeline());
    script.inUse(this::holds);
  }

  /**
   * Puts a guest into a state, as it was before the test begins. Tells nobody.
   *
   * @param guest the guest
   * @param state its state; with ABSENT it is forgotten
   * @param pausedBy who paused it; needed for PAUSED, else null
   * @param vifs the vifs of an active guest
   */
  public void put(Guest guest, State state, @Nullable Pauser pausedBy, List<Vif> vifs) {
    if ((state == State.PAUSED) != (pausedBy != null)) {
      throw new IllegalArgumentException("a guest has a pauser if it is PAUSED, and only then");
    }
    lock.lock();
    try {
      table.put(guest, state, pausedBy, vifs);
    } finally {
      lock.unlock();
    }
  }

  /** Makes {@link #attach} and {@link #detach} unsupported. */
  public void refuseAttach() {
    attachable = false;
  }

  @Override
  public GuestStatus lookup(Guest guest) throws HostException {
    return script.call("lookup", guest.id(), null, () -> locked(() -> table.status(guest)));
  }

  @Override
  public String createPaused(Guest guest, List<Vif> vifs) throws HostException {
    return script.call(
        "createPaused",
        guest.id(),
        null,
        () -> locked(() -> table.create("createPaused", guest, vifs, Pauser.LIBRARY)));
  }

  @Override
  public String createRunning(Guest guest, List<Vif> vifs) throws HostException {
    return script.call(
        "createRunning",
        guest.id(),
        null,
        () -> locked(() -> table.create("createRunning", guest, vifs, null)));
  }

  @Override
  public Resumed resume(Guest guest, String instance) throws HostException {
    List<GuestNews> news = new ArrayList<>();
    Noted<Resumed> found =
        script.call(
            "resume",
            guest.id(),
            null,
            () -> {
              Resumed resumed = locked(() -> table.resume(guest, instance, news));
              news.forEach(this::tellListeners);
              return new Noted<>(resumed, resumed + " instance " + instance);
            });
    return found.value;
  }

  @Override
  public void destroy(Guest guest) throws HostException {
    try {
      var unused = script.call("destroy", guest.id(), null, () -> doDestroy(guest.id()));
    } catch (HostException | RuntimeException | Error failed) {
      excuse(guest.id());
      throw failed;
    }
  }

  @Override
  public void undefine(Guest guest) throws HostException {
    var unused =
        script.call(
            "undefine",
            guest.id(),
            null,
            () ->
                locked(
                    () -> {
                      table.undefine(guest);
                      return "";
                    }));
  }

  @Override
  public void attach(Guest guest, Vif vif) throws HostException {
    changePorts("attach", guest, vif);
  }

  @Override
  public void detach(Guest guest, Vif vif) throws HostException {
    changePorts("detach", guest, vif);
  }

  @Override
  public boolean canAttach() {
    return attachable;
  }

  @Override
  public Registration onNews(Consumer<GuestNews> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /**
   * Changes a guest without being asked by vifplug, and tells of it: GONE stops it, CRASHED crashes
   * it, PAUSED makes it paused by a user, RUNNING makes it run. The news name the run it happened
   * to. A guest that does not run is started by RUNNING and PAUSED.
   *
   * @param guest the guest's id
   * @param change what happens
   * @throws IllegalArgumentException if the hypervisor does not know the guest and it is to run
   */
  public void tell(UUID guest, GuestNews.Change change) {
    GuestNews news;
    lock.lock();
    try {
      news = table.change(guest, change);
      table.excuse(guest);
    } finally {
      lock.unlock();
    }
    tellListeners(news);
  }

  /**
   * Tells news as they are, true or not: late ones, or ones about an older run.
   *
   * @param news the news
   */
  public void tell(GuestNews news) {
    tellListeners(news);
  }

  /**
   * The state of a guest.
   *
   * @param guest the guest's id
   * @return its state
   */
  public State state(UUID guest) {
    Domain domain = domain(guest);
    return domain == null ? State.ABSENT : domain.state();
  }

  /**
   * A guest as it is now.
   *
   * @param guest the guest's id
   * @return what the hypervisor has, or null if it does not know it
   */
  public @Nullable Domain domain(UUID guest) {
    lock.lock();
    try {
      return table.get(guest);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The guests that are paused and carry vifplug's mark.
   *
   * @return their ids
   */
  public Set<UUID> pausedByLibrary() {
    Set<UUID> paused = new TreeSet<>();
    guests()
        .forEach(
            (id, domain) -> {
              if (domain.pausedBy() == Pauser.LIBRARY) {
                paused.add(id);
              }
            });
    return paused;
  }

  /**
   * Every guest the hypervisor knows.
   *
   * @return a copy
   */
  public Map<UUID, Domain> guests() {
    lock.lock();
    try {
      return table.all();
    } finally {
      lock.unlock();
    }
  }

  private String doDestroy(UUID guest) {
    GuestNews news;
    lock.lock();
    try {
      news = table.stop(guest);
    } finally {
      lock.unlock();
    }
    if (news != null) {
      tellListeners(news);
    }
    return "";
  }

  private void changePorts(String step, Guest guest, Vif vif) throws HostException {
    var unused =
        script.call(
            step,
            guest.id(),
            vif.port(),
            () -> {
              if (!attachable) {
                throw new HostException(
                    HostException.Kind.UNSUPPORTED, "this hypervisor cannot " + step);
              }
              return locked(
                  () -> {
                    table.changePorts(step.equals("attach"), guest, vif.port());
                    return "";
                  });
            });
  }

  private boolean holds(UUID guest, UUID port) {
    lock.lock();
    try {
      return table.holds(guest, port);
    } finally {
      lock.unlock();
    }
  }

  private void excuse(UUID guest) {
    lock.lock();
    try {
      table.excuse(guest);
    } finally {
      lock.unlock();
    }
  }

  private void tellListeners(GuestNews news) {
    listeners.forEach(listener -> listener.accept(news));
  }

  private <T> T locked(HostScript.Effect<T> effect) throws HostException {
    lock.lock();
    try {
      return effect.run();
    } finally {
      lock.unlock();
    }
  }

  /** A value and how it reads in the timeline. */
  private record Noted<T>(T value, String note) {
    @Override
    public String toString() {
      return note;
    }
  }
}
