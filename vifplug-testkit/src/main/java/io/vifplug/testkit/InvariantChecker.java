package io.vifplug.testkit;

import io.vifplug.HostHealth;
import io.vifplug.OnTimeout;
import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.Plan;
import io.vifplug.Plan.StepKind;
import io.vifplug.PlugCall;
import io.vifplug.PortResult;
import io.vifplug.Progress;
import io.vifplug.event.EventSink;
import io.vifplug.event.EventSource;
import io.vifplug.network.Vif;
import io.vifplug.spi.HostException;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.PlugListener;
import io.vifplug.spi.Registration;
import io.vifplug.testkit.Timeline.Entry;
import io.vifplug.testkit.Timeline.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Checks after a run in virtual time that the promises of the contract were kept, whatever
 * happened: from the timeline of the host, what the listener was told, the outcomes, and what is
 * left at the end. Give it to the builder as a listener and tell it of every request.
 *
 * <p>Let it also hear the events and see the local evidence ({@link #heard}, {@link #seen}): then
 * it judges by itself what a resume was based on, and does not take the outcome's word for it.
 *
 * <p>I9 (nobody's slow call delays another guest's event) needs real threads; here it only says
 * that an event is looked at in the instant in which it comes. Not thread-safe, like the {@link
 * VirtualTime} it is used with.
 */
public final class InvariantChecker implements PlugListener {
  private static final Duration DEGRADED_WATCH = Duration.ofHours(1);

  private static final Set<String> MUST_RETURN = Set.of("plug", "createPaused", "createRunning");

  private final Timeline timeline;
  private final VirtualTime time;
  private final History history;
  private final OutcomeBook book = new OutcomeBook();
  private final Map<UUID, Plan> lastPlan = new HashMap<>();
  private final Map<Long, Plan> plans = new HashMap<>();
  private final Map<Long, Integer> ends = new HashMap<>();
  private final Map<UUID, Long> acting = new HashMap<>();
  private final Set<Long> becameReady = new HashSet<>();
  private final List<Turn> turns = new ArrayList<>();
  private final Map<UUID, Integer> discarded = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  /**
   * A broken promise.
   *
   * @param invariant its name, {@code I1} to {@code I10}
   * @param detail what was seen, with time and ids
   */
  public record Violation(String invariant, String detail) {
    @Override
    public String toString() {
      return invariant + ": " + detail;
    }
  }

  /**
   * What is there at the end.
   *
   * @param health the health of the instance
   * @param progress the operations that have not ended
   * @param hypervisor the hypervisor
   * @param plugger the plugger
   * @param atRest whether nothing was left to happen
   */
  public record End(
      HostHealth health,
      List<Progress> progress,
      FakeHypervisor hypervisor,
      FakePlugger plugger,
      boolean atRest) {
    /** Copies the list. */
    public End {
      progress = List.copyOf(progress);
    }

    boolean isLive(UUID guest) {
      return progress.stream().anyMatch(one -> one.guest().equals(guest) && one.attempt() != 0);
    }
  }

  private record Turn(long attempt, UUID port, Instant at, boolean ready) {}

  /**
   * A checker of one run.
   *
   * @param time the time of the run
   * @param timeline the timeline of its host
   */
  public InvariantChecker(VirtualTime time, Timeline timeline) {
    this.time = time;
    this.timeline = timeline;
    this.history = new History(time, timeline);
  }

  /**
   * Listens in on a source of events, so that what counted can be told from what must not.
   *
   * @param source the source
   * @return the source to configure
   */
  public EventSource heard(EventSource source) {
    history.hearsEvents();
    return new EventSource() {
      @Override
      public Registration start(EventSink sink) {
        return source.start(
            events -> {
              int position = history.position();
              List<EventSink.Disposition> answers = sink.deliver(events);
              history.heard(position, events, answers);
              return answers;
            });
      }

      @Override
      public Health health() {
        return source.health();
      }
    };
  }

  /**
   * Looks over the shoulder of who reads local evidence.
   *
   * @param evidence the evidence
   * @return the evidence to configure
   */
  public LocalEvidence seen(LocalEvidence evidence) {
    history.seesReadings();
    return new LocalEvidence() {
      @Override
      public Reading read(Vif vif) throws HostException {
        Reading reading = evidence.read(vif);
        history.read(vif.port(), reading);
        return reading;
      }

      @Override
      public boolean covers(Vif vif) {
        return evidence.covers(vif);
      }

      @Override
      public Registration onChange(Consumer<UUID> listener) {
        return evidence.onChange(listener);
      }
    };
  }

  /**
   * Notes a request.
   *
   * @param guest the guest
   * @param operation the operation
   * @param call what the request gave
   */
  public void asked(UUID guest, Operation operation, PlugCall call) {
    book.asked(guest, operation, time.elapsed(), call);
  }

  @Override
  public void planned(Plan plan) {
    if (!plan.isRejected()) {
      lastPlan.put(plan.guest(), plan);
    }
  }

  @Override
  public void stepEntered(long attempt, UUID guest, Plan.Step step) {
    Plan plan = lastPlan.get(guest);
    if (plan != null) {
      plans.putIfAbsent(attempt, plan);
    }
    history.entered(attempt, guest, step);
    if (OutcomeBook.HOST_STEPS.contains(step.kind())) {
      long last = acting.merge(guest, attempt, Math::max);
      if (last > attempt) {
        broken(
            "I6",
            "attempt %d of guest %s did %s after attempt %d had begun to act"
                .formatted(attempt, guest, step, last));
      }
    }
  }

  @Override
  public void ended(Outcome outcome) {
    if (outcome.attempt() != 0 && ends.merge(outcome.attempt(), 1, Integer::sum) > 1) {
      broken("I3", "attempt %d ended again: %s".formatted(outcome.attempt(), outcome.kind()));
    }
  }

  @Override
  public void portConfirmed(long attempt, UUID guest, UUID port, Instant at) {
    turns.add(new Turn(attempt, port, at, true));
    history.turned(attempt, port, true);
  }

  @Override
  public void portReopened(long attempt, UUID guest, UUID port, Instant at) {
    turns.add(new Turn(attempt, port, at, false));
    history.turned(attempt, port, false);
  }

  @Override
  public void cleanupEnded(long attempt, UUID guest, List<String> leftovers) {
    book.cleanedUp(attempt, time.elapsed(), leftovers);
  }

  @Override
  public void becameReady(long attempt, UUID guest, Instant at) {
    becameReady.add(attempt);
  }

  /**
   * Checks everything. Call it once, at the end.
   *
   * @param end what is there now
   * @return the broken promises, each with what was seen; empty if all were kept
   */
  public List<Violation> check(End end) {
    checkEnds(end);
    checkCalls();
    EvidenceCheck evidence = new EvidenceCheck(history, this::broken);
    List<Entry> entries = timeline.entries();
    for (Outcome outcome : book.outcomes()) {
      checkStart(outcome);
      checkReady(outcome);
      Plan plan = plans.get(outcome.attempt());
      if (plan != null) {
        evidence.check(outcome, plan, entries);
      }
    }
    checkResumes();
    for (UUID guest : leakedPauses(end)) {
      broken("I2", "guest " + guest + " is paused by vifplug and nothing is under way");
    }
    leakedPorts(end).forEach((port, why) -> broken("I4", "port " + port + " is plugged: " + why));
    int leaked = leakedWatches(end);
    if (leaked > 0) {
      broken("I5", leaked + " watches are open that belong to nobody");
    }
    return List.copyOf(violations);
  }

  private void broken(String invariant, String detail) {
    violations.add(new Violation(invariant, time.elapsed() + ": " + detail));
  }

  private void checkEnds(End end) {
    if (end.atRest()) {
      book.unended().forEach(one -> broken("I3", one + " has not ended"));
    }
  }

  /** I1: nothing starts a guest before its awaited ports are ready, unless the policy said so. */
  private void checkStart(Outcome outcome) {
    for (Outcome.StepRecord step : outcome.steps()) {
      boolean running = step.step().equals(StepKind.CREATE_RUNNING.word());
      if (!running && !step.step().equals(StepKind.RESUME.word())) {
        continue;
      }
      for (PortResult port : outcome.ports().values()) {
        if (port.expectation().isAwaited()
            && !wasReady(outcome.attempt(), port, step.at())
            && !allowed(outcome, port.port())) {
          broken(
              "I1",
              "%s of attempt %d at %s although port %s was %s"
                  .formatted(
                      step.step(),
                      outcome.attempt(),
                      step.sinceStart(),
                      port.port(),
                      port.state()));
        }
      }
    }
  }

  /** What happens to a port while the resume call is under way comes too late to count. */
  private boolean wasReady(long attempt, PortResult port, Instant at) {
    Boolean ready = null;
    for (Turn turn : turns) {
      if (turn.attempt == attempt && turn.port.equals(port.port()) && !turn.at.isAfter(at)) {
        ready = turn.ready;
      }
    }
    return ready != null ? ready : port.confirmedAt() != null && !port.confirmedAt().isAfter(at);
  }

  private boolean allowed(Outcome outcome, UUID port) {
    Plan plan = plans.get(outcome.attempt());
    Plan.PortPlan planned = plan == null ? null : plan.ports().get(port);
    if (planned == null) {
      return outcome.kind() == Outcome.Kind.DEGRADED;
    }
    return planned.onTimeout() == OnTimeout.RESUME && outcome.kind() != Outcome.Kind.READY;
  }

  /** I1: READY says that every awaited port is. */
  private void checkReady(Outcome outcome) {
    for (PortResult port : outcome.ports().values()) {
      if (outcome.kind() == Outcome.Kind.READY
          && port.expectation().isAwaited()
          && !wasReady(outcome.attempt(), port, outcome.endedAt())) {
        broken(
            "I1",
            "attempt %d ended READY although port %s was %s"
                .formatted(outcome.attempt(), port.port(), port.state()));
      }
    }
  }

  /** I10: one successful resume per attempt, that is of each run that an attempt has created. */
  private void checkResumes() {
    Set<String> resumed = new HashSet<>();
    for (Entry entry : timeline.entries()) {
      boolean success =
          entry.step().equals("resume")
              && entry.phase() == Phase.EXIT
              && entry.note().startsWith("RESUMED");
      if (success && !resumed.add(entry.guest() + " " + entry.note())) {
        broken("I10", "a second successful resume: " + entry);
      }
    }
  }

  /** I6, I7 and I8, from the calls on the host. */
  private void checkCalls() {
    Map<UUID, Entry> open = new HashMap<>();
    List<Entry> entries = timeline.entries();
    for (Entry entry : entries) {
      if (entry.step().equals("discardStorage")) {
        checkDiscard(entry);
      } else if (Timeline.COUNTED.contains(entry.step())) {
        checkOverlap(entry, open);
        if (entry.phase() == Phase.ENTER && !book.isAskedFor(entry)) {
          broken("I7", "nobody asked for " + entry);
        }
      }
    }
  }

  /**
   * While a plug or a create has not returned its outcome is unknown, and nothing is done that it
   * could undo or that could undo it. (Other calls are left behind when they overrun.)
   */
  private void checkOverlap(Entry entry, Map<UUID, Entry> open) {
    Entry before = open.get(entry.guest());
    if (entry.phase() != Phase.ENTER) {
      if (before != null
          && before.step().equals(entry.step())
          && Objects.equals(before.port(), entry.port())) {
        open.remove(entry.guest());
      }
      return;
    }
    boolean otherPort =
        entry.step().equals("unplug")
            && before != null
            && !Objects.equals(entry.port(), before.port());
    if (before != null && !otherPort) {
      broken("I6", entry + " entered while " + before + " had not returned");
    }
    if (MUST_RETURN.contains(entry.step())) {
      open.put(entry.guest(), entry);
    }
  }

  /** I8: once, and only by a SPAWN that failed or was cancelled, but not by close. */
  private void checkDiscard(Entry entry) {
    int count = discarded.merge(entry.guest(), 1, Integer::sum);
    if (count > book.undoneSpawns(entry.guest())) {
      broken("I8", "storage of guest " + entry.guest() + " was discarded again at " + entry.at());
    }
    if (!book.mayDiscard(entry)) {
      broken("I8", "storage of guest " + entry.guest() + " was discarded at " + entry.at());
    }
  }

  /**
   * Guests that vifplug has paused and forgotten.
   *
   * @param end what is there now
   * @return their ids
   */
  public Set<UUID> leakedPauses(End end) {
    Set<UUID> leaked = new HashSet<>(end.hypervisor().pausedByLibrary());
    leaked.removeIf(
        guest ->
            end.isLive(guest)
                || !wasPausedHere(guest)
                || book.isNamed(
                    guest, guest.toString(), history.lastToDo(guest, "createPaused", null)));
    return leaked;
  }

  /** A guest that was paused before the run began is nobody's fault in it. */
  private boolean wasPausedHere(UUID guest) {
    return timeline.of(guest).stream()
        .anyMatch(entry -> entry.step().equals("createPaused") && entry.phase() == Phase.ENTER);
  }

  /**
   * Ports that an operation should have unplugged, and no outcome names.
   *
   * @param end what is there now
   * @return the ports and how the operation ended
   */
  public Map<UUID, String> leakedPorts(End end) {
    Map<UUID, String> leaked = new LinkedHashMap<>();
    end.plugger()
        .plugged()
        .forEach(
            (guest, vifs) -> {
              Outcome last = book.lastOf(guest);
              if (last == null
                  || !OutcomeBook.leavesNothing(last)
                  || end.isLive(guest)
                  || end.hypervisor().state(guest).isActive()) {
                return;
              }
              vifs.stream()
                  .filter(
                      vif ->
                          !book.isNamed(
                              guest,
                              vif.port().toString(),
                              history.lastToDo(guest, "plug", vif.port())))
                  .filter(
                      vif ->
                          last.operation() != Operation.ATTACH
                              || last.ports().containsKey(vif.port()))
                  .forEach(
                      vif ->
                          leaked.put(
                              vif.port(),
                              last.operation() + " of guest " + guest + " ended " + last.kind()));
            });
    return leaked;
  }

  /**
   * Watches that are open although their operation has ended and no DEGRADED guest needs them.
   *
   * @param end what is there now
   * @return how many
   */
  public int leakedWatches(End end) {
    long live = end.progress().stream().filter(one -> one.attempt() != 0).count();
    Set<UUID> degraded = new HashSet<>();
    for (Outcome outcome : book.outcomes()) {
      Duration ended = Duration.between(VirtualTime.START, outcome.endedAt());
      if (outcome.kind() == Outcome.Kind.DEGRADED
          && outcome.equals(book.lastOf(outcome.guest()))
          && !becameReady.contains(outcome.attempt())
          && ended.plus(DEGRADED_WATCH).compareTo(time.elapsed()) > 0) {
        degraded.add(outcome.guest());
      }
    }
    return (int) Math.max(0, end.health().openWatches() - live - degraded.size());
  }
}
