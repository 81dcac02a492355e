package io.vifplug.testkit;

import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.Plan.StepKind;
import io.vifplug.PlugCall;
import io.vifplug.Reason;
import io.vifplug.testkit.Timeline.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What was asked for in a run, and how it ended. Not thread-safe. */
final class OutcomeBook {
  /** The steps that change the host. */
  static final Set<StepKind> HOST_STEPS =
      EnumSet.of(
          StepKind.DESTROY,
          StepKind.UNPLUG,
          StepKind.PLUG,
          StepKind.CREATE_PAUSED,
          StepKind.CREATE_RUNNING,
          StepKind.ATTACH,
          StepKind.DETACH,
          StepKind.RESUME,
          StepKind.UNDEFINE);

  private final List<Asked> asked = new ArrayList<>();
  private final Map<Long, CleanedUp> cleanups = new HashMap<>();

  private record CleanedUp(Duration at, List<String> leftovers) {}

  private record Asked(UUID guest, Operation operation, Duration at, List<Outcome> outcomes) {
    boolean hasEnded() {
      return !outcomes.isEmpty();
    }
  }

  void asked(UUID guest, Operation operation, Duration at, PlugCall call) {
    Asked entry = new Asked(guest, operation, at, new ArrayList<>());
    asked.add(entry);
    var unused = call.outcome().thenAccept(entry.outcomes::add);
  }

  /** What a clean-up has left that went on after its outcome was told. */
  void cleanedUp(long attempt, Duration at, List<String> left) {
    cleanups.put(attempt, new CleanedUp(at, List.copyOf(left)));
  }

  /** The outcomes of attempts that were begun, each once. */
  List<Outcome> outcomes() {
    Map<Long, Outcome> outcomes = new LinkedHashMap<>();
    for (Asked entry : asked) {
      for (Outcome outcome : entry.outcomes) {
        if (outcome.attempt() != 0) {
          outcomes.put(outcome.attempt(), outcome);
        }
      }
    }
    return List.copyOf(outcomes.values());
  }

  List<String> unended() {
    return asked.stream()
        .filter(entry -> !entry.hasEnded())
        .map(entry -> entry.operation + " of guest " + entry.guest)
        .toList();
  }

  /** The outcome of the guest's latest attempt, or null if none has acted on it. */
  @Nullable Outcome lastOf(UUID guest) {
    Outcome last = null;
    for (Outcome outcome : outcomes()) {
      if (outcome.guest().equals(guest)
          && outcome.kind() != Outcome.Kind.REJECTED
          && (last == null || outcome.attempt() > last.attempt())) {
        last = outcome;
      }
    }
    return last;
  }

  /** Whether that attempt or a later one has named what is left, where an operator sees it. */
  boolean isNamed(UUID guest, String what, long since) {
    for (Outcome outcome : outcomes()) {
      if (outcome.guest().equals(guest)
          && outcome.attempt() >= since
          && !outcome.cleanupComplete()) {
        CleanedUp later = cleanups.get(outcome.attempt());
        List<String> lines = later == null ? outcome.leftovers() : later.leftovers;
        if (lines.stream().anyMatch(line -> line.contains(what))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a call on the host belongs to something that was asked for and was not over. */
  boolean isAskedFor(Entry entry) {
    return asked.stream()
        .filter(one -> one.guest.equals(entry.guest()) && one.at.compareTo(entry.at()) <= 0)
        .anyMatch(
            one ->
                !one.hasEnded()
                    || one.outcomes.stream()
                        .anyMatch(
                            outcome ->
                                outcome.kind() != Outcome.Kind.REJECTED && covers(outcome, entry)));
  }

  /** Whether a SPAWN that failed, was cancelled or has not ended stands behind a discard. */
  boolean mayDiscard(Entry entry) {
    return asked.stream()
        .filter(one -> one.guest.equals(entry.guest()) && one.operation == Operation.SPAWN)
        .anyMatch(
            one ->
                !one.hasEnded()
                    || one.outcomes.stream()
                        .anyMatch(outcome -> isUndone(outcome) && covers(outcome, entry)));
  }

  /** How many SPAWNs of a guest may have discarded its storage. */
  long undoneSpawns(UUID guest) {
    return asked.stream()
        .filter(one -> one.guest.equals(guest) && one.operation == Operation.SPAWN)
        .filter(one -> !one.hasEnded() || one.outcomes.stream().anyMatch(OutcomeBook::isUndone))
        .count();
  }

  private static boolean isUndone(Outcome outcome) {
    return outcome.kind() == Outcome.Kind.FAILED
        || (outcome.kind() == Outcome.Kind.CANCELLED && outcome.reason() != Reason.CLOSED);
  }

  /** What goes on after the outcome was told belongs to it until its clean-up has ended. */
  private boolean covers(Outcome outcome, Entry entry) {
    Duration from = Duration.between(VirtualTime.START, outcome.startedAt());
    CleanedUp later = outcome.cleanupComplete() ? null : cleanups.get(outcome.attempt());
    Duration to = later == null ? from.plus(outcome.elapsed()) : later.at;
    boolean goesOn = !outcome.cleanupComplete() && later == null;
    return entry.at().compareTo(from) >= 0 && (goesOn || entry.at().compareTo(to) <= 0);
  }

  /** Whether an attempt that ended so must have cleaned up; one that touched nothing need not. */
  static boolean leavesNothing(Outcome outcome) {
    boolean touched =
        outcome.steps().stream()
            .anyMatch(
                step -> HOST_STEPS.stream().anyMatch(kind -> kind.word().equals(step.step())));
    if (!touched) {
      return false;
    }
    return switch (outcome.kind()) {
      case FAILED, CANCELLED ->
          outcome.operation() != Operation.DETACH && outcome.reason() != Reason.DESTROY_FAILED;
      case READY -> outcome.operation() == Operation.DESTROY;
      default -> false;
    };
  }
}
