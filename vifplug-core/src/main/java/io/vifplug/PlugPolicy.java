package io.vifplug;

import io.vifplug.backend.EvidenceRule;
import io.vifplug.network.VnicType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How an operation waits, and what it does when waiting does not help. Given to the builder as the
 * default of all guests, and to a request for one guest.
 *
 * <p>Immutable and thread-safe. A policy can hold impossible values; {@link #faults} lists them,
 * and the builder and every request refuse a policy that has any.
 */
public final class PlugPolicy {
  private static final PlugPolicy DEFAULTS = new PlugPolicy(new Fields());

  private final Fields fields;

  private PlugPolicy(Fields fields) {
    this.fields = fields;
  }

  /**
   * Wait five minutes for evidence, then fail.
   *
   * @return the defaults
   */
  public static PlugPolicy defaults() {
    return DEFAULTS;
  }

  /** How the unplug handshake is done. */
  public enum Handshake {
    /** For back ends that announce unplugs. */
    AUTO,
    /** Never. */
    OFF
  }

  /** What happens to an operation that was interrupted by the end of the agent. */
  public enum OnRecovery {
    /** Undo SPAWN, ATTACH and MIGRATE_IN; finish the others. */
    AUTO,
    /** Undo what can be undone. */
    UNDO,
    /** Finish. */
    FINISH
  }

  /**
   * What differs for ports of one vnic type; null leaves the guest's value.
   *
   * @param timeout the time for evidence, from the return of createPaused; zero means do not wait
   * @param onTimeout what to do when it is over
   * @param evidence the rule of evidence
   */
  public record PerVnicType(
      @Nullable Duration timeout, @Nullable OnTimeout onTimeout, @Nullable EvidenceRule evidence) {}

  /**
   * The time for evidence; starts when createPaused has returned. Zero, set on purpose, means: do
   * not wait.
   *
   * @param value the time
   * @return a new policy
   */
  public PlugPolicy withTimeout(Duration value) {
    return change(f -> f.timeout = value);
  }

  /**
   * What to do when evidence does not come.
   *
   * @param value the choice
   * @return a new policy
   */
  public PlugPolicy withOnTimeout(OnTimeout value) {
    return change(f -> f.onTimeout = value);
  }

  /**
   * What differs for ports of one vnic type.
   *
   * @param type the vnic type
   * @param value the differences
   * @return a new policy
   */
  public PlugPolicy withPerVnicType(VnicType type, PerVnicType value) {
    return change(
        f -> {
          f.perVnicType = new TreeMap<>(f.perVnicType);
          f.perVnicType.put(type, value);
        });
  }

  /**
   * Waits, on operations that unplug, for exactly the ports of these vnic types. An empty set means
   * no waiting. Without this the backend matrix decides.
   *
   * @param types the vnic types
   * @return a new policy
   */
  public PlugPolicy withHardRebootWaitsFor(Set<VnicType> types) {
    return change(f -> f.hardRebootWaitsFor = Set.copyOf(types));
  }

  /**
   * Lets the backend matrix decide which ports operations that unplug wait for: the default.
   *
   * @return a new policy
   */
  public PlugPolicy withHardRebootWaitsForAuto() {
    return change(f -> f.hardRebootWaitsFor = null);
  }

  /**
   * The unplug handshake.
   *
   * @param value the choice
   * @return a new policy
   */
  public PlugPolicy withUnplugHandshake(Handshake value) {
    return change(f -> f.unplugHandshake = value);
  }

  /**
   * The time for the unplug handshake, one budget for all ports, from the return of the last
   * unplug.
   *
   * @param value the time
   * @return a new policy
   */
  public PlugPolicy withUnplugTimeout(Duration value) {
    return change(f -> f.unplugTimeout = value);
  }

  /**
   * The time for plugging one port, with its repetitions.
   *
   * @param value the time
   * @return a new policy
   */
  public PlugPolicy withPlugTimeout(Duration value) {
    return change(f -> f.plugTimeout = value);
  }

  /**
   * How often a plug is tried that fails with BUSY or AGAIN.
   *
   * @param value 1 or more
   * @return a new policy
   */
  public PlugPolicy withPlugAttempts(int value) {
    return change(f -> f.plugAttempts = value);
  }

  /**
   * The time for one create call. Generous: guests with passed-through devices pin their memory for
   * minutes.
   *
   * @param value the time
   * @return a new policy
   */
  public PlugPolicy withCreateTimeout(Duration value) {
    return change(f -> f.createTimeout = value);
  }

  /**
   * The time for any other single call: lookup, resume, destroy, undefine, unplug, a reader, a
   * hook.
   *
   * @param value the time
   * @return a new policy
   */
  public PlugPolicy withCallTimeout(Duration value) {
    return change(f -> f.callTimeout = value);
  }

  /**
   * When the caller gives up, from its call. The operation ends a margin of 5 %, at most 1 s,
   * before it.
   *
   * @param value the time
   * @return a new policy
   */
  public PlugPolicy withCallerDeadline(Duration value) {
    return change(f -> f.callerDeadline = value);
  }

  /**
   * The rule of evidence for every port. Without it the default of each driver applies: the event,
   * and for ovn a second proof where one is configured.
   *
   * @param value the rule
   * @return a new policy
   */
  public PlugPolicy withEvidence(EvidenceRule value) {
    return change(f -> f.evidence = value);
  }

  /**
   * The rule of evidence for the ports of one driver; beats {@link #withEvidence}.
   *
   * @param driver the driver
   * @param value the rule
   * @return a new policy
   */
  public PlugPolicy withDriverEvidence(String driver, EvidenceRule value) {
    return change(
        f -> {
          f.driverEvidence = new TreeMap<>(f.driverEvidence);
          f.driverEvidence.put(driver, value);
        });
  }

  /**
   * Accepts, when the time for evidence is over, the status ACTIVE in place of the event.
   *
   * @param value whether to accept it
   * @return a new policy
   */
  public PlugPolicy withAcceptStatusPull(boolean value) {
    return change(f -> f.acceptStatusPull = value);
  }

  /**
   * How often closed gates are looked at.
   *
   * @param value the pause between two looks
   * @return a new policy
   */
  public PlugPolicy withGateInterval(Duration value) {
    return change(f -> f.gateInterval = value);
  }

  /**
   * What happens to an interrupted operation.
   *
   * @param value the choice
   * @return a new policy
   */
  public PlugPolicy withOnRecovery(OnRecovery value) {
    return change(f -> f.onRecovery = value);
  }

  /**
   * The time for evidence of a vnic type.
   *
   * @param type the vnic type
   * @return the time; zero means do not wait
   */
  public Duration timeout(VnicType type) {
    PerVnicType special = fields.perVnicType.get(type);
    return special == null || special.timeout() == null ? fields.timeout : special.timeout();
  }

  /**
   * What to do when evidence of a vnic type does not come.
   *
   * @param type the vnic type
   * @return the choice
   */
  public OnTimeout onTimeout(VnicType type) {
    PerVnicType special = fields.perVnicType.get(type);
    return special == null || special.onTimeout() == null ? fields.onTimeout : special.onTimeout();
  }

  /**
   * The rule of evidence asked for.
   *
   * @param driver the driver, or null if unknown
   * @param type the vnic type
   * @return the rule, or null for the driver's default
   */
  public @Nullable EvidenceRule evidence(@Nullable String driver, VnicType type) {
    PerVnicType special = fields.perVnicType.get(type);
    if (special != null && special.evidence() != null) {
      return special.evidence();
    }
    EvidenceRule forDriver = driver == null ? null : fields.driverEvidence.get(driver);
    return forDriver == null ? fields.evidence : forDriver;
  }

  /**
   * The guest's time for evidence and gates.
   *
   * @return the time
   */
  public Duration timeout() {
    return fields.timeout;
  }

  /**
   * What to do when gates do not open.
   *
   * @return the choice
   */
  public OnTimeout onTimeout() {
    return fields.onTimeout;
  }

  /**
   * The vnic types that operations that unplug wait for.
   *
   * @return the types, or null if the matrix decides
   */
  public @Nullable Set<VnicType> hardRebootWaitsFor() {
    return fields.hardRebootWaitsFor;
  }

  /**
   * The handshake choice.
   *
   * @return the choice
   */
  public Handshake unplugHandshake() {
    return fields.unplugHandshake;
  }

  /**
   * The time for the handshake.
   *
   * @return the time
   */
  public Duration unplugTimeout() {
    return fields.unplugTimeout;
  }

  /**
   * The time for one port's plug.
   *
   * @return the time
   */
  public Duration plugTimeout() {
    return fields.plugTimeout;
  }

  /**
   * How often a plug is tried.
   *
   * @return 1 or more
   */
  public int plugAttempts() {
    return fields.plugAttempts;
  }

  /**
   * The time for a create call.
   *
   * @return the time
   */
  public Duration createTimeout() {
    return fields.createTimeout;
  }

  /**
   * The time for any other call.
   *
   * @return the time
   */
  public Duration callTimeout() {
    return fields.callTimeout;
  }

  /**
   * When the caller gives up.
   *
   * @return the time from the call, or null
   */
  public @Nullable Duration callerDeadline() {
    return fields.callerDeadline;
  }

  /**
   * Whether ACTIVE is accepted in place of an event when the time is over.
   *
   * @return the choice
   */
  public boolean acceptStatusPull() {
    return fields.acceptStatusPull;
  }

  /**
   * The pause between two looks at closed gates.
   *
   * @return the pause
   */
  public Duration gateInterval() {
    return fields.gateInterval;
  }

  /**
   * What happens to an interrupted operation.
   *
   * @return the choice
   */
  public OnRecovery onRecovery() {
    return fields.onRecovery;
  }

  /**
   * Everything that is impossible about this policy.
   *
   * @return one line per fault; empty if it can be used
   */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    zeroOrMore(faults, "timeout", fields.timeout);
    zeroOrMore(faults, "unplugTimeout", fields.unplugTimeout);
    more(faults, "plugTimeout", fields.plugTimeout);
    more(faults, "createTimeout", fields.createTimeout);
    more(faults, "callTimeout", fields.callTimeout);
    more(faults, "gateInterval", fields.gateInterval);
    if (fields.callerDeadline != null) {
      more(faults, "callerDeadline", fields.callerDeadline);
    }
    if (fields.plugAttempts < 1) {
      faults.add("plugAttempts is " + fields.plugAttempts + "; expected 1 or more");
    }
    Set<VnicType> named = new TreeSet<>(fields.perVnicType.keySet());
    if (fields.hardRebootWaitsFor != null) {
      named.addAll(fields.hardRebootWaitsFor);
    }
    for (VnicType type : named) {
      if (!type.isKnown()) {
        faults.add("vnic type '" + type + "' is unknown; known are " + VnicType.KNOWN);
      }
    }
    fields.perVnicType.forEach(
        (type, special) -> {
          if (special.timeout() != null) {
            zeroOrMore(faults, "timeout of vnic type " + type, special.timeout());
          }
        });
    return faults;
  }

  private static void zeroOrMore(List<String> faults, String name, Duration value) {
    if (value.isNegative()) {
      faults.add(name + " is " + value + "; expected zero or more");
    }
  }

  private static void more(List<String> faults, String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      faults.add(name + " is " + value + "; expected more than zero");
    }
  }

  private interface Change {
    void apply(Fields fields);
  }

  private PlugPolicy change(Change change) {
    Fields copy = new Fields(fields);
    change.apply(copy);
    return new PlugPolicy(copy);
  }

  private static final class Fields {
    private Duration timeout = Duration.ofMinutes(5);
    private OnTimeout onTimeout = OnTimeout.FAIL;
    private Map<VnicType, PerVnicType> perVnicType = Map.of();
    private @Nullable Set<VnicType> hardRebootWaitsFor;
    private Handshake unplugHandshake = Handshake.AUTO;
    private Duration unplugTimeout = Duration.ofSeconds(5);
    private Duration plugTimeout = Duration.ofSeconds(30);
    private int plugAttempts = 3;
    private Duration createTimeout = Duration.ofMinutes(10);
    private Duration callTimeout = Duration.ofSeconds(30);
    private @Nullable Duration callerDeadline;
    private @Nullable EvidenceRule evidence;
    private Map<String, EvidenceRule> driverEvidence = Map.of();
    private boolean acceptStatusPull;
    private Duration gateInterval = Duration.ofMillis(200);
    private OnRecovery onRecovery = OnRecovery.AUTO;

    private Fields() {}

    private Fields(Fields other) {
      timeout = Objects.requireNonNull(other.timeout);
      onTimeout = other.onTimeout;
      perVnicType = other.perVnicType;
      hardRebootWaitsFor = other.hardRebootWaitsFor;
      unplugHandshake = other.unplugHandshake;
      unplugTimeout = other.unplugTimeout;
      plugTimeout = other.plugTimeout;
      plugAttempts = other.plugAttempts;
      createTimeout = other.createTimeout;
      callTimeout = other.callTimeout;
      callerDeadline = other.callerDeadline;
      evidence = other.evidence;
      driverEvidence = other.driverEvidence;
      acceptStatusPull = other.acceptStatusPull;
      gateInterval = other.gateInterval;
      onRecovery = other.onRecovery;
    }
  }
}
