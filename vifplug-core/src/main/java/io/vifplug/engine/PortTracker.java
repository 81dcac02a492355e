package io.vifplug.engine;

import io.vifplug.Evidence;
import io.vifplug.OnTimeout;
import io.vifplug.Plan.PortPlan;
import io.vifplug.PortResult;
import io.vifplug.PortState;
import io.vifplug.Progress;
import io.vifplug.backend.EvidenceRule;
import io.vifplug.backend.Expectation;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.PortStatusReader;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is known of one port in one attempt, and whether it is enough. Confined to the lane. */
final class PortTracker {
  private final PortPlan plan;
  private final boolean unpluggedHere;
  private final boolean reopens;

  private PortState state;
  private final Set<Evidence> evidence = EnumSet.noneOf(Evidence.class);
  private @Nullable Instant confirmedAt;
  private boolean windowOpen;
  private boolean eventSeen;
  private LocalEvidence.@Nullable Reading before;
  private boolean localReady;
  private boolean pullActive;
  private boolean otherStatusSeen;
  private boolean unplugUnderWay;
  private boolean acknowledged;
  private boolean goneHere;
  private boolean timedOut;
  private int earlyEvents;
  private int duplicateEvents;
  private long lastEventNanos;
  private boolean anyEvent;
  private @Nullable String lastStatus;
  private String detail = "";

  /**
   * Starts tracking.
   *
   * @param plan what is expected
   * @param unpluggedHere whether the first unplugged event acknowledges an unplug of our own
   * @param reopens whether further unplugged events re-open a confirmed port
   */
  PortTracker(PortPlan plan, boolean unpluggedHere, boolean reopens) {
    this.plan = plan;
    this.unpluggedHere = unpluggedHere;
    this.reopens = reopens;
    this.windowOpen = plan.expectation() == Expectation.AWAIT_BIND_TIME;
    this.state =
        switch (plan.expectation()) {
          case ALREADY_UP -> PortState.ALREADY_UP;
          case ADMIN_DOWN -> PortState.ADMIN_DOWN;
          case NOT_EXPECTED -> PortState.NOT_EXPECTED;
          default -> PortState.OUTSTANDING;
        };
  }

  PortPlan plan() {
    return plan;
  }

  UUID port() {
    return plan.vif().port();
  }

  boolean awaited() {
    return plan.expectation().isAwaited();
  }

  boolean confirmed() {
    return state == PortState.CONFIRMED;
  }

  boolean failed() {
    return state == PortState.FAILED;
  }

  /** Whether the guest must not be resumed because of this port. */
  boolean blocks() {
    if (!awaited() || confirmed()) {
      return false;
    }
    return plan.onTimeout() == OnTimeout.FAIL || !(failed() || timedOut);
  }

  boolean failsTheAttempt() {
    return failed() && plan.onTimeout() == OnTimeout.FAIL;
  }

  boolean outstanding() {
    return awaited() && !confirmed();
  }

  void earlyOrphan() {
    if (awaited()) {
      earlyEvents++;
    }
  }

  void teardownEntered() {
    unplugUnderWay = unpluggedHere;
  }

  void plugEntered(LocalEvidence.@Nullable Reading reading) {
    if (!windowOpen || before == null) {
      before = reading;
    }
    windowOpen = true;
  }

  /** A plugged event; true if it was expected of this port. */
  boolean plugged(boolean failure, Instant at, long nanos) {
    touched(nanos);
    if (!awaited() || !plan.rule().usesEvents()) {
      return false;
    }
    if (!windowOpen) {
      earlyEvents++;
    } else if (failure) {
      fail("the network back end reported that the port failed");
    } else if (confirmed() || eventSeen) {
      duplicateEvents++;
      judge(at);
    } else {
      eventSeen = true;
      if (failed()) {
        state = PortState.OUTSTANDING;
        detail = "";
      }
      judge(at);
    }
    return true;
  }

  /** An unplugged event: the acknowledgement of our own unplug, or the loss of a proven port. */
  void unplugged(long nanos, boolean frozen) {
    touched(nanos);
    if (unplugUnderWay && !acknowledged) {
      acknowledged = true;
    } else if (reopens && confirmed() && !plan.gatesStandIn() && !frozen) {
      reopen();
    }
  }

  void deleted() {
    if (awaited()) {
      fail("deleted");
    }
  }

  /** It could not be plugged at all. */
  void notPlugged(String why) {
    fail(why);
  }

  private void touched(long nanos) {
    lastEventNanos = nanos;
    anyEvent = true;
  }

  private void fail(String why) {
    state = PortState.FAILED;
    detail = why;
    forget();
  }

  private void reopen() {
    state = PortState.OUTSTANDING;
    forget();
  }

  private void forget() {
    evidence.clear();
    confirmedAt = null;
    eventSeen = false;
    pullActive = false;
    localReady = false;
  }

  /** A reading of local evidence. */
  void local(LocalEvidence.Reading reading, Instant at) {
    if (reading.state() == LocalEvidence.State.GONE && unplugUnderWay && !windowOpen) {
      // Enough to go on; the event of this unplug is still to come, and must not re-open anything.
      goneHere = true;
      return;
    }
    if (!windowOpen || !plan.rule().usesLocal() || plan.gatesStandIn()) {
      return;
    }
    localReady = reading.state() == LocalEvidence.State.READY && isNew(reading);
    if (confirmed() && evidence.contains(Evidence.LOCAL) && !localReady) {
      boolean announced = eventSeen;
      reopen();
      eventSeen = announced;
    } else {
      judge(at);
    }
  }

  /** Only a change that came after plug was entered is evidence of this attempt. */
  private boolean isNew(LocalEvidence.Reading reading) {
    return before == null
        || before.state() != LocalEvidence.State.READY
        || !before.revision().equals(reading.revision());
  }

  /** A status of the port status reader. */
  void status(String status, Instant at) {
    lastStatus = status;
    boolean active = status.equals(PortStatusReader.ACTIVE);
    if (!active) {
      otherStatusSeen = true;
    }
    pullActive = active && (!unpluggedHere || acknowledged || otherStatusSeen);
    if (plan.rule() == EvidenceRule.EVENT_AND_PULL) {
      judge(at);
    }
  }

  /** Takes the status in place of the event, where that is allowed. */
  void acceptStatus(Instant at) {
    if (outstanding() && !plan.gatesStandIn() && pullActive) {
      confirm(at, EnumSet.of(Evidence.PULL));
    }
  }

  /** Open gates stand in for events that never come. */
  void gates(boolean open, Instant at) {
    if (!plan.gatesStandIn()) {
      return;
    }
    if (open && !confirmed()) {
      confirm(at, EnumSet.of(Evidence.LOCAL));
    } else if (!open && confirmed()) {
      reopen();
    }
  }

  private void judge(Instant at) {
    if (!outstanding() || failed() || plan.gatesStandIn()) {
      return;
    }
    switch (plan.rule()) {
      case EVENT -> confirmIf(eventSeen, at, Evidence.EVENT);
      case LOCAL -> confirmIf(localReady, at, Evidence.LOCAL);
      case EVENT_AND_LOCAL ->
          confirmIf(eventSeen && localReady, at, Evidence.EVENT, Evidence.LOCAL);
      case EVENT_AND_PULL -> confirmIf(eventSeen && pullActive, at, Evidence.EVENT, Evidence.PULL);
      case EVENT_OR_LOCAL -> {
        confirmIf(eventSeen, at, Evidence.EVENT);
        confirmIf(!eventSeen && localReady, at, Evidence.LOCAL);
      }
    }
  }

  private void confirmIf(boolean proven, Instant at, Evidence... kinds) {
    if (proven) {
      confirm(at, Set.of(kinds));
    }
  }

  private void confirm(Instant at, Set<Evidence> kinds) {
    state = PortState.CONFIRMED;
    evidence.clear();
    evidence.addAll(kinds);
    confirmedAt = at;
    detail = "";
  }

  /** The time for evidence is over; only matters where the policy is to resume. */
  void timeOut() {
    timedOut = true;
  }

  /** Whether the port status can bring this port further now. */
  boolean wantsStatus() {
    return outstanding() && !failed() && plan.rule() == EvidenceRule.EVENT_AND_PULL && eventSeen;
  }

  /** Whether a reading of local evidence can bring this port further now. */
  boolean wantsLocal() {
    if (!windowOpen || plan.gatesStandIn() || !outstanding() || failed()) {
      return false;
    }
    return switch (plan.rule()) {
      case LOCAL, EVENT_OR_LOCAL -> true;
      case EVENT_AND_LOCAL -> eventSeen;
      case EVENT, EVENT_AND_PULL -> false;
    };
  }

  boolean handshakePending() {
    return plan.handshake() && !acknowledged();
  }

  boolean handshakeDue() {
    return plan.handshake();
  }

  boolean acknowledged() {
    return acknowledged || goneHere;
  }

  /** Whether the back end itself has said that it saw our unplug. */
  boolean unplugAnnounced() {
    return acknowledged;
  }

  /** When the last plugged or unplugged event of this port came, or the default if none did. */
  long lastEventNanos(long orElse) {
    return anyEvent ? lastEventNanos : orElse;
  }

  @Nullable String lastStatus() {
    return lastStatus;
  }

  int earlyEvents() {
    return earlyEvents;
  }

  String detail() {
    return detail;
  }

  /** Which proof is missing, in words. */
  String missing() {
    if (plan.gatesStandIn()) {
      return "open gates";
    }
    return switch (plan.rule()) {
      case EVENT -> "network-vif-plugged";
      case LOCAL -> "local evidence";
      case EVENT_OR_LOCAL -> "network-vif-plugged or local evidence";
      case EVENT_AND_LOCAL ->
          eventSeen ? "local evidence (the event came)" : "network-vif-plugged and local evidence";
      case EVENT_AND_PULL ->
          eventSeen
              ? "port status ACTIVE (the event came)"
              : "network-vif-plugged and port status ACTIVE";
    };
  }

  PortResult result(boolean endedForAnotherCause) {
    PortState last =
        endedForAnotherCause && state == PortState.OUTSTANDING ? PortState.CANCELLED : state;
    return new PortResult(
        port(),
        plan.expectation(),
        plan.why(),
        last,
        evidence,
        confirmedAt,
        earlyEvents,
        duplicateEvents,
        lastStatus,
        handshakeDue() ? (Boolean) acknowledged() : null,
        detail);
  }

  Progress.Port progress() {
    return new Progress.Port(
        port(),
        plan.expectation(),
        plan.why(),
        state,
        Set.copyOf(evidence),
        confirmedAt,
        earlyEvents,
        lastStatus);
  }
}
