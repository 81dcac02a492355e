package io.vifplug.testkit;

import io.vifplug.Evidence;
import io.vifplug.Limit;
import io.vifplug.Outcome;
import io.vifplug.Plan;
import io.vifplug.PortResult;
import io.vifplug.Reason;
import io.vifplug.backend.Expectation;
import io.vifplug.testkit.Timeline.Entry;
import io.vifplug.testkit.Timeline.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Holds what an operation went on for against what was heard and read, without taking the outcome's
 * word for it.
 */
final class EvidenceCheck {
  private final History history;
  private final BiConsumer<String, String> broken;

  EvidenceCheck(History history, BiConsumer<String, String> broken) {
    this.history = history;
    this.broken = broken;
  }

  /** I1, I7 and I9: what a resume was based on, held against what was heard and read. */
  void check(Outcome outcome, Plan plan, List<Entry> entries) {
    boolean created = outcome.operation().creates();
    int resume =
        created
            ? history.firstEntry(entries, outcome.guest(), outcome.attempt(), "resume", null)
            : outcome.isReady() ? entries.size() : -1;
    if (resume < 0) {
      return;
    }
    for (PortResult port : outcome.ports().values()) {
      Plan.PortPlan planned = plan.ports().get(port.port());
      if (planned != null && port.expectation().isAwaited() && !planned.gatesStandIn()) {
        check(outcome, port, planned, entries, resume);
      }
    }
  }

  private void check(
      Outcome outcome, PortResult port, Plan.PortPlan planned, List<Entry> entries, int resume) {
    long attempt = outcome.attempt();
    int plug = history.firstEntry(entries, outcome.guest(), attempt, "plug", port.port());
    boolean atBinding = port.expectation() == Expectation.AWAIT_BIND_TIME;
    History.Verdict verdict =
        history.judge(
            planned,
            outcome.guest(),
            attempt,
            outcome.operation(),
            atBinding ? 0 : plug + 1,
            resume);
    Instant confirmedAt = port.confirmedAt();
    boolean afterwards = !history.toldBefore(attempt, port.port(), resume);
    if (confirmedAt == null || afterwards) {
      patience(outcome, planned, verdict, entries, resume);
      return;
    }
    boolean byEvent = port.evidence().contains(Evidence.EVENT);
    boolean alone = port.evidence().size() == 1 && outcome.operation().creates();
    boolean heard = alone ? verdict.announced() : verdict.ever();
    if (byEvent && history.knowsEvents() && !heard) {
      broken.accept(
          verdict.early() ? "I7" : "I1",
          "attempt %d went on although no plugged event of port %s was in force: %s"
              .formatted(attempt, port.port(), verdict));
    }
    if (byEvent
        && alone
        && history.knowsEvents()
        && !history.toldAt(
            attempt, port.port(), Duration.between(VirtualTime.START, confirmedAt))) {
      broken.accept(
          "I9", "the event of port " + port.port() + " at " + confirmedAt + " was let lie");
    }
    if (port.evidence().contains(Evidence.LOCAL)
        && outcome.operation().creates()
        && !history.shownReady(port.port(), plug + 1, resume)) {
      broken.accept(
          "I1",
          "attempt %d went on although local evidence of port %s did not show it ready anew"
              .formatted(attempt, port.port()));
    }
  }

  /** The policy may say to go on without proof, but not before the time is over. */
  private void patience(
      Outcome outcome,
      Plan.PortPlan planned,
      History.Verdict verdict,
      List<Entry> entries,
      int resume) {
    boolean excused =
        outcome.limit() == Limit.CALLER
            || outcome.reason() == Reason.PORT_FAILED
            || verdict.failed()
            || !history.knowsEvents();
    boolean runs = outcome.kind() == Outcome.Kind.DEGRADED || outcome.isReady();
    if (!outcome.operation().creates() || excused || !runs) {
      return;
    }
    Duration since = Duration.ZERO;
    for (Entry entry : entries.subList(0, resume)) {
      if (entry.guest().equals(outcome.guest())
          && entry.step().equals("createPaused")
          && entry.phase() == Phase.EXIT) {
        since = entry.at();
      }
    }
    if (entries.get(resume).at().compareTo(since.plus(planned.timeout())) < 0) {
      broken.accept(
          "I1",
          "attempt %d went on without port %s %s before its time"
              .formatted(
                  outcome.attempt(),
                  planned.vif().port(),
                  since.plus(planned.timeout()).minus(entries.get(resume).at())));
    }
  }
}
