package io.vifplug.engine;

import io.vifplug.Operation;
import io.vifplug.Plan.PortPlan;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugPolicy.Handshake;
import io.vifplug.PlugRequest;
import io.vifplug.backend.Announcement;
import io.vifplug.backend.BackendMatrix;
import io.vifplug.backend.BackendMatrix.Cell;
import io.vifplug.backend.BackendMatrix.Proof;
import io.vifplug.backend.EvidenceRule;
import io.vifplug.backend.Expectation;
import io.vifplug.network.Vif;
import io.vifplug.network.VnicType;
import io.vifplug.spi.LocalEvidence;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is expected of a port, and why. Pure. */
final class Expectations {
  private final BackendMatrix matrix;
  private final @Nullable String defaultDriver;
  private final boolean hasEvents;
  private final @Nullable LocalEvidence local;
  private final boolean hasReader;

  Expectations(
      BackendMatrix matrix,
      @Nullable String defaultDriver,
      boolean hasEvents,
      @Nullable LocalEvidence local,
      boolean hasReader) {
    this.matrix = matrix;
    this.defaultDriver = defaultDriver;
    this.hasEvents = hasEvents;
    this.local = local;
    this.hasReader = hasReader;
  }

  private record Decision(Expectation expectation, String why, boolean gatesStandIn) {
    static Decision of(Expectation expectation, String why) {
      return new Decision(expectation, why, false);
    }
  }

  PortPlan decide(
      PlugRequest request, PlugPolicy policy, Planner.Memory memory, Vif vif, List<String> notes) {
    Operation operation = request.operation();
    VnicType type = vif.vnicType();
    String bound = vif.boundDriver();
    String driver = bound == null ? defaultDriver : bound;
    Cell cell = matrix.find(driver, type, operation);
    boolean pluggedNow = memory.plugged().containsKey(vif.port());
    boolean hybridInPlace = vif.hybridPlug() && pluggedNow && !operation.replugs();
    if (hybridInPlace && cell != null && cell.announces() == Announcement.PLUG_TIME) {
      // LP 1832028: the wire is there already, so binding alone makes the back end announce it.
      cell = withAnnouncement(cell, Announcement.BIND_TIME);
    }
    Decision decision = expect(request, policy, memory, vif, driver, cell, notes);
    if (decision.expectation().isAwaited()
        && policy.timeout(type).isZero()
        && !decision.gatesStandIn()) {
      decision = Decision.of(Expectation.NOT_EXPECTED, "WAIT_OFF: the time for evidence is zero");
    }
    EvidenceRule rule = rule(policy, driver, vif, cell, decision);
    boolean awaitsEvent =
        decision.expectation().isAwaited() && rule.usesEvents() && !decision.gatesStandIn();
    if (announcesFalsely(cell) && awaitsEvent && rule == EvidenceRule.EVENT) {
      notes.add(
          "driver "
              + driver
              + " announces an unplug as a plug (LP 2112569) and no second proof is configured:"
              + " plugging is held back until its false events have passed");
    }
    OwnUnplugs.Entry ownUnplug = memory.unplugged().apply(vif.port());
    boolean awaitsAcknowledgement =
        ownUnplug != null && !ownUnplug.acknowledged() && isRecent(memory, ownUnplug);
    boolean unplugsNow =
        operation.removes() || (operation.replugs() && (pluggedNow || ownUnplug == null));
    boolean again = operation.replugs() || plugsAgain(operation);
    boolean handshake =
        policy.unplugHandshake() == Handshake.AUTO
            && vif.adminUp()
            && cell != null
            && cell.announcesUnplug()
            && (unplugsNow || (again && awaitsAcknowledgement));
    boolean unpluggedHere =
        operation.replugs() || (plugsAgain(operation) && isRecent(memory, ownUnplug));
    Duration settle =
        awaitsEvent && unpluggedHere && rule.eventAlone() && cell != null
            ? cell.settleAfterUnplug()
            : Duration.ZERO;
    return new PortPlan(
        vif,
        driver,
        decision.expectation(),
        decision.why(),
        rule,
        decision.gatesStandIn(),
        policy.timeout(type),
        policy.onTimeout(type),
        handshake,
        settle);
  }

  private static boolean announcesFalsely(@Nullable Cell cell) {
    return cell != null && !cell.settleAfterUnplug().isZero();
  }

  private static boolean isRecent(Planner.Memory memory, OwnUnplugs.@Nullable Entry unplug) {
    return unplug != null && memory.recentlyUnplugged().apply(unplug);
  }

  private static boolean plugsAgain(Operation operation) {
    return operation == Operation.SPAWN || operation == Operation.ATTACH;
  }

  private static Cell withAnnouncement(Cell cell, Announcement announcement) {
    return new Cell(
        announcement,
        cell.awaited(),
        cell.announcesUnplug(),
        cell.settleAfterUnplug(),
        cell.proof(),
        "hybrid plug whose device is on this host announces the binding");
  }

  private Decision expect(
      PlugRequest request,
      PlugPolicy policy,
      Planner.Memory memory,
      Vif vif,
      @Nullable String driver,
      @Nullable Cell cell,
      List<String> notes) {
    Operation operation = request.operation();
    if (operation.removes()) {
      return Decision.of(Expectation.NOT_EXPECTED, "UNPLUGGED_HERE: " + operation + " unplugs it");
    }
    if (!vif.adminUp()) {
      return Decision.of(Expectation.ADMIN_DOWN, "ADMIN_STATE: the port is administratively down");
    }
    Set<VnicType> list = policy.hardRebootWaitsFor();
    if (operation.replugs() && list != null) {
      return list.contains(vif.vnicType())
          ? awaitPlug(
              "UNPLUGGED_HERE: vnic type " + vif.vnicType() + " is listed", policy, driver, vif)
          : Decision.of(
              Expectation.NOT_EXPECTED,
              "NOT_LISTED: hardRebootWaitsFor does not list vnic type " + vif.vnicType());
    }
    if (!operation.replugs() && vif.active() && memory.unplugged().apply(vif.port()) == null) {
      return Decision.of(
          Expectation.ALREADY_UP, "ACTIVE: the port was up and nothing here has unplugged it");
    }
    if (cell == null) {
      return unknownDriver(operation, policy, driver, vif, notes);
    }
    boolean explicitLocal = policy.evidence(driver, vif.vnicType()) == EvidenceRule.LOCAL;
    boolean shownHere = local != null && local.covers(vif);
    if (shownHere && (explicitLocal || cell.proof() == Proof.LOCAL_EVIDENCE)) {
      return Decision.of(
          Expectation.LOCAL, word(cell) + ": " + cell.note() + "; local evidence is awaited");
    }
    if (operation == Operation.MIGRATE_IN && shownHere && cell.proof() == Proof.EVENTS) {
      return Decision.of(
          Expectation.LOCAL,
          "MIGRATION: events carry no host and may come from the source; local evidence is"
              + " awaited");
    }
    if (!cell.awaited()) {
      return hasResumeGate(request, vif)
          ? new Decision(
              Expectation.LOCAL, word(cell) + ": " + cell.note() + "; its gates stand in", true)
          : Decision.of(Expectation.NOT_EXPECTED, word(cell) + ": " + cell.note());
    }
    if (cell.announces() == Announcement.BIND_TIME) {
      return bindTime(request, vif, cell, notes);
    }
    if (operation == Operation.MIGRATE_IN) {
      notes.add("events of a migration may come from the source: they prove little");
    }
    return awaitPlug(
        (operation.replugs() ? "UNPLUGGED_HERE: " : "PLUG_TIME: ") + cell.note(),
        policy,
        driver,
        vif);
  }

  private Decision awaitPlug(String why, PlugPolicy policy, @Nullable String driver, Vif vif) {
    boolean onlyLocal =
        policy.evidence(driver, vif.vnicType()) == EvidenceRule.LOCAL
            && local != null
            && local.covers(vif);
    return Decision.of(onlyLocal ? Expectation.LOCAL : Expectation.AWAIT_PLUG_TIME, why);
  }

  private static String word(Cell cell) {
    return cell.announces() == Announcement.BIND_TIME ? "BIND_TIME_ONLY" : "NO_ANNOUNCER";
  }

  private static boolean hasResumeGate(PlugRequest request, Vif vif) {
    return request.gates().stream()
        .anyMatch(gate -> gate.phase().beforeResume() && vif.port().equals(gate.port()));
  }

  private Decision unknownDriver(
      Operation operation,
      PlugPolicy policy,
      @Nullable String driver,
      Vif vif,
      List<String> notes) {
    String who = driver == null ? "no driver is named or configured" : driver + " is not known";
    notes.add(
        "driver "
            + (driver == null ? "(none)" : driver)
            + " is unknown: what it announces cannot be foreseen; add it to the backend matrix");
    if (operation == Operation.SPAWN) {
      return awaitPlug(
          "UNKNOWN_DRIVER: " + who + " and the port was not active", policy, driver, vif);
    }
    return Decision.of(Expectation.NOT_EXPECTED, "UNKNOWN_DRIVER: " + who);
  }

  private Decision bindTime(PlugRequest request, Vif vif, Cell cell, List<String> notes) {
    if (request.binder() == null && !hasReader) {
      notes.add(
          "port "
              + vif.port()
              + " is announced when it is bound, which is over, and no port status reader is"
              + " configured: not awaited");
      return Decision.of(
          Expectation.NOT_EXPECTED,
          "BOUND_BEFORE_WATCH: " + cell.note() + ", and it was bound before anybody listened");
    }
    return Decision.of(Expectation.AWAIT_BIND_TIME, "BIND_TIME: " + cell.note());
  }

  private EvidenceRule rule(
      PlugPolicy policy, @Nullable String driver, Vif vif, @Nullable Cell cell, Decision decision) {
    if (decision.expectation() == Expectation.LOCAL) {
      return EvidenceRule.LOCAL;
    }
    EvidenceRule asked = policy.evidence(driver, vif.vnicType());
    if (asked != null) {
      return asked;
    }
    boolean falseEvents = announcesFalsely(cell);
    if (falseEvents && local != null && local.covers(vif)) {
      return EvidenceRule.EVENT_AND_LOCAL;
    }
    return falseEvents && hasReader ? EvidenceRule.EVENT_AND_PULL : EvidenceRule.EVENT;
  }

  /** Which source of evidence is missing for an awaited port, or null if none is. */
  @Nullable String undeliverable(PortPlan port, PlugPolicy policy) {
    if (!port.expectation().isAwaited() || port.gatesStandIn()) {
      return null;
    }
    boolean shownHere = local != null && local.covers(port.vif());
    boolean pulled =
        hasReader
            && (port.expectation() == Expectation.AWAIT_BIND_TIME || policy.acceptStatusPull());
    if (pulled) {
      return null;
    }
    return switch (port.rule()) {
      case EVENT -> hasEvents ? null : "no event source";
      case EVENT_OR_LOCAL ->
          hasEvents || shownHere ? null : "neither event source nor local evidence";
      case LOCAL -> shownHere ? null : "no local evidence";
      case EVENT_AND_LOCAL ->
          hasEvents && shownHere ? null : hasEvents ? "no local evidence" : "no event source";
      case EVENT_AND_PULL ->
          hasEvents && hasReader ? null : hasEvents ? "no port status reader" : "no event source";
    };
  }
}
