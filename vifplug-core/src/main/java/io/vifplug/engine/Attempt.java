package io.vifplug.engine;

import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.Outcome.Kind;
import io.vifplug.Outcome.StepRecord;
import io.vifplug.Plan;
import io.vifplug.Plan.Step;
import io.vifplug.Plan.StepKind;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugRequest;
import io.vifplug.Priority;
import io.vifplug.Progress;
import io.vifplug.Reason;
import io.vifplug.event.EventName;
import io.vifplug.event.NetworkEvent;
import io.vifplug.network.Vif;
import io.vifplug.spi.Calls;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.HostException;
import io.vifplug.spi.Journal;
import io.vifplug.spi.Registration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One run of one operation: carries the plan out step by step, ends exactly once, cleans up.
 * Confined to its guest's lane; holds no thread between two steps.
 *
 * <p>What the steps do on the host is in {@link HostSteps}, what is waited for in {@link Waits},
 * what is undone in {@link CleanUp}.
 */
final class Attempt implements Executor {
  private static final Logger log = LoggerFactory.getLogger(Attempt.class);
  private static final Duration DEGRADED_WATCH = Duration.ofHours(1);
  private static final Set<StepKind> TAKE_AWAY =
      EnumSet.of(StepKind.DESTROY, StepKind.UNDEFINE, StepKind.UNPLUG, StepKind.DETACH);
  private static final int MOST_LATE_CLEAN_UPS = 3;
  private static final Duration LONGEST_MARGIN = Duration.ofSeconds(1);

  private final Context context;
  private final Lane lane;
  private final PlugRequest request;
  private final PlugPolicy policy;
  private final AtomicLong generations;
  private final EngineCall call;
  private final Runnable released;
  private final @Nullable Attempt firstTry;
  private final Instant startedAt;
  private final long startedNanos;
  private final Timers timers;
  private final List<EngineCall> joined = new ArrayList<>();
  private final List<StepRecord> stepRecords = new ArrayList<>();
  private final List<String> suppressed = new ArrayList<>();
  private final List<StuckCall> stuck = new ArrayList<>();
  private final Set<UUID> toldConfirmed = new HashSet<>();
  private final HostSteps host;
  private final Waits waits;
  private final CleanUp cleanUp;

  private Timers afterEnd;
  private Registration patience = Registration.NONE;
  private long generation;
  private Plan plan;
  private PortBook book;
  private Admission.@Nullable Ticket ticket;
  private @Nullable Watch watch;
  private int nextStep;
  private String phase = "queued";
  private boolean inCall;
  private @Nullable Ending requested;
  private @Nullable Ending ending;
  private boolean told;
  private boolean cleaned;
  private boolean takenOver;
  private int lateCleanUps;

  /** A call that overran its deadline and has not returned: its outcome is unknown. */
  record StuckCall(StepKind kind, @Nullable Vif vif, Instant enteredAt) {
    @Override
    public String toString() {
      return "the "
          + kind.word()
          + " call"
          + (vif == null ? "" : " of port " + vif.port())
          + ", begun at "
          + enteredAt
          + ", has not returned: its outcome is unknown";
    }
  }

  Attempt(
      Context context,
      Lane lane,
      PlugRequest request,
      PlugPolicy policy,
      AtomicLong generations,
      EngineCall call,
      Runnable released) {
    this(context, lane, request, policy, generations, call, released, null);
  }

  private Attempt(
      Context context,
      Lane lane,
      PlugRequest request,
      PlugPolicy policy,
      AtomicLong generations,
      EngineCall call,
      Runnable released,
      @Nullable Attempt firstTry) {
    this.firstTry = firstTry;
    this.generation = firstTry == null ? 0 : firstTry.generation;
    this.context = context;
    this.lane = lane;
    this.request = request;
    this.policy = policy;
    this.generations = generations;
    this.call = call;
    this.released = released;
    this.startedAt = firstTry == null ? context.timing().now() : firstTry.startedAt;
    this.startedNanos = firstTry == null ? context.timing().nanoTime() : firstTry.startedNanos;
    this.timers = new Timers(context.timing(), this);
    this.afterEnd = new Timers(context.timing(), this);
    this.plan =
        new Plan(request.operation(), request.guest().id(), List.of(), Map.of(), null, List.of());
    this.book = new PortBook(plan);
    this.host = new HostSteps(this);
    this.waits = new Waits(this);
    this.cleanUp = new CleanUp(this);
  }

  /** Runs a task of this attempt on the lane; a defect in it ends the attempt. */
  @Override
  public void execute(Runnable task) {
    lane.execute(() -> guarded(task));
  }

  // --- before it begins ---

  /** Counts the caller's deadline from now. */
  void queue() {
    Duration deadline = policy.callerDeadline();
    if (deadline == null || phase.equals("waiting in line")) {
      return;
    }
    phase = "waiting in line";
    publishProgress();
    Duration spent = elapsed();
    Duration twentieth = deadline.dividedBy(20);
    Duration margin = twentieth.compareTo(LONGEST_MARGIN) < 0 ? twentieth : LONGEST_MARGIN;
    timers.after(deadline.minus(margin).minus(spent), waits::callerDeadline);
    afterEnd.after(deadline.minus(spent), this::tellBeforeTheCallerGivesUp);
  }

  /** It is this attempt's turn on its guest; now for its turn on the host. */
  void turn() {
    patience.close();
    phase = "waiting for admission";
    publishProgress();
    if (request.operation().removes()) {
      admitted();
    } else {
      ticket = context.admission().enter(request.priority(), () -> lane.execute(this::admitted));
    }
  }

  /** Waits behind a call that does not return, but not for ever. */
  void waitForTheStuck(String what) {
    patience.close();
    patience =
        timers.after(
            policy.createTimeout(), () -> endSoon(Ending.rejected(Reason.OTHER_IN_PROGRESS, what)));
  }

  private void admitted() {
    if (ending != null) {
      return;
    }
    Plan planned = lane.plan(request, policy);
    if (planned.rejection() != null) {
      reject(planned, planned.rejection());
      return;
    }
    generation = generations.incrementAndGet();
    plan = planned;
    book = new PortBook(plan);
    waits.begin();
    context.notifier().tell(listener -> listener.planned(planned));
    next();
  }

  void reject(Plan planned, Plan.Rejection rejection) {
    plan = planned;
    context.notifier().tell(listener -> listener.planned(planned));
    Ending first = firstTry == null ? null : firstTry.ending;
    if (first == null) {
      end(Ending.rejected(rejection.reason(), rejection.message()));
    } else {
      // The host was touched, so this is no rejection any more.
      suppressed.add("second try: " + rejection.message());
      end(first);
    }
  }

  /** Whether another caller can still be told how this one ends. */
  boolean canBeJoined() {
    return !told && stuck.isEmpty();
  }

  /** A second DESTROY ends as this one does. */
  void join(Attempt newcomer) {
    newcomer.timers.stop();
    newcomer.afterEnd.stop();
    joined.add(newcomer.call);
    newcomer.released.run();
  }

  // --- step by step ---

  /** Goes on with the plan, or ends if that was asked for meanwhile. */
  void next() {
    if (ending != null) {
      return;
    }
    if (requested != null) {
      end(requested);
    } else if (nextStep == plan.steps().size()) {
      end(waits.finalEnding());
    } else {
      enter(plan.steps().get(nextStep++));
    }
  }

  /** Goes back to waiting: what was proven is not proven any more. */
  void backToWaiting() {
    while (plan.steps().get(nextStep - 1).kind() != StepKind.WAIT) {
      nextStep--;
    }
    phase = StepKind.WAIT.word();
  }

  private void enter(Step step) {
    phase = step.kind().word();
    record(step);
    switch (step.kind()) {
      case LOOKUP -> host.lookup();
      case OPEN_WATCH -> openWatch();
      case DESTROY -> host.destroy();
      case UNPLUG -> host.unplug(vif(step));
      case HANDSHAKE -> waits.handshake();
      case BIND -> host.bind();
      case PLUG_GATES -> waits.plugGates();
      case SETTLE -> waits.settle();
      case PLUG -> host.plug(vif(step));
      case CREATE_PAUSED, CREATE_RUNNING -> host.create(step.kind());
      case ATTACH -> host.attach(vif(step));
      case DETACH -> host.detach(vif(step));
      case WAIT -> waits.start();
      case RECHECK -> waits.recheck();
      case RESUME -> host.resume();
      case UNDEFINE -> host.undefine();
    }
    publishProgress();
  }

  private static Vif vif(Step step) {
    if (step.vif() == null) {
      throw new IllegalStateException("step " + step.kind() + " has no vif");
    }
    return step.vif();
  }

  void record(Step step) {
    stepRecords.add(
        new StepRecord(
            step.kind().word(),
            step.vif() == null ? null : step.vif().port(),
            context.timing().now(),
            elapsed()));
    long attempt = generation;
    context.notifier().tell(l -> l.stepEntered(attempt, request.guest().id(), step));
  }

  private void openWatch() {
    Watch opened = new Watch(request.guest().id(), generation, () -> lane.execute(this::drain));
    watch = opened;
    book.orphans(context.watches().open(opened));
    book.all().forEach(port -> context.listening().put(port.port(), this));
    if (plan.has(StepKind.HANDSHAKE) && !request.operation().replugs()) {
      // Our own unplug of an earlier operation is still to be acknowledged.
      book.accept(new WatchEntry.TeardownEntered());
    }
    waits.watchOpened();
    next();
  }

  // --- calls ---

  /**
   * Makes a call on the host. A call that overruns is handed over as a {@link TimeoutException},
   * and if it has side effects its guest stays poisoned until it returns.
   */
  <T> void call(
      StepKind kind,
      @Nullable Vif vif,
      Duration deadline,
      Callable<T> body,
      BiConsumer<@Nullable T, @Nullable Throwable> then) {
    inCall = true;
    StuckCall ifStuck = new StuckCall(kind, vif, context.timing().now());
    boolean sideEffects = kind != StepKind.LOOKUP && kind != StepKind.BIND;
    Calls.Call<T> submitted = context.calls().submit(deadline, () -> inMdc(vif, body));
    submitted
        .inTime()
        .whenComplete(
            (value, thrown) ->
                lane.execute(
                    () -> {
                      inCall = false;
                      Throwable failure = unwrap(thrown);
                      if (failure instanceof TimeoutException && sideEffects) {
                        stuck.add(ifStuck);
                        context.health().stuck(1);
                        log.warn("guest {}: {}", request.guest().id(), ifStuck);
                      }
                      guarded(() -> then.accept(value, failure));
                    }));
    submitted
        .returned()
        .whenComplete(
            (value, thrown) ->
                lane.execute(
                    () -> {
                      if (stuck.remove(ifStuck)) {
                        context.health().stuck(-1);
                        Throwable failure = unwrap(thrown);
                        boolean gone =
                            TAKE_AWAY.contains(kind)
                                && HostSteps.isKind(failure, HostException.Kind.GONE);
                        stuckReturned(ifStuck, failure == null || gone);
                      }
                    }));
  }

  /** Call threads are ours, so what is logged on them may name guest and port. */
  private <T> T inMdc(@Nullable Vif vif, Callable<T> body) throws Exception {
    MDC.put("guest", request.guest().id().toString());
    if (vif != null) {
      MDC.put("port", vif.port().toString());
    }
    try {
      return body.call();
    } finally {
      MDC.remove("guest");
      MDC.remove("port");
    }
  }

  /** A defect in a step must end the attempt, not lose it. */
  void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error fault) {
      log.error("guest {}: a step of {} threw", request.guest().id(), request.operation(), fault);
      end(Ending.failed(Reason.INTERNAL, null, "a defect of vifplug: " + fault, fault));
    }
  }

  static @Nullable Throwable unwrap(@Nullable Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }

  private void stuckReturned(StuckCall returned, boolean succeeded) {
    cleanUp.returned(returned, succeeded);
    if (ending == null || !cleaned || !stuck.isEmpty()) {
      return;
    }
    if (ending.kind() == Kind.SUPERSEDED && !lane.isAlone(this)) {
      release();
    } else if (++lateCleanUps > MOST_LATE_CLEAN_UPS) {
      cleanUp.giveUp();
      lateCleanUpDone();
    } else {
      cleaned = false;
      cleanUp.run(this::lateCleanUpDone);
    }
  }

  private void lateCleanUpDone() {
    cleaned = true;
    if (stuck.isEmpty()) {
      List<String> left = cleanUp.leftovers();
      context.notifier().tell(l -> l.cleanupEnded(generation, request.guest().id(), left));
      release();
    } else {
      lane.poisoned(this);
    }
  }

  boolean isStuck() {
    return !stuck.isEmpty();
  }

  String stuckMessage() {
    return stuck.stream().map(StuckCall::toString).collect(Collectors.joining("; "));
  }

  boolean isStuck(StepKind kind) {
    return stuck.stream().anyMatch(s -> s.kind() == kind);
  }

  /** Whether a call on this port has not returned. */
  boolean isStuck(UUID port) {
    return stuck.stream().anyMatch(s -> s.vif() != null && s.vif().port().equals(port));
  }

  boolean isStuck(StepKind kind, UUID port) {
    return stuck.stream()
        .anyMatch(s -> s.kind() == kind && s.vif() != null && s.vif().port().equals(port));
  }

  // --- events and news ---

  private void drain() {
    Watch open = watch;
    if (open == null) {
      return;
    }
    for (WatchEntry entry : open.drain()) {
      book.accept(entry);
      if (entry instanceof WatchEntry.Received received) {
        noteAcknowledgement(received.event());
        log.debug(
            "guest {}: {} {} of port {}",
            request.guest().id(),
            received.event().name(),
            received.event().status(),
            received.event().port());
      }
    }
    react();
  }

  /** The book may have changed: tells of it, and goes on if that is enough. */
  void react() {
    tellConfirmations();
    if (ending != null) {
      if (told && ending.kind() == Kind.DEGRADED) {
        List<Progress.Port> ports = book.all().stream().map(PortTracker::progress).toList();
        context.notifier().execute(() -> call.portsAfterEnd(ports));
      }
      checkBecameReady();
    } else {
      guarded(waits::changed);
      if (ending == null) {
        publishProgress();
      }
    }
  }

  private void tellConfirmations() {
    for (PortTracker port : book.all()) {
      UUID id = port.port();
      Instant at = context.timing().now();
      if (port.confirmed() && toldConfirmed.add(id)) {
        context.notifier().tell(l -> l.portConfirmed(generation, request.guest().id(), id, at));
      } else if (!port.confirmed() && toldConfirmed.remove(id)) {
        context.notifier().tell(l -> l.portReopened(generation, request.guest().id(), id, at));
      }
    }
  }

  private void noteAcknowledgement(NetworkEvent event) {
    UUID port = event.port();
    if (port != null && event.name().equals(EventName.VIF_UNPLUGGED)) {
      PortTracker tracker = book.find(port);
      if (tracker != null && tracker.unplugAnnounced()) {
        context.ownUnplugs().acknowledged(port);
      }
    }
  }

  void news(GuestNews news) {
    if (ending == null) {
      guarded(() -> host.news(news));
    }
  }

  // --- the end ---

  /** Ends at once if the attempt is waiting, else when the call in flight returns. */
  void endSoon(Ending how) {
    if (ending != null) {
      return;
    }
    if (inCall) {
      if (requested == null) {
        requested = how;
      }
    } else {
      end(how);
    }
  }

  boolean endRequested() {
    return requested != null;
  }

  void end(Ending how) {
    if (ending != null) {
      return;
    }
    if (requested != null && !requested.equals(how)) {
      suppressed.add(how.message());
    }
    Ending chosen = requested != null ? requested : how;
    ending = chosen;
    timers.stop();
    boolean nobodyTakesOver = chosen.kind() == Kind.SUPERSEDED && lane.isAlone(this);
    if (chosen.keepsGuest() && !nobodyTakesOver && !told) {
      cleaned = true;
      tell(chosen);
    } else {
      phase = "cleanUp";
      if (cleanUp.inherits() && generation == 0) {
        generation = generations.incrementAndGet();
      }
      publishProgress();
      cleanUp.run(
          () -> {
            cleaned = true;
            if (told) {
              lateCleanUpDone();
            } else if (deservesAnotherTry(chosen)) {
              tryAgain(chosen);
            } else {
              tell(chosen);
            }
          });
    }
  }

  /** After a host boot the back end may only have been busy: one fresh attempt (okd 1109). */
  boolean deservesAnotherTry(Ending how) {
    return request.priority() == Priority.BULK
        && request.operation().creates()
        && how.reason() == Reason.EVENT_TIMEOUT
        && firstTry == null
        && cleanUp.leftovers().isEmpty()
        && joined.isEmpty()
        && lane.isAlone(this);
  }

  private void tryAgain(Ending how) {
    log.info("guest {} is tried once more: {}", request.guest().id(), how.message());
    afterEnd.stop();
    closeWatch(how);
    journalEnd();
    if (ticket != null) {
      ticket.release();
    }
    Attempt again = new Attempt(context, lane, request, policy, generations, call, released, this);
    again.suppressed.add("first try: " + how.message());
    lane.replace(this, again);
  }

  /** A call in flight or a clean-up that takes long must not keep the caller from hearing why. */
  private void tellBeforeTheCallerGivesUp() {
    if (ending == null && requested == null) {
      waits.callerDeadline();
    }
    if (!told) {
      Ending how = ending != null ? ending : requested;
      if (how != null) {
        tell(how);
      }
    }
  }

  /** The guest runs. A deadline that came while it was being resumed does not undo that. */
  void resumed() {
    if (requested != null && requested.reason() == Reason.DEADLINE && !told) {
      requested = null;
    }
    next();
  }

  private void tell(Ending how) {
    told = true;
    List<String> leftovers = cleaned ? cleanUp.leftovers() : List.of("clean-up is still going on");
    boolean another = how.reason() != Reason.EVENT_TIMEOUT && how.kind() != Kind.DEGRADED;
    Outcome outcome =
        new Outcome(
            request.guest().id(),
            request.operation(),
            generation,
            how.kind(),
            how.reason(),
            how.message(),
            how.limit(),
            startedAt,
            context.timing().now(),
            elapsed(),
            book.results(another),
            book.unplugAcknowledged(),
            book.unexpectedEvents(),
            book.eventsSeen(),
            stepRecords,
            suppressed,
            leftovers.isEmpty(),
            leftovers,
            how.cause());
    closeWatch(how);
    log(outcome);
    if (how.reason() == Reason.EVENT_TIMEOUT) {
      context.health().timedOut(request.guest().id(), startedAt);
    }
    context.notifier().tell(listener -> listener.ended(outcome));
    // A caller's code runs on no thread that a guest depends on.
    context
        .notifier()
        .execute(
            () -> {
              call.end(outcome);
              joined.forEach(other -> other.end(outcome));
            });
    if (cleaned && stuck.isEmpty()) {
      release();
    } else {
      if (ticket != null) {
        ticket.release();
      }
      if (!stuck.isEmpty()) {
        lane.poisoned(this);
      }
    }
  }

  private void release() {
    afterEndTimersIfIdle();
    if (ticket != null) {
      ticket.release();
    }
    journalEnd();
    lane.finished(this);
    released.run();
  }

  private void journalEnd() {
    if (host.beginJournaled()) {
      var unused =
          context
              .calls()
              .submit(
                  policy.callTimeout(),
                  () -> {
                    host.journal(Journal.What.END, null);
                    return true;
                  });
    }
  }

  private void afterEndTimersIfIdle() {
    if (ending == null || ending.kind() != Kind.DEGRADED) {
      afterEnd.stop();
    }
  }

  private void closeWatch(Ending how) {
    if (watch == null) {
      return;
    }
    if (how.kind() == Kind.DEGRADED && book.any(PortTracker::outstanding)) {
      afterEnd.stop();
      afterEnd = new Timers(context.timing(), this);
      afterEnd.after(DEGRADED_WATCH, this::endDegradedWatch);
      lane.degraded(this);
      waits.listenOn(afterEnd);
    } else {
      closeWatch(watch);
    }
  }

  private void closeWatch(Watch open) {
    Consumer<NetworkEvent> tombstone = tombstone();
    context.watches().close(open, tombstone);
    for (WatchEntry entry : open.drain()) {
      if (entry instanceof WatchEntry.Received received) {
        tombstone.accept(received.event());
      }
    }
    book.all().forEach(port -> context.listening().remove(port.port(), this));
    watch = null;
  }

  private void checkBecameReady() {
    if (told && watch != null && ending != null && book.allConfirmed()) {
      Instant at = context.timing().now();
      log.info("guest {}: every outstanding port has become ready", request.guest().id());
      context.notifier().tell(l -> l.becameReady(generation, request.guest().id(), at));
      endDegradedWatch();
    }
  }

  void endDegradedWatch() {
    afterEnd.stop();
    if (watch != null) {
      closeWatch(watch);
    }
    lane.degradedOver(this);
  }

  /** What is left of an ended attempt: it knows late events for what they are. */
  private Consumer<NetworkEvent> tombstone() {
    long attempt = generation;
    UUID guest = request.guest().id();
    long ended = context.timing().nanoTime();
    Context shared = context;
    AtomicBoolean logged = new AtomicBoolean();
    return event -> {
      UUID port = event.port();
      if (port != null && event.name().equals(EventName.VIF_UNPLUGGED)) {
        shared.ownUnplugs().acknowledged(port);
      } else if (port != null && event.name().equals(EventName.VIF_PLUGGED)) {
        Duration late = Duration.ofNanos(shared.timing().nanoTime() - ended);
        if (logged.compareAndSet(false, true)) {
          log.info("guest {}: plugged event of port {} came {} after the end", guest, port, late);
        }
        shared.notifier().tell(l -> l.lateEvent(attempt, guest, port, late));
      }
    };
  }

  private static void log(Outcome outcome) {
    MDC.put("guest", outcome.guest().toString());
    try {
      if (outcome.kind() == Kind.FAILED || outcome.kind() == Kind.DEGRADED) {
        log.warn(
            "{} of guest {} ended {}({}) after {}: {}",
            outcome.operation(),
            outcome.guest(),
            outcome.kind(),
            outcome.reason(),
            outcome.elapsed(),
            outcome.message());
      } else {
        log.info(
            "{} of guest {} ended {}{} after {}",
            outcome.operation(),
            outcome.guest(),
            outcome.kind(),
            outcome.reason() == null ? "" : "(" + outcome.reason() + ")",
            outcome.elapsed());
      }
    } finally {
      MDC.remove("guest");
    }
  }

  // --- what its parts share ---

  private void publishProgress() {
    call.progress(
        new Progress(
            request.guest().id(),
            request.operation(),
            generation,
            phase,
            elapsed(),
            book.all().stream().map(PortTracker::progress).toList(),
            waits.gates(),
            null));
  }

  String where() {
    return phase + " since attempt " + generation + " began at " + startedAt;
  }

  Duration elapsed() {
    return Duration.ofNanos(context.timing().nanoTime() - startedNanos);
  }

  Context context() {
    return context;
  }

  Lane lane() {
    return lane;
  }

  PlugRequest request() {
    return request;
  }

  PlugPolicy policy() {
    return policy;
  }

  Operation operation() {
    return request.operation();
  }

  Plan plan() {
    return plan;
  }

  PortBook book() {
    return book;
  }

  Timers timers() {
    return timers;
  }

  HostSteps host() {
    return host;
  }

  Waits waits() {
    return waits;
  }

  CleanUp cleanUp() {
    return cleanUp;
  }

  long generation() {
    return generation;
  }

  @Nullable Watch watch() {
    return watch;
  }

  @Nullable Ending ending() {
    return ending;
  }

  /** It answers for what an older attempt on the guest left to it. */
  void takesOver(Attempt older) {
    takenOver = true;
    if (older.ending != null && older.ending.kind() == Kind.SUPERSEDED && older.cleanUp.hasWork()) {
      cleanUp.inherit();
    }
  }

  boolean hasTakenOver() {
    return takenOver;
  }

  boolean isFor(EngineCall aCall) {
    return call == aCall;
  }

  void suppress(String failure) {
    suppressed.add(failure);
  }
}
