package io.vifplug.testkit.scenario;

import io.vifplug.OnTimeout;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugPolicy.PerVnicType;
import io.vifplug.backend.EvidenceRule;
import io.vifplug.network.VnicType;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the policy of a scenario or of one request. */
final class PolicyReader {
  static final String MAX_IN_FLIGHT = "maxInFlight";
  static final String UNKNOWN_EVENT_NAMES = "unknownEventNames";
  private static final Set<String> HOST_WIDE = Set.of(MAX_IN_FLIGHT, UNKNOWN_EVENT_NAMES);
  private static final Map<String, KeyReader> KEYS =
      Map.ofEntries(
          Map.entry("timeout", (policy, value) -> policy.withTimeout(value.duration())),
          Map.entry(
              "onTimeout", (policy, value) -> policy.withOnTimeout(value.word(OnTimeout.class))),
          Map.entry("perVnicType", PolicyReader::perVnicType),
          Map.entry("hardRebootWaitsFor", PolicyReader::hardRebootWaitsFor),
          Map.entry(
              "unplugHandshake",
              (policy, value) ->
                  policy.withUnplugHandshake(value.word(PlugPolicy.Handshake.class))),
          Map.entry("unplugTimeout", (policy, value) -> policy.withUnplugTimeout(value.duration())),
          Map.entry("plugTimeout", (policy, value) -> policy.withPlugTimeout(value.duration())),
          Map.entry("plugAttempts", (policy, value) -> policy.withPlugAttempts(value.integer(1))),
          Map.entry("createTimeout", (policy, value) -> policy.withCreateTimeout(value.duration())),
          Map.entry(
              "callerDeadline", (policy, value) -> policy.withCallerDeadline(value.duration())),
          Map.entry(
              "evidence", (policy, value) -> policy.withEvidence(value.word(EvidenceRule.class))),
          Map.entry(
              "acceptStatusPull", (policy, value) -> policy.withAcceptStatusPull(value.bool())),
          Map.entry("gateInterval", (policy, value) -> policy.withGateInterval(value.duration())),
          Map.entry(
              "onRecovery",
              (policy, value) -> policy.withOnRecovery(value.word(PlugPolicy.OnRecovery.class))));

  private interface KeyReader {
    PlugPolicy apply(PlugPolicy policy, Place value);
  }

  private PolicyReader() {}

  /** The policy of the scenario, with the keys that hold for the host. */
  static PlugPolicy ofScenario(@Nullable Place place) {
    return place == null ? PlugPolicy.defaults() : read(place, true);
  }

  /** The policy of one request: the scenario's with its own keys merged over it. */
  static PlugPolicy ofRequest(@Nullable Place scenario, Place own) {
    PlugPolicy alone = read(own, false);
    if (scenario == null) {
      return alone;
    }
    Place merged = new Place(own.file(), own.pointer(), Json.merge(scenario.node(), own.node()));
    return read(merged, true);
  }

  private static PlugPolicy read(Place place, boolean ofScenario) {
    PlugPolicy policy = PlugPolicy.defaults();
    for (Map.Entry<String, Place> entry : place.entries().entrySet()) {
      Place value = entry.getValue();
      if (HOST_WIDE.contains(entry.getKey())) {
        if (!ofScenario) {
          throw value.error("holds for the whole host; expected only in the scenario's policy");
        }
        continue;
      }
      KeyReader reader = KEYS.get(entry.getKey());
      if (reader == null) {
        Set<String> known = new LinkedHashSet<>(KEYS.keySet());
        known.addAll(HOST_WIDE);
        place.onlyKeys(known);
      } else if (!value.node().isNull()) {
        policy = possible(reader.apply(policy, value), value);
      }
    }
    return policy;
  }

  private static PlugPolicy possible(PlugPolicy policy, Place value) {
    List<String> faults = policy.faults();
    if (!faults.isEmpty()) {
      throw value.error("impossible policy: " + String.join("; ", faults));
    }
    return policy;
  }

  private static PlugPolicy perVnicType(PlugPolicy policy, Place types) {
    PlugPolicy changed = policy;
    for (Map.Entry<String, Place> entry : types.entries().entrySet()) {
      Place value = entry.getValue();
      VnicType type = vnicType(entry.getKey(), value);
      value.onlyKeys("timeout", "onTimeout", "evidence");
      Place timeout = value.optional("timeout");
      Place onTimeout = value.optional("onTimeout");
      Place evidence = value.optional("evidence");
      Duration time = timeout == null ? null : timeout.duration();
      changed =
          possible(
              changed.withPerVnicType(
                  type,
                  new PerVnicType(
                      time,
                      onTimeout == null ? null : onTimeout.word(OnTimeout.class),
                      evidence == null ? null : evidence.word(EvidenceRule.class))),
              timeout == null ? value : timeout);
    }
    return changed;
  }

  private static PlugPolicy hardRebootWaitsFor(PlugPolicy policy, Place value) {
    if (value.isText()) {
      value.word(List.of("AUTO"));
      return policy.withHardRebootWaitsForAuto();
    }
    if (!value.node().isArray()) {
      throw value.expected("\"AUTO\" or an array of vnic types");
    }
    Set<VnicType> types = new LinkedHashSet<>();
    value.items().forEach(item -> types.add(vnicType(item.text(), item)));
    return policy.withHardRebootWaitsFor(types);
  }

  /** A vnic type that Neutron knows; anything else is a slip of the pen. */
  static VnicType vnicType(String wire, Place place) {
    if (wire.isBlank() || !new VnicType(wire).isKnown()) {
      throw place.error("vnic type '" + wire + "' is unknown; expected one of " + VnicType.KNOWN);
    }
    return new VnicType(wire);
  }
}
