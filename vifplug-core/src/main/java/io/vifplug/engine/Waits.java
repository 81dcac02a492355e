package io.vifplug.engine;

import io.vifplug.Limit;
import io.vifplug.OnTimeout;
import io.vifplug.Operation;
import io.vifplug.Progress;
import io.vifplug.Reason;
import io.vifplug.backend.EvidenceRule;
import io.vifplug.backend.Expectation;
import io.vifplug.network.Vif;
import io.vifplug.spi.ReadinessGate;
import io.vifplug.spi.Registration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an attempt waits for, and what it concludes when something comes, does not come, or goes.
 * Confined to the lane; waits with timers, never with a thread.
 */
final class Waits {
  private static final Logger log = LoggerFactory.getLogger(Waits.class);
  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(10);

  private enum State {
    NONE,
    HANDSHAKE,
    PLUG_GATES,
    SETTLE,
    EVIDENCE
  }

  private final Attempt attempt;
  private State state = State.NONE;
  private @Nullable Registration alarm;
  private @Nullable GatePoll plugGates;
  private @Nullable GatePoll resumeGates;
  private @Nullable ProofPoll proofs;
  private long watchOpenedNanos;
  private long waitBeganNanos;
  private boolean started;
  private final Set<PortTracker> expired = new HashSet<>();
  private boolean gatesExpired;
  private boolean judging;
  private boolean gatesTimedOut;
  private boolean looking;
  private @Nullable Ending deadlineEnding;
  private @Nullable Ending decided;

  Waits(Attempt attempt) {
    this.attempt = attempt;
  }

  /** The plan is final: makes what it needs. */
  void begin() {
    List<ReadinessGate> gates = attempt.request().gates();
    Duration callTimeout = attempt.policy().callTimeout();
    plugGates =
        new GatePoll(
            gates.stream().filter(gate -> gate.phase().beforePlug()).toList(),
            context(),
            attempt,
            callTimeout);
    resumeGates =
        new GatePoll(
            gates.stream().filter(gate -> gate.phase().beforeResume()).toList(),
            context(),
            attempt,
            callTimeout);
    proofs = poll(attempt.timers());
  }

  private ProofPoll poll(Timers timers) {
    return new ProofPoll(
        context(),
        attempt.request().guest().id(),
        attempt,
        attempt.book(),
        attempt.policy().callTimeout(),
        timers,
        () -> attempt.react());
  }

  void watchOpened() {
    watchOpenedNanos = now();
    boolean pullAtBinding =
        attempt.book().any(port -> port.plan().expectation() == Expectation.AWAIT_BIND_TIME);
    if (pullAtBinding && attempt.request().binder() == null) {
      List<PortTracker> bound =
          attempt.book().where(port -> port.plan().expectation() == Expectation.AWAIT_BIND_TIME);
      proofs()
          .readStatuses(
              ProofPoll.ids(bound),
              () -> {
                bound.forEach(port -> port.acceptStatus(context().timing().now()));
                attempt.react();
              });
    }
  }

  // --- before plugging ---

  void handshake() {
    boolean stillPlugged =
        attempt.operation().removes() && !attempt.host().notUnplugged().isEmpty();
    if (stillPlugged || !attempt.book().any(PortTracker::handshakePending)) {
      attempt.next();
      return;
    }
    state = State.HANDSHAKE;
    long since =
        attempt.book().where(PortTracker::handshakePending).stream()
            .mapToLong(this::unpluggedNanos)
            .max()
            .orElseGet(this::now);
    Duration left = attempt.policy().unplugTimeout().minusNanos(now() - since);
    alarm = attempt.timers().after(left, this::handshakeOver);
    attempt.book().where(PortTracker::handshakePending).forEach(this::readGone);
  }

  private void readGone(PortTracker port) {
    proofs().readLocal(port.plan().vif(), () -> attempt.react());
  }

  /** Never fatal: the plug goes ahead, and the result says what was not acknowledged. */
  private void handshakeOver() {
    leave();
    List<PortTracker> silent = attempt.book().where(PortTracker::handshakePending);
    boolean active =
        silent.stream().anyMatch(port -> port.plan().rule() == EvidenceRule.EVENT_AND_PULL);
    if (active && context().reader() != null) {
      // Another status than ACTIVE now is what lets ACTIVE count later.
      proofs().readStatuses(ProofPoll.ids(silent), attempt::next);
    } else {
      attempt.next();
    }
  }

  void plugGates() {
    state = State.PLUG_GATES;
    lookAtPlugGates();
  }

  private void lookAtPlugGates() {
    GatePoll gates = gates(plugGates);
    gates.look(
        () -> {
          if (state != State.PLUG_GATES || attempt.ending() != null) {
            return;
          }
          Duration left = attempt.policy().timeout().minusNanos(now() - watchOpenedNanos);
          if (gates.allOpen()) {
            leave();
            attempt.next();
          } else if (left.isNegative() || left.isZero()) {
            attempt.end(
                Ending.failed(
                    gates.anyLost() ? Reason.GATE_LOST : Reason.GATE_TIMEOUT,
                    Limit.GATE,
                    "before plugging: " + gates.closed() + closedSince(),
                    null));
          } else {
            Duration pause = attempt.policy().gateInterval();
            alarm =
                attempt
                    .timers()
                    .after(pause.compareTo(left) < 0 ? pause : left, this::lookAtPlugGates);
          }
        });
  }

  private String closedSince() {
    return " (waited " + attempt.policy().timeout() + "): look at what opens it on this host";
  }

  /** LP 2112569: ovn announces an unplug as a plug; without a second proof it must pass first. */
  void settle() {
    state = State.SETTLE;
    settleOn();
  }

  private void settleOn() {
    if (alarm != null) {
      alarm.close();
    }
    long due = Long.MIN_VALUE;
    for (PortTracker port : attempt.book().all()) {
      Duration settle = port.plan().settle();
      if (!settle.isZero()) {
        long unplugged = unpluggedNanos(port);
        long last = Math.max(unplugged, port.lastEventNanos(unplugged));
        long latest = unplugged + LONGEST_SETTLING.toNanos();
        due = Math.max(due, Math.min(last + settle.toNanos(), latest));
      }
    }
    Duration left = Duration.ofNanos(due - now());
    if (left.isNegative() || left.isZero()) {
      leave();
      attempt.next();
    } else {
      alarm = attempt.timers().after(left, this::settleOn);
    }
  }

  private long unpluggedNanos(PortTracker port) {
    if (attempt.operation().replugs() || attempt.operation().removes()) {
      return attempt.host().lastUnplugNanos();
    }
    OwnUnplugs.Entry entry = context().ownUnplugs().find(port.port());
    return entry == null ? now() : entry.nanos();
  }

  private void leave() {
    state = State.NONE;
    if (alarm != null) {
      alarm.close();
      alarm = null;
    }
  }

  // --- waiting for evidence ---

  /** A port was plugged: its proof may be there already. */
  void plugged(Vif vif) {
    PortTracker port = attempt.book().find(vif.port());
    if (port != null && port.wantsLocal()) {
      proofs().kick();
    }
  }

  /** Something about a port may have changed on this host. */
  void localChanged(UUID port) {
    PortTracker tracker = attempt.book().find(port);
    if (tracker != null
        && (tracker.plan().rule().usesLocal() || tracker.handshakePending())
        && attempt.watch() != null) {
      proofs().readLocal(tracker.plan().vif(), () -> attempt.react());
    }
  }

  void start() {
    state = State.EVIDENCE;
    Operation operation = attempt.operation();
    if (!started) {
      started = true;
      waitBeganNanos =
          operation.creates()
              ? attempt.host().createdNanos()
              : Math.max(watchOpenedNanos, attempt.host().lastPlugNanos());
      setAlarms();
    }
    proofs().kick();
    if (gates(resumeGates).isEmpty()) {
      changed();
    } else {
      lookAtResumeGates();
    }
  }

  private void setAlarms() {
    Map<Duration, List<PortTracker>> byTimeout = new TreeMap<>();
    for (PortTracker port : attempt.book().where(PortTracker::awaited)) {
      if (!port.plan().gatesStandIn()) {
        byTimeout.computeIfAbsent(port.plan().timeout(), t -> new ArrayList<>()).add(port);
      }
    }
    Duration gateTimeout = attempt.policy().timeout();
    if (!gates(resumeGates).isEmpty()) {
      byTimeout.computeIfAbsent(gateTimeout, t -> new ArrayList<>());
    }
    byTimeout.forEach(
        (timeout, ports) ->
            attempt
                .timers()
                .after(
                    timeout.minusNanos(now() - waitBeganNanos),
                    () -> timeIsOver(ports, timeout.equals(gateTimeout))));
  }

  private void lookAtResumeGates() {
    looking = true;
    GatePoll gates = gates(resumeGates);
    gates.look(
        () -> {
          looking = false;
          noteGates();
          if (state == State.EVIDENCE && attempt.ending() == null) {
            attempt.react();
            if (state == State.EVIDENCE && attempt.ending() == null) {
              attempt.timers().after(attempt.policy().gateInterval(), this::pollResumeGates);
            }
          }
        });
  }

  private void pollResumeGates() {
    if (state == State.EVIDENCE && !looking) {
      lookAtResumeGates();
    }
  }

  private void noteGates() {
    GatePoll gates = gates(resumeGates);
    for (PortTracker port : attempt.book().all()) {
      port.gates(gates.allOpen(port.port()), context().timing().now());
    }
  }

  /** Called whenever the book, a gate or the host has news. */
  void changed() {
    if (attempt.ending() != null) {
      return;
    }
    List<PortTracker> failed = attempt.book().where(PortTracker::failsTheAttempt);
    if (decided == null && !failed.isEmpty()) {
      attempt.endSoon(portFailed(failed));
      return;
    }
    switch (state) {
      case HANDSHAKE -> {
        if (!attempt.book().any(PortTracker::handshakePending)) {
          leave();
          attempt.next();
        }
      }
      case SETTLE -> settleOn();
      case EVIDENCE -> evaluate();
      case NONE, PLUG_GATES -> {}
    }
    if (attempt.ending() == null && attempt.book().any(PortTracker::wantsStatus)) {
      proofs().kickIfIdle();
    }
  }

  private void evaluate() {
    boolean gatesDone = gates(resumeGates).allOpen() || gatesTimedOut;
    if (attempt.book().nothingBlocks() && gatesDone) {
      state = State.NONE;
      attempt.next();
    } else if (!judging) {
      judgeWhatCameLoose();
    }
  }

  /** What was proven in time and is not any more, once the time is over, has no more time. */
  private void judgeWhatCameLoose() {
    List<PortTracker> loose = attempt.book().where(port -> port.blocks() && expired.contains(port));
    boolean gatesLoose = gatesExpired && !gatesTimedOut && !gates(resumeGates).allOpen();
    if (!loose.isEmpty() || gatesLoose) {
      timeIsOver(loose, gatesLoose);
    }
  }

  /** Looks at every gate once more right before resume. */
  void recheck() {
    GatePoll gates = gates(resumeGates);
    gates.look(
        () -> {
          if (attempt.ending() != null) {
            return;
          }
          noteGates();
          if ((!gates.allOpen() && !gatesTimedOut) || !attempt.book().nothingBlocks()) {
            attempt.backToWaiting();
            start();
          } else {
            attempt.next();
          }
        });
  }

  // --- the time is over ---

  /** Takes a last look at gates and statuses, then judges; an event on the deadline counts. */
  private void timeIsOver(List<PortTracker> ports, boolean gatesToo) {
    expired.addAll(ports);
    gatesExpired |= gatesToo;
    GatePoll gates = gates(resumeGates);
    List<PortTracker> late = ports.stream().filter(PortTracker::outstanding).toList();
    boolean gatesClosed = gatesToo && !gates.isEmpty() && !gates.allOpen();
    if (late.isEmpty() && !gatesClosed) {
      return;
    }
    judging = true;
    Runnable judge =
        () -> {
          judging = false;
          judge(ports, gatesToo);
        };
    Runnable readStatuses =
        () -> {
          if (attempt.ending() == null) {
            proofs().readStatuses(ProofPoll.ids(late), judge);
          }
        };
    if (gatesClosed) {
      gates.look(
          () -> {
            noteGates();
            readStatuses.run();
          });
    } else {
      readStatuses.run();
    }
  }

  private void judge(List<PortTracker> ports, boolean gatesToo) {
    if (attempt.ending() != null) {
      return;
    }
    if (attempt.policy().acceptStatusPull()) {
      ports.forEach(port -> port.acceptStatus(context().timing().now()));
    }
    List<PortTracker> late = ports.stream().filter(PortTracker::outstanding).toList();
    late.forEach(PortTracker::timeOut);
    GatePoll gates = gates(resumeGates);
    boolean gatesClosed = gatesToo && !gates.allOpen();
    List<PortTracker> fatal =
        late.stream().filter(port -> port.plan().onTimeout() == OnTimeout.FAIL).toList();
    List<PortTracker> unproven =
        gatesClosed
            ? attempt.book().where(port -> port.outstanding() && port.plan().gatesStandIn())
            : List.of();
    unproven.forEach(PortTracker::timeOut);
    boolean gatesFatal =
        gatesClosed
            && (attempt.policy().onTimeout() == OnTimeout.FAIL
                || unproven.stream().anyMatch(PortTracker::blocks));
    if (gatesFatal && gates.anyLost()) {
      attempt.endSoon(gatesEnd(Reason.GATE_LOST));
    } else if (!fatal.isEmpty()) {
      attempt.endSoon(
          Ending.failed(
              Reason.EVENT_TIMEOUT,
              Limit.EVENT,
              Messages.outstanding(attempt, fatal, waited()) + Messages.circumstances(attempt),
              null));
    } else if (gatesFatal) {
      attempt.endSoon(gatesEnd(Reason.GATE_TIMEOUT));
    } else {
      gatesTimedOut |= gatesClosed;
      attempt.react();
    }
  }

  private Ending gatesEnd(Reason reason) {
    return Ending.failed(
        reason, Limit.GATE, "before resume: " + gates(resumeGates).closed() + closedSince(), null);
  }

  private Ending portFailed(List<PortTracker> failed) {
    return Ending.failed(
        Reason.PORT_FAILED,
        failed.stream()
                .map(
                    port ->
                        Messages.port(port.plan().vif())
                            + " failed: "
                            + port.detail()
                            + " during "
                            + attempt.operation())
                .collect(Collectors.joining("; "))
            + Messages.circumstances(attempt));
  }

  /** The caller will give up soon: the specific reason must reach it before. */
  void callerDeadline() {
    if (resumeGates == null) {
      attempt.endSoon(
          Ending.cancelled(
              Reason.DEADLINE,
              Limit.CALLER,
              "the caller's deadline of "
                  + attempt.policy().callerDeadline()
                  + " came while the operation was "
                  + attempt.where()));
      return;
    }
    boolean guestWaits = started && attempt.operation().creates() && state == State.EVIDENCE;
    List<PortTracker> outstanding = attempt.book().where(PortTracker::outstanding);
    String message =
        "the caller's deadline of "
            + attempt.policy().callerDeadline()
            + " came first, in "
            + attempt.where()
            + (outstanding.isEmpty()
                ? ""
                : ": " + Messages.outstanding(attempt, outstanding, waited()))
            + Messages.circumstances(attempt);
    boolean resumes =
        outstanding.stream().allMatch(port -> port.plan().onTimeout() == OnTimeout.RESUME)
            && (gates(resumeGates).allOpen() || attempt.policy().onTimeout() == OnTimeout.RESUME);
    if (guestWaits && resumes) {
      deadlineEnding = Ending.degraded(Reason.DEADLINE, Limit.CALLER, message);
      outstanding.forEach(PortTracker::timeOut);
      gatesTimedOut = true;
      changed();
    } else {
      attempt.endSoon(Ending.cancelled(Reason.DEADLINE, Limit.CALLER, message));
    }
  }

  /** Somebody else resumed our paused guest: nothing is left to resume. */
  void resumedByOthers() {
    log.warn(
        "guest {} was paused by vifplug and has been resumed by somebody else",
        attempt.request().guest().id());
    attempt.endSoon(
        attempt.book().allConfirmed()
            ? Ending.ready()
            : Ending.degraded(
                Reason.RESUMED_BY_OTHERS,
                null,
                "the guest was resumed by somebody else while outstanding: "
                    + Messages.outstanding(
                        attempt, attempt.book().where(PortTracker::outstanding), waited())));
  }

  /** The decision to resume is made: what comes now does not change how the operation ends. */
  void resuming() {
    decided = finalEnding();
    attempt.book().freeze();
  }

  /** How the plan ends when all its steps are done. */
  Ending finalEnding() {
    if (decided != null) {
      return decided;
    }
    if (attempt.operation().removes()) {
      List<Vif> left = attempt.host().notUnplugged();
      return left.isEmpty()
          ? Ending.removed()
          : Ending.failed(
              Reason.UNPLUG_FAILED,
              left.stream()
                  .map(vif -> Messages.port(vif) + " could not be unplugged")
                  .collect(Collectors.joining("; ")));
    }
    List<PortTracker> outstanding = attempt.book().where(PortTracker::outstanding);
    if (deadlineEnding != null) {
      return outstanding.isEmpty() && gates(resumeGates).allOpen()
          ? Ending.ready()
          : deadlineEnding;
    }
    if (outstanding.stream().anyMatch(PortTracker::failed)) {
      return Ending.degraded(Reason.PORT_FAILED, null, degraded(outstanding));
    }
    if (gatesTimedOut && gates(resumeGates).anyLost() && !gates(resumeGates).allOpen()) {
      return Ending.degraded(Reason.GATE_LOST, Limit.GATE, gates(resumeGates).closed());
    }
    if (outstanding.stream().anyMatch(port -> !port.plan().gatesStandIn())) {
      return Ending.degraded(Reason.EVENT_TIMEOUT, Limit.EVENT, degraded(outstanding));
    }
    if (gatesTimedOut && !gates(resumeGates).allOpen()) {
      return Ending.degraded(Reason.GATE_TIMEOUT, Limit.GATE, gates(resumeGates).closed());
    }
    return Ending.ready();
  }

  private String degraded(List<PortTracker> outstanding) {
    return "the guest runs without proof of its network: "
        + Messages.outstanding(attempt, outstanding, waited())
        + Messages.circumstances(attempt);
  }

  /** Goes on asking for proofs after a DEGRADED end. */
  void listenOn(Timers timers) {
    proofs = poll(timers);
    proofs.kick();
  }

  // --- shared ---

  List<Progress.Gate> gates() {
    List<Progress.Gate> all = new ArrayList<>();
    if (plugGates != null) {
      all.addAll(plugGates.progress());
    }
    if (resumeGates != null) {
      all.addAll(resumeGates.progress());
    }
    return all;
  }

  private Duration waited() {
    return started ? Duration.ofNanos(now() - waitBeganNanos) : attempt.elapsed();
  }

  private static GatePoll gates(@Nullable GatePoll gates) {
    if (gates == null) {
      throw new IllegalStateException("not begun");
    }
    return gates;
  }

  private ProofPoll proofs() {
    if (proofs == null) {
      throw new IllegalStateException("not begun");
    }
    return proofs;
  }

  private long now() {
    return context().timing().nanoTime();
  }

  private Context context() {
    return attempt.context();
  }
}
