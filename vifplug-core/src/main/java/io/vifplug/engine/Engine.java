package io.vifplug.engine;

import io.vifplug.Guest;
import io.vifplug.HostHealth;
import io.vifplug.Plan;
import io.vifplug.PlugCall;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugRequest;
import io.vifplug.Progress;
import io.vifplug.Reason;
import io.vifplug.backend.BackendMatrix;
import io.vifplug.event.EventSource;
import io.vifplug.network.NetworkInfo;
import io.vifplug.network.Vif;
import io.vifplug.spi.Calls;
import io.vifplug.spi.GuestDirectory;
import io.vifplug.spi.GuestDirectory.Place;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.Hypervisor;
import io.vifplug.spi.Journal;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.PlugListener;
import io.vifplug.spi.PortStatusReader;
import io.vifplug.spi.Registration;
import io.vifplug.spi.Timing;
import io.vifplug.spi.VifPlugger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the parts together and finds the lane of a guest. Thread-safe. */
public final class Engine {
  private static final Logger log = LoggerFactory.getLogger(Engine.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
  private static final int ENGINE_THREADS = 4;
  private static final int CALL_THREADS = 16;

  /** What the builder hands over; nulls mean the real thing, or none where there is none. */
  public record Parts(
      Hypervisor hypervisor,
      List<VifPlugger> pluggers,
      List<EventSource> sources,
      List<PlugListener> listeners,
      @Nullable LocalEvidence localEvidence,
      @Nullable PortStatusReader statusReader,
      PlugPolicy policy,
      BackendMatrix matrix,
      @Nullable String defaultDriver,
      @Nullable Journal journal,
      @Nullable GuestDirectory directory,
      int maxInFlight,
      int silentAfter,
      @Nullable Timing timing,
      @Nullable Calls calls,
      @Nullable Executor executor) {}

  private static final class Held {
    private final Lane lane;
    private int users;

    private Held(Lane lane) {
      this.lane = lane;
    }
  }

  private final Parts parts;
  private final Executor executor;
  private final Context context;
  private final Planner planner;
  private final Map<UUID, Held> lanes = new ConcurrentHashMap<>();
  private final Set<EngineCall> open = ConcurrentHashMap.newKeySet();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
  private final AtomicLong generations = new AtomicLong();
  private final List<Registration> registrations = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  private Engine(Parts parts) {
    this.parts = parts;
    Timing timing = parts.timing() == null ? new RealTiming() : parts.timing();
    Calls calls = parts.calls() == null ? new ThreadCalls(CALL_THREADS, timing) : parts.calls();
    this.executor = parts.executor() == null ? threads("vifplug-engine-") : parts.executor();
    Executor callbacks = parts.executor() == null ? threads("vifplug-notify-") : parts.executor();
    Notifier notifier = new Notifier(parts.listeners(), callbacks);
    HealthBook health = new HealthBook(timing, parts.sources(), parts.silentAfter(), notifier);
    WatchRegistry watches = new WatchRegistry(timing, this::place, health::event);
    this.context =
        new Context(
            parts.hypervisor(),
            parts.pluggers(),
            parts.localEvidence(),
            parts.statusReader(),
            parts.journal() == null ? Journal.inMemory() : parts.journal(),
            timing,
            calls,
            watches,
            new OwnUnplugs(timing),
            new ConcurrentHashMap<>(),
            new ConcurrentHashMap<>(),
            new Admission(parts.maxInFlight()),
            notifier,
            health);
    this.planner =
        new Planner(
            new Expectations(
                parts.matrix(),
                parts.defaultDriver(),
                !parts.sources().isEmpty(),
                parts.localEvidence(),
                parts.statusReader() != null),
            parts.pluggers(),
            parts.hypervisor().canAttach());
  }

  private static Executor threads(String name) {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            ENGINE_THREADS,
            ENGINE_THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Starts listening, to the hypervisor first and then to the network back end. */
  public static Engine start(Parts parts) {
    Engine engine = new Engine(parts);
    engine.listen();
    return engine;
  }

  private void listen() {
    try {
      registrations.add(context.hypervisor().onNews(this::news));
      LocalEvidence local = context.local();
      if (local != null) {
        registrations.add(local.onChange(this::localChanged));
      }
      for (EventSource source : parts.sources()) {
        registrations.add(source.start(context.watches()));
      }
    } catch (RuntimeException cannotListen) {
      stopListening();
      throw cannotListen;
    }
  }

  private void stopListening() {
    registrations.forEach(Registration::close);
    registrations.clear();
  }

  // --- operations ---

  public PlugCall submit(PlugRequest request) {
    PlugPolicy policy = request.policy() == null ? parts.policy() : request.policy();
    UUID guest = request.guest().id();
    Lane lane = acquire(guest);
    AtomicLong state = new AtomicLong();
    Attempt[] attempt = new Attempt[1];
    EngineCall call =
        new EngineCall(
            guest,
            request.operation(),
            () ->
                lane.execute(
                    () ->
                        attempt[0].endSoon(
                            Ending.cancelled(
                                Reason.CALLER, null, "the caller cancelled the operation"))));
    open.add(call);
    attempt[0] =
        new Attempt(
            context,
            lane,
            request,
            policy,
            generations,
            call,
            () -> {
              if (state.compareAndSet(0, 1)) {
                open.remove(call);
                release(guest);
              }
            });
    if (closed) {
      lane.execute(
          () ->
              attempt[0].end(
                  Ending.rejected(
                      Reason.CLOSED,
                      "vifplug is closed; nothing was touched: reopen it or use another instance")));
    } else {
      lane.execute(() -> admit(lane, attempt[0]));
    }
    return call;
  }

  private void admit(Lane lane, Attempt attempt) {
    attempt.guarded(() -> lane.admit(attempt));
    warnOnce(attempt.plan());
  }

  private void warnOnce(Plan plan) {
    for (String note : plan.notes()) {
      if (note.startsWith("driver ") && warned.add(note)) {
        log.warn("{}", note);
      } else {
        log.debug("guest {}: {}", plan.guest(), note);
      }
    }
  }

  public Plan explain(PlugRequest request) {
    PlugPolicy policy = request.policy() == null ? parts.policy() : request.policy();
    Lane lane = acquire(request.guest().id());
    try {
      return lane.plan(request, policy);
    } finally {
      release(request.guest().id());
    }
  }

  public List<Vif> pluggedVifs(UUID guest) {
    Held held = lanes.get(guest);
    return held == null ? List.of() : List.copyOf(held.lane.plugged().values());
  }

  public void adopt(Guest guest, NetworkInfo network) {
    Lane lane = acquire(guest.id());
    lane.execute(
        () -> {
          lane.adopt(network.vifs());
          release(guest.id());
        });
  }

  public List<Progress> progress() {
    return open.stream().map(EngineCall::progress).toList();
  }

  public HostHealth health() {
    boolean listening = !parts.sources().isEmpty();
    long calls = 0;
    long authFailures = 0;
    for (EventSource source : parts.sources()) {
      EventSource.Health health = source.health();
      listening &= health.listening();
      calls += health.calls();
      authFailures += health.authFailures();
    }
    HealthBook book = context.health();
    return new HostHealth(
        listening,
        calls,
        authFailures,
        book.events(),
        book.timeoutsInARow(),
        book.silent(),
        book.stalledGuests(),
        context.admission().inFlight(),
        context.admission().queued(),
        context.watches().size(),
        book.stuckCalls());
  }

  // --- closing ---

  public CompletionStage<List<String>> closeAsync() {
    closed = true;
    context.watches().shut(true);
    Ending ending =
        Ending.cancelled(
            Reason.CLOSED, null, "vifplug was closed while the operation was under way");
    lanes.values().forEach(held -> held.lane.execute(() -> held.lane.close(ending)));
    CompletableFuture<List<String>> done = new CompletableFuture<>();
    Registration timeout =
        context.timing().schedule(CLOSE_TIMEOUT, () -> done.complete(unfinished()));
    List<CompletableFuture<?>> ends = new ArrayList<>();
    for (EngineCall call : open) {
      ends.add(call.outcome().toCompletableFuture());
    }
    CompletableFuture<Boolean> ended =
        CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
            .thenApply(all -> done.complete(unfinished()));
    log.debug("closing: {} operations are open, all ended: {}", ends.size(), ended.isDone());
    return done.thenApply(
        left -> {
          timeout.close();
          stopListening();
          return left;
        });
  }

  private List<String> unfinished() {
    List<String> left = new ArrayList<>();
    for (EngineCall call : open) {
      Progress progress = call.progress();
      if (progress.outcome() == null || !progress.outcome().cleanupComplete()) {
        left.add(
            progress.operation()
                + " of guest "
                + progress.guest()
                + " is not cleaned up: "
                + (progress.outcome() == null ? progress.phase() : progress.outcome().leftovers()));
      }
    }
    return left;
  }

  public void close() {
    List<String> left = closeAsync().toCompletableFuture().join();
    left.forEach(what -> log.warn("left at close: {}", what));
  }

  public void reopen() {
    if (!closed) {
      throw new IllegalStateException("vifplug is not closed");
    }
    listen();
    context.watches().shut(false);
    closed = false;
  }

  // --- news and places ---

  private void news(GuestNews news) {
    Held held = lanes.get(news.guest());
    if (held != null) {
      held.lane.execute(() -> held.lane.news(news));
    }
  }

  private void localChanged(UUID port) {
    Attempt attempt = context.listening().get(port);
    if (attempt != null) {
      attempt.lane().execute(() -> attempt.waits().localChanged(port));
    }
  }

  private Place place(UUID guest) {
    if (lanes.containsKey(guest)) {
      return Place.HERE;
    }
    GuestDirectory directory = parts.directory();
    return directory == null ? Place.UNKNOWN : directory.find(guest);
  }

  // --- lanes ---

  private Lane acquire(UUID guest) {
    return lanes.compute(
            guest,
            (id, held) -> {
              Held kept = held == null ? new Held(new Lane(id, context, planner, executor)) : held;
              kept.users++;
              return kept;
            })
        .lane;
  }

  private void release(UUID guest) {
    lanes.computeIfPresent(
        guest, (id, held) -> --held.users == 0 && held.lane.isForgettable() ? null : held);
  }
}
