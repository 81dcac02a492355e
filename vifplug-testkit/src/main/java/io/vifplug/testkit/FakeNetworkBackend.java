package io.vifplug.testkit;

import io.vifplug.event.EventSink;
import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.EventSource;
import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.PortStatusReader;
import io.vifplug.spi.Registration;
import io.vifplug.testkit.VirtualTime.Order;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A network back end: an event source, a port status reader and local evidence in one. It does what
 * a test tells it to, or behaves as one of the {@link Profile}s when a {@link FakePlugger} it is
 * {@linkplain #attachTo attached} to plugs and unplugs.
 *
 * <p>Deliveries, status and evidence set by hand are thread-safe. Profiles and everything with a
 * time need a {@link VirtualTime} and its thread.
 */
public final class FakeNetworkBackend implements EventSource {
  /**
   * Who wires and announces ports. Timings are those measured on Neutron 21.0, rounded; "after a
   * poll" is the next multiple of the poll interval (2 s) that is later than the change.
   */
  public enum Profile {
    /** Nothing but what the test says. */
    SCRIPTED(null),
    /**
     * ml2/ovs: 0.8 s after a poll that finds a new device: plugged; that misses one: unplugged. A
     * device that went and came back between two polls is wired again without an event.
     */
    ML2_OVS("openvswitch"),
    /** ml2/ovs with a bridge per port: the same timing. */
    ML2_OVS_HYBRID("openvswitch"),
    /**
     * ml2/ovn: plugged 0.15 s after the plug and again 2 s later; unplugged 0.8 s after the unplug
     * and, 2 s after that, a false plugged (LP 2112569).
     */
    ML2_OVN("ovn"),
    /** OpenDaylight: announces at binding, nothing at plug (LP 1755890). */
    NETWORKING_ODL("opendaylight_v2"),
    /** Linux bridge: like ml2/ovs, at the poll itself. */
    LINUXBRIDGE("linuxbridge"),
    /** SR-IOV: nothing. */
    SRIOVNICSWITCH("sriovnicswitch");

    private final @Nullable String driver;

    Profile(@Nullable String driver) {
      this.driver = driver;
    }

    /**
     * The mechanism driver that behaves so.
     *
     * @return its name as in {@code bound_drivers}; null for {@link #SCRIPTED}
     */
    public @Nullable String driver() {
      return driver;
    }

    /**
     * Reads the word used in scenario files.
     *
     * @param word for example {@code ml2-ovs}
     * @return the profile
     * @throws IllegalArgumentException if there is none of that name; the message lists all
     */
    public static Profile of(String word) {
      for (Profile profile : values()) {
        if (profile.word().equals(word)) {
          return profile;
        }
      }
      throw new IllegalArgumentException(
          "no back end profile '%s'; there are %s"
              .formatted(word, List.of(values()).stream().map(Profile::word).toList()));
    }

    /**
     * The word used in scenario files.
     *
     * @return for example {@code ml2-ovs}
     */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final @Nullable VirtualTime time;
  private final CopyOnWriteArrayList<EventSink> sinks = new CopyOnWriteArrayList<>();
  private final AtomicLong deliveries = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final PortBoard board = new PortBoard();
  private final @Nullable WiringModel model;

  /**
   * A scripted back end in virtual time.
   *
   * @param time the time
   */
  public FakeNetworkBackend(VirtualTime time) {
    this.time = time;
    this.model = new WiringModel(time, board, event -> deliver(event));
  }

  /** A scripted back end for tests with real threads: no profiles, no scripts over time. */
  public FakeNetworkBackend() {
    this.time = null;
    this.model = null;
  }

  /**
   * Behaves as a profile from now on.
   *
   * @param profile the profile of ports that name no driver or its own; a port bound by the driver
   *     of another profile behaves as that one
   * @return this
   */
  public FakeNetworkBackend useProfile(Profile profile) {
    model().profile(profile);
    return this;
  }

  /**
   * Wires at most so many ports a second, first come first served.
   *
   * @param ports how many; more than zero
   * @return this
   */
  public FakeNetworkBackend capacityPerSecond(double ports) {
    model().capacityPerSecond(ports);
    return this;
  }

  /**
   * How often agents poll.
   *
   * @param interval more than zero; 2 s unless set
   * @return this
   */
  public FakeNetworkBackend pollInterval(Duration interval) {
    model().pollInterval(interval);
    return this;
  }

  /**
   * Loses what the profile announces before a time. Wiring goes on.
   *
   * @param sinceStart the time; what is announced then is delivered
   * @return this
   */
  public FakeNetworkBackend silentUntil(Duration sinceStart) {
    model().silentUntil(sinceStart);
    return this;
  }

  /**
   * Makes every wiring and announcement of the profile later by a random time.
   *
   * @param seed the same seed gives the same run
   * @param max the most; more than zero
   * @return this
   */
  public FakeNetworkBackend jitter(long seed, Duration max) {
    model().jitter(seed, max);
    return this;
  }

  /**
   * Listens to what a plugger does.
   *
   * @param plugger the plugger
   * @return stops listening
   */
  public Registration attachTo(FakePlugger plugger) {
    return plugger.onWiring(model());
  }

  @Override
  public Registration start(EventSink sink) {
    if (sinks.isEmpty()) {
      deliveries.set(0);
    }
    sinks.add(sink);
    return () -> sinks.remove(sink);
  }

  @Override
  public Health health() {
    return new Health(!sinks.isEmpty(), deliveries.get(), 0);
  }

  /**
   * Delivers events now, as one body.
   *
   * @param events the events in order
   * @return what became of each; CLOSED if nobody listens: they are lost then
   */
  public List<Disposition> deliver(NetworkEvent... events) {
    return deliver(List.of(events));
  }

  /**
   * Delivers events now, as one body.
   *
   * @param events the events in order
   * @return what became of each, as the first listening sink says; CLOSED if nobody listens: they
   *     are lost then
   */
  public List<Disposition> deliver(List<NetworkEvent> events) {
    List<Disposition> first = null;
    for (EventSink sink : sinks) {
      List<Disposition> answer = sink.deliver(events);
      first = first == null ? answer : first;
    }
    if (first == null) {
      lost.addAndGet(events.size());
      return Collections.nCopies(events.size(), Disposition.CLOSED);
    }
    deliveries.incrementAndGet();
    return first;
  }

  /**
   * Delivers events at a virtual time, as one body.
   *
   * @param sinceStart when
   * @param events the events in order
   * @return cancels it
   */
  public Registration deliverAt(Duration sinceStart, NetworkEvent... events) {
    return time().at(sinceStart, Order.EVENT, () -> deliver(events));
  }

  /**
   * Announces a port as plugged, now.
   *
   * @param guest the guest's id
   * @param port the port's id
   * @return what became of it
   */
  public Disposition plugged(UUID guest, UUID port) {
    return deliver(NetworkEvent.plugged(guest, port)).get(0);
  }

  /**
   * Announces a port as unplugged, now.
   *
   * @param guest the guest's id
   * @param port the port's id
   * @return what became of it
   */
  public Disposition unplugged(UUID guest, UUID port) {
    return deliver(NetworkEvent.unplugged(guest, port)).get(0);
  }

  /**
   * The view of this host: READY from wiring, NOT_READY from plug, GONE from unplug.
   *
   * @return the evidence; NOT_READY, never changing, for ports that no profile wires and no script
   *     mentions
   */
  public LocalEvidence localEvidence() {
    return board;
  }

  /**
   * The view of the network back end: ACTIVE from wiring, DOWN from the announcement of unplug.
   *
   * @return the reader; knows no port that no profile wires and no script mentions
   */
  public PortStatusReader portStatusReader() {
    return board;
  }

  /**
   * Scripts the status of a port; the profile does not change it any more. Not known before the
   * first scripted time.
   *
   * @param port the port's id
   * @param at when, since the start
   * @param status the status word from then on, or null for not known
   * @return this
   */
  public FakeNetworkBackend scriptStatus(UUID port, Duration at, @Nullable String status) {
    board.claimStatus(port);
    whenDue(at, () -> board.scriptStatus(port, status));
    return this;
  }

  /**
   * Scripts the local evidence of a port; the profile does not change it any more. NOT_READY before
   * the first scripted time.
   *
   * @param port the port's id
   * @param at when, since the start
   * @param state what is shown from then on, with a new revision
   * @return this
   */
  public FakeNetworkBackend scriptLocal(UUID port, Duration at, LocalEvidence.State state) {
    board.claimLocal(port);
    whenDue(at, () -> board.scriptLocal(port, state));
    return this;
  }

  /**
   * Sets the status of a port now; the profile does not change it any more.
   *
   * @param port the port's id
   * @param status the status word, or null for not known
   */
  public void setStatus(UUID port, @Nullable String status) {
    board.claimStatus(port);
    board.scriptStatus(port, status);
  }

  /**
   * Sets the local evidence of a port now, with a new revision; the profile does not change it any
   * more.
   *
   * @param port the port's id
   * @param state what is shown
   */
  public void setLocal(UUID port, LocalEvidence.State state) {
    board.claimLocal(port);
    board.scriptLocal(port, state);
  }

  /**
   * Whether the profile has wired a port: traffic flows.
   *
   * @param port the port's id
   * @return true if it is plugged and wired
   */
  public boolean isWired(UUID port) {
    return model != null && model.wiredAt(port) != null;
  }

  /**
   * Since when a port is wired.
   *
   * @param port the port's id
   * @return the time since the start, or null if it is not wired
   */
  public @Nullable Duration wiredAt(UUID port) {
    return model == null ? null : model.wiredAt(port);
  }

  /**
   * When a port was last unwired.
   *
   * @param port the port's id
   * @return the time since the start, or null if it never was
   */
  public @Nullable Duration unwiredAt(UUID port) {
    return model == null ? null : model.unwiredAt(port);
  }

  /**
   * How many events nobody heard: announced while silent, or delivered while nobody listened.
   *
   * @return the count
   */
  public long lost() {
    return lost.get() + (model == null ? 0 : model.silenced());
  }

  private void whenDue(Duration at, Runnable change) {
    Duration now = time == null ? Duration.ZERO : time.elapsed();
    if (at.compareTo(now) <= 0) {
      change.run();
    } else {
      var unused = time().at(at, Order.EVENT, change);
    }
  }

  private VirtualTime time() {
    if (time == null) {
      throw new IllegalStateException("this needs a back end with virtual time");
    }
    return time;
  }

  private WiringModel model() {
    if (model == null) {
      throw new IllegalStateException("profiles need a back end with virtual time");
    }
    return model;
  }
}
