package io.vifplug;

import io.vifplug.backend.BackendMatrix;
import io.vifplug.engine.Engine;
import io.vifplug.event.EventSource;
import io.vifplug.network.NetworkInfo;
import io.vifplug.network.Vif;
import io.vifplug.spi.Calls;
import io.vifplug.spi.GuestDirectory;
import io.vifplug.spi.Hypervisor;
import io.vifplug.spi.Journal;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.PlugListener;
import io.vifplug.spi.PortStatusReader;
import io.vifplug.spi.Timing;
import io.vifplug.spi.VifPlugger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Takes a guest from "it should run with these ports" to "it runs, and its network was ready
 * first", or to a clean, explained failure.
 *
 * <p>Thread-safe. No method blocks but {@link #close}; operations of different guests go on side by
 * side, of one guest one at a time. A waiting guest holds no thread. Several instances can live in
 * one JVM.
 */
public final class VifPlug implements AutoCloseable {
  private final Engine engine;

  private VifPlug(Engine engine) {
    this.engine = engine;
  }

  /**
   * Starts building. A hypervisor and at least one plugger are required.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Starts a new guest: plugs, creates it paused, waits for its ports, resumes.
   *
   * @param guest the guest
   * @param network its vifs
   * @return the operation
   */
  public PlugCall spawn(Guest guest, NetworkInfo network) {
    return submit(PlugRequest.of(Operation.SPAWN, guest, network));
  }

  /**
   * Starts a guest that exists: tears its vifs down, plugs them again, waits, resumes.
   *
   * @param guest the guest
   * @param network its vifs
   * @return the operation
   */
  public PlugCall start(Guest guest, NetworkInfo network) {
    return submit(PlugRequest.of(Operation.START, guest, network));
  }

  /**
   * Hard reboots a guest in whatever state it is.
   *
   * @param guest the guest
   * @param network its vifs
   * @return the operation
   */
  public PlugCall hardReboot(Guest guest, NetworkInfo network) {
    return submit(PlugRequest.of(Operation.HARD_REBOOT, guest, network));
  }

  /**
   * Stops a guest and unplugs its vifs. What vifplug plugged it remembers; {@code network} serves
   * for guests that are older than it.
   *
   * @param guest the guest
   * @param network its vifs, may be empty
   * @return the operation
   */
  public PlugCall destroy(Guest guest, NetworkInfo network) {
    return submit(PlugRequest.of(Operation.DESTROY, guest, network));
  }

  /**
   * Does any operation. Bad requests end REJECTED with nothing touched.
   *
   * @param request what to do
   * @return the operation
   */
  public PlugCall submit(PlugRequest request) {
    return engine.submit(Objects.requireNonNull(request, "request"));
  }

  /**
   * The plan that {@link #submit} would carry out now, without carrying it out.
   *
   * @param request what to do
   * @return the plan
   */
  public Plan explain(PlugRequest request) {
    return engine.explain(Objects.requireNonNull(request, "request"));
  }

  /**
   * What vifplug has plugged for a guest and not unplugged since.
   *
   * @param guest the guest's id
   * @return the vifs as they were plugged, in order
   */
  public List<Vif> pluggedVifs(UUID guest) {
    return engine.pluggedVifs(guest);
  }

  /**
   * Tells vifplug of a guest whose vifs were plugged before it started, so that it knows what to
   * unplug and whose events to accept.
   *
   * @param guest the guest
   * @param network its vifs as they were plugged
   */
  public void adopt(Guest guest, NetworkInfo network) {
    engine.adopt(guest, network);
  }

  /**
   * Where every operation stands that has not ended.
   *
   * @return a snapshot
   */
  public List<Progress> progress() {
    return engine.progress();
  }

  /**
   * The state of this host's plugging.
   *
   * @return a snapshot
   */
  public HostHealth health() {
    return engine.health();
  }

  /**
   * Refuses new operations, ends waits at once with CANCELLED(CLOSED) and cleans up in parallel.
   *
   * @return completes when all is clean, or after 10 s, with what is left
   */
  public CompletionStage<List<String>> closeAsync() {
    return engine.closeAsync();
  }

  /** Like {@link #closeAsync}, and waits for it. What is left is logged. */
  @Override
  public void close() {
    engine.close();
  }

  /**
   * Accepts operations and events again after a close.
   *
   * @throws IllegalStateException if it is not closed, or an event source cannot listen
   */
  public void reopen() {
    engine.reopen();
  }

  /** Builds a {@link VifPlug}. Not thread-safe. */
  public static final class Builder {
    private @Nullable Hypervisor hypervisor;
    private final List<VifPlugger> pluggers = new ArrayList<>();
    private final List<EventSource> sources = new ArrayList<>();
    private final List<PlugListener> listeners = new ArrayList<>();
    private @Nullable LocalEvidence localEvidence;
    private @Nullable PortStatusReader statusReader;
    private PlugPolicy policy = PlugPolicy.defaults();
    private BackendMatrix matrix = BackendMatrix.defaults();
    private @Nullable String defaultDriver;
    private @Nullable Journal journal;
    private @Nullable GuestDirectory directory;
    private int maxInFlight = 20;
    private int silentAfter = 3;
    private @Nullable Timing timing;
    private @Nullable Calls calls;
    private @Nullable Executor executor;

    private Builder() {}

    /**
     * What runs the guests. Required.
     *
     * @param value the hypervisor
     * @return this
     */
    public Builder hypervisor(Hypervisor value) {
      hypervisor = Objects.requireNonNull(value);
      return this;
    }

    /**
     * Adds a plugger; the first that supports a vif plugs it. At least one is required.
     *
     * @param value the plugger
     * @return this
     */
    public Builder plugger(VifPlugger value) {
      pluggers.add(Objects.requireNonNull(value));
      return this;
    }

    /**
     * Adds a way events come in. It is started by {@link #build} and listens before the first plug.
     *
     * @param value the source
     * @return this
     */
    public Builder eventSource(EventSource value) {
      sources.add(Objects.requireNonNull(value));
      return this;
    }

    /**
     * Proof on this host that a port is wired.
     *
     * @param value the source of proof
     * @return this
     */
    public Builder localEvidence(LocalEvidence value) {
      localEvidence = Objects.requireNonNull(value);
      return this;
    }

    /**
     * Reads port statuses from the network back end.
     *
     * @param value the reader
     * @return this
     */
    public Builder portStatusReader(PortStatusReader value) {
      statusReader = Objects.requireNonNull(value);
      return this;
    }

    /**
     * The policy of requests that bring none.
     *
     * @param value the policy
     * @return this
     */
    public Builder policy(PlugPolicy value) {
      policy = Objects.requireNonNull(value);
      return this;
    }

    /**
     * Who announces what.
     *
     * @param value the matrix
     * @return this
     */
    public Builder matrix(BackendMatrix value) {
      matrix = Objects.requireNonNull(value);
      return this;
    }

    /**
     * The driver of vifs that do not name theirs.
     *
     * @param value a mechanism driver's name
     * @return this
     */
    public Builder defaultDriver(String value) {
      defaultDriver = Objects.requireNonNull(value);
      return this;
    }

    /**
     * Remembers across restarts. Without one, memory serves, and a crash forgets.
     *
     * @param value the journal
     * @return this
     */
    public Builder journal(Journal value) {
      journal = Objects.requireNonNull(value);
      return this;
    }

    /**
     * Knows which guests are on this host, besides those vifplug knows itself.
     *
     * @param value the directory
     * @return this
     */
    public Builder guestDirectory(GuestDirectory value) {
      directory = Objects.requireNonNull(value);
      return this;
    }

    /**
     * How many guests may be between the opening and the end of their watch at once.
     *
     * @param value 1 or more; 20 unless set
     * @return this
     */
    public Builder maxInFlight(int value) {
      maxInFlight = value;
      return this;
    }

    /**
     * After how many timeouts in a row without any event the source is reported silent.
     *
     * @param value 1 or more; 3 unless set
     * @return this
     */
    public Builder silentAfter(int value) {
      silentAfter = value;
      return this;
    }

    /**
     * Adds a listener.
     *
     * @param value the listener
     * @return this
     */
    public Builder listener(PlugListener value) {
      listeners.add(Objects.requireNonNull(value));
      return this;
    }

    /**
     * Replaces the clock and the timer, for tests.
     *
     * @param value the timing
     * @return this
     */
    public Builder timing(Timing value) {
      timing = Objects.requireNonNull(value);
      return this;
    }

    /**
     * Replaces the threads of blocking calls.
     *
     * @param value the calls
     * @return this
     */
    public Builder calls(Calls value) {
      calls = Objects.requireNonNull(value);
      return this;
    }

    /**
     * Replaces the threads of the engine itself. Its tasks are short.
     *
     * @param value the executor
     * @return this
     */
    public Builder executor(Executor value) {
      executor = Objects.requireNonNull(value);
      return this;
    }

    /**
     * Builds it and starts its event sources.
     *
     * @return the running instance
     * @throws IllegalArgumentException if the configuration is impossible; lists all faults
     * @throws IllegalStateException if an event source cannot listen
     */
    public VifPlug build() {
      List<String> faults = new ArrayList<>(policy.faults());
      if (hypervisor == null) {
        faults.add("no hypervisor is configured");
      }
      if (pluggers.isEmpty()) {
        faults.add("no plugger is configured");
      }
      if (maxInFlight < 1) {
        faults.add("maxInFlight is " + maxInFlight + "; expected 1 or more");
      }
      if (silentAfter < 1) {
        faults.add("silentAfter is " + silentAfter + "; expected 1 or more");
      }
      if (sources.isEmpty()
          && localEvidence == null
          && statusReader == null
          && policy.onTimeout() == OnTimeout.FAIL
          && !policy.timeout().isZero()) {
        faults.add(
            "no event source, local evidence or port status reader is configured, and the policy is"
                + " to fail when evidence does not come: every awaited guest would fail; configure"
                + " one, or choose a timeout of zero or onTimeout RESUME");
      }
      if (hypervisor == null || !faults.isEmpty()) {
        throw new IllegalArgumentException(
            "impossible configuration: " + String.join("; ", faults));
      }
      return new VifPlug(
          Engine.start(
              new Engine.Parts(
                  hypervisor,
                  List.copyOf(pluggers),
                  List.copyOf(sources),
                  List.copyOf(listeners),
                  localEvidence,
                  statusReader,
                  policy,
                  matrix,
                  defaultDriver,
                  journal,
                  directory,
                  maxInFlight,
                  silentAfter,
                  timing,
                  calls,
                  executor)));
    }
  }
}
