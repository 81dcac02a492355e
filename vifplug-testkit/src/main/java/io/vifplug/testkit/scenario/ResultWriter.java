package io.vifplug.testkit.scenario;

import io.vifplug.Evidence;
import io.vifplug.HostHealth;
import io.vifplug.Outcome;
import io.vifplug.PortResult;
import io.vifplug.PortState;
import io.vifplug.Progress;
import io.vifplug.network.NetworkInfo;
import io.vifplug.network.Vif;
import io.vifplug.spi.PlugListener;
import io.vifplug.testkit.FakeHypervisor.Domain;
import io.vifplug.testkit.InvariantChecker;
import io.vifplug.testkit.InvariantChecker.Violation;
import io.vifplug.testkit.Timeline;
import io.vifplug.testkit.Timeline.Entry;
import io.vifplug.testkit.Timeline.Phase;
import io.vifplug.testkit.VirtualTime;
import io.vifplug.testkit.scenario.ScenarioRunner.Asked;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes what came of a run with the keys of the format. Listens for what outcomes do not hold. */
final class ResultWriter implements PlugListener {
  private static final List<String> COUNTS =
      List.of(
          "plug",
          "unplug",
          "createPaused",
          "createRunning",
          "resume",
          "destroy",
          "undefine",
          "attach",
          "detach",
          ScenarioHost.DISCARD_STORAGE);

  private final Scenario scenario;
  private final ScenarioHost host;
  private final Map<Long, Instant> becameReady = new HashMap<>();
  private final Map<Long, Integer> lateEvents = new HashMap<>();

  ResultWriter(Scenario scenario, ScenarioHost host) {
    this.scenario = scenario;
    this.host = host;
  }

  @Override
  public void becameReady(long attempt, UUID guest, Instant at) {
    becameReady.put(attempt, at);
  }

  @Override
  public void lateEvent(long attempt, UUID guest, UUID port, Duration lateness) {
    lateEvents.merge(attempt, 1, Integer::sum);
  }

  ScenarioResult write(
      List<Asked> asked,
      Map<UUID, NetworkInfo> networks,
      InvariantChecker.End end,
      List<String> broken) {
    List<Violation> violations = host.checker().check(end);
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("name", scenario.name());
    values.put("matched", true);
    values.put("mismatches", List.of());
    values.put("operations", asked.stream().map(this::operation).toList());
    values.put("timeline", timeline());
    values.put("answers", host.source().answers());
    values.put("guests", guests(networks));
    values.put("counts", counts());
    values.put("leaks", leaks(end));
    values.put("health", health(end.health()));
    values.put("invariants", List.copyOf(new TreeSet<>(names(violations))));
    values.put("violations", host.timeline().violations());

    List<String> mismatches = new ArrayList<>(broken);
    violations.forEach(violation -> mismatches.add("$.invariants: " + violation));
    if (scenario.expect() != null) {
      mismatches.addAll(ExpectMatcher.mismatches(scenario.expect(), values));
    }
    values.put("matched", mismatches.isEmpty());
    values.put("mismatches", mismatches);
    return new ScenarioResult(
        scenario.name(), mismatches.isEmpty(), mismatches, Collections.unmodifiableMap(values));
  }

  private static List<String> names(List<Violation> violations) {
    return violations.stream().map(Violation::invariant).toList();
  }

  private Map<String, @Nullable Object> operation(Asked asked) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("guest", asked.guest().toString());
    values.put("operation", asked.operation().name());
    Outcome outcome = asked.call().outcome().toCompletableFuture().getNow(null);
    long attempt = outcome == null ? asked.call().progress().attempt() : outcome.attempt();
    values.put("outcome", outcome == null ? null : outcome.kind().name());
    values.put("reason", outcome == null ? null : word(outcome.reason()));
    values.put("message", outcome == null ? null : outcome.message());
    values.put("limit", outcome == null ? null : word(outcome.limit()));
    values.put("startedAt", outcome == null ? null : sinceStart(outcome.startedAt()));
    values.put("endedAt", outcome == null ? null : sinceStart(outcome.endedAt()));
    values.put("becameReadyAt", sinceStart(becameReady.get(attempt)));
    values.put("ports", outcome == null ? progressPorts(asked) : ports(outcome, asked));
    values.put("unplugAcknowledged", outcome == null ? null : outcome.unplugAcknowledged());
    values.put("unexpectedEvents", outcome == null ? null : outcome.unexpectedEvents());
    values.put("lateEvents", attempt == 0 ? 0 : lateEvents.getOrDefault(attempt, 0));
    values.put("eventsSeen", outcome == null ? Map.of() : outcome.eventsSeen());
    values.put("suppressed", outcome == null ? List.of() : outcome.suppressed());
    values.put("cleanupComplete", outcome == null ? null : outcome.cleanupComplete());
    values.put("leftovers", outcome == null ? List.of() : outcome.leftovers());
    return values;
  }

  private static Map<String, Object> ports(Outcome outcome, Asked asked) {
    Map<String, Object> ports = new LinkedHashMap<>();
    outcome.ports().forEach((id, port) -> ports.put(id.toString(), port(port)));
    if (outcome.kind() == Outcome.Kind.DEGRADED) {
      asked.call().progress().ports().forEach(port -> becameReady(port, ports));
    }
    return ports;
  }

  /** A port of a DEGRADED guest that was confirmed after the end. */
  private static void becameReady(Progress.Port port, Map<String, Object> ports) {
    if (port.state() == PortState.CONFIRMED
        && ports.get(port.port().toString()) instanceof Map<?, ?> atTheEnd) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      atTheEnd.forEach((key, value) -> values.put(String.valueOf(key), value));
      values.put("state", port.state().name());
      values.put("evidence", evidence(port.evidence()));
      values.put("confirmedAt", sinceStart(port.confirmedAt()));
      ports.put(port.port().toString(), values);
    }
  }

  private static Map<String, @Nullable Object> port(PortResult port) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("expectation", port.expectation().name());
    values.put("state", port.state().name());
    values.put("evidence", evidence(port.evidence()));
    values.put("confirmedAt", sinceStart(port.confirmedAt()));
    values.put("earlyEvents", port.earlyEvents());
    values.put("duplicateEvents", port.duplicateEvents());
    values.put("why", port.why());
    values.put("lastStatus", port.lastStatus());
    values.put("unplugAcknowledged", port.unplugAcknowledged());
    values.put("detail", port.detail());
    return values;
  }

  /** The ports of an operation that has not ended. */
  private static Map<String, Object> progressPorts(Asked asked) {
    Map<String, Object> ports = new LinkedHashMap<>();
    asked
        .call()
        .progress()
        .ports()
        .forEach(
            port -> {
              Map<String, @Nullable Object> values = new LinkedHashMap<>();
              values.put("expectation", port.expectation().name());
              values.put("state", port.state().name());
              values.put("evidence", evidence(port.evidence()));
              values.put("earlyEvents", port.earlyEvents());
              values.put("why", port.why());
              values.put("lastStatus", port.lastStatus());
              ports.put(port.port().toString(), values);
            });
    return ports;
  }

  /** The kinds in the order EVENT, LOCAL, PULL, joined by plus signs; null if there is none. */
  private static @Nullable String evidence(Set<Evidence> kinds) {
    return kinds.isEmpty()
        ? null
        : kinds.stream().sorted().map(Enum::name).collect(Collectors.joining("+"));
  }

  private List<Map<String, Object>> timeline() {
    List<Map<String, Object>> steps = new ArrayList<>();
    for (Entry entry : host.timeline().entries()) {
      if (entry.phase() == Phase.ENTER && COUNTS.contains(entry.step())) {
        Map<String, Object> step = new LinkedHashMap<>();
        step.put("at", entry.at().toString());
        step.put("step", entry.step());
        step.put("guest", entry.guest().toString());
        if (entry.port() != null) {
          step.put("port", entry.port().toString());
        }
        steps.add(step);
      }
    }
    return steps;
  }

  private Map<String, Object> counts() {
    Map<String, Object> counts = new LinkedHashMap<>();
    Timeline timeline = host.timeline();
    COUNTS.forEach(step -> counts.put(step, timeline.count(step)));
    return counts;
  }

  private Map<String, Object> guests(Map<UUID, NetworkInfo> networks) {
    Map<String, Object> guests = new LinkedHashMap<>();
    networks.forEach(
        (guest, network) -> {
          Domain domain = host.hypervisor().domain(guest);
          Map<String, @Nullable Object> values = new LinkedHashMap<>();
          values.put("state", host.hypervisor().state(guest).name());
          values.put("pausedBy", domain == null ? null : word(domain.pausedBy()));
          values.put("vifs", vifs(guest, network));
          guests.put(guest.toString(), values);
        });
    return guests;
  }

  /** What is plugged, in the order of the network info. */
  private List<String> vifs(UUID guest, NetworkInfo network) {
    List<UUID> plugged = new ArrayList<>();
    host.plugger().plugged(guest).forEach(vif -> plugged.add(vif.port()));
    List<UUID> ordered = new ArrayList<>(network.vifs().stream().map(Vif::port).toList());
    ordered.retainAll(plugged);
    plugged.stream().filter(port -> !ordered.contains(port)).forEach(ordered::add);
    return ordered.stream().distinct().map(UUID::toString).toList();
  }

  private Map<String, Object> leaks(InvariantChecker.End end) {
    Map<String, Object> leaks = new LinkedHashMap<>();
    leaks.put("watches", host.checker().leakedWatches(end));
    leaks.put("plugged", host.checker().leakedPorts(end).size());
    leaks.put("pausedByLibrary", host.checker().leakedPauses(end).size());
    return leaks;
  }

  private static Map<String, Object> health(HostHealth health) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("calls", health.calls());
    values.put("authFailures", health.authFailures());
    values.put("silent", health.silent());
    values.put("stall", health.stalledGuests() > 0);
    values.put("stalledGuests", health.stalledGuests());
    return values;
  }

  private static @Nullable String sinceStart(@Nullable Instant at) {
    return at == null ? null : Duration.between(VirtualTime.START, at).toString();
  }

  private static @Nullable String word(@Nullable Enum<?> word) {
    return word == null ? null : word.name();
  }
}
