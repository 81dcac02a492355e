package io.vifplug;

import io.vifplug.backend.EvidenceRule;
import io.vifplug.backend.Expectation;
import io.vifplug.network.Vif;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an operation will do, decided before anything is touched. The operation runs exactly this.
 *
 * <p>Immutable.
 *
 * @param operation the operation
 * @param guest the guest
 * @param steps the steps in order; empty if rejected
 * @param ports what is expected of each port, in plug order
 * @param rejection why nothing will be done, or null
 * @param notes what an operator should know, one line each
 */
public record Plan(
    Operation operation,
    UUID guest,
    List<Step> steps,
    Map<UUID, PortPlan> ports,
    @Nullable Rejection rejection,
    List<String> notes) {

  /** Copies the collections. */
  public Plan {
    steps = List.copyOf(steps);
    ports = Collections.unmodifiableMap(new LinkedHashMap<>(ports));
    notes = List.copyOf(notes);
  }

  /** Kinds of steps. */
  public enum StepKind {
    /** Ask the hypervisor what is there. */
    LOOKUP("lookup"),
    /** Start listening. */
    OPEN_WATCH("openWatch"),
    /** Stop the guest. */
    DESTROY("destroy"),
    /** Unplug one vif. */
    UNPLUG("unplug"),
    /** Wait until the back end has seen the unplug. */
    HANDSHAKE("handshake"),
    /** Let the caller bind the ports. */
    BIND("bind"),
    /** Wait for the gates of phase PLUG. */
    PLUG_GATES("plugGates"),
    /** Let false announcements of the unplug pass. */
    SETTLE("settle"),
    /** Plug one vif. */
    PLUG("plug"),
    /** Create the guest paused. */
    CREATE_PAUSED("createPaused"),
    /** Create the guest running. */
    CREATE_RUNNING("createRunning"),
    /** Attach one vif to the running guest. */
    ATTACH("attach"),
    /** Detach one vif from the running guest. */
    DETACH("detach"),
    /** Wait for evidence and for the gates of phase RESUME. */
    WAIT("wait"),
    /** Look at the gates once more. */
    RECHECK("recheck"),
    /** Resume the guest. */
    RESUME("resume"),
    /** Remove the definition. */
    UNDEFINE("undefine");

    private final String word;

    StepKind(String word) {
      this.word = word;
    }

    /**
     * The step's name in outcomes, timelines and scenario files.
     *
     * @return for example {@code createPaused}
     */
    public String word() {
      return word;
    }
  }

  /**
   * One step.
   *
   * @param kind what is done
   * @param vif the vif it is done to, or null
   */
  public record Step(StepKind kind, @Nullable Vif vif) {
    /**
     * A step without a vif.
     *
     * @param kind what is done
     */
    public Step(StepKind kind) {
      this(kind, null);
    }

    @Override
    public String toString() {
      return vif == null ? kind.word() : kind.word() + " " + vif.port();
    }
  }

  /**
   * What is expected of one port.
   *
   * @param vif the vif
   * @param driver the driver that bound it, or null if unknown
   * @param expectation the expectation
   * @param why its reason; begins with a code word
   * @param rule which evidence confirms it
   * @param gatesStandIn whether open gates are the evidence
   * @param timeout the time for evidence
   * @param onTimeout what to do when it is over
   * @param handshake whether an acknowledgement of its unplug is due
   * @param settle how long plug is held back after its unplug; zero if not at all
   */
  public record PortPlan(
      Vif vif,
      @Nullable String driver,
      Expectation expectation,
      String why,
      EvidenceRule rule,
      boolean gatesStandIn,
      Duration timeout,
      OnTimeout onTimeout,
      boolean handshake,
      Duration settle) {}

  /**
   * A refusal.
   *
   * @param reason the reason of the first fault
   * @param message all faults
   */
  public record Rejection(Reason reason, String message) {}

  /**
   * Whether the operation will not be done.
   *
   * @return true if there is a rejection
   */
  public boolean isRejected() {
    return rejection != null;
  }

  /**
   * Whether a step of this kind is in the plan.
   *
   * @param kind the kind
   * @return true if so
   */
  public boolean has(StepKind kind) {
    return steps.stream().anyMatch(step -> step.kind() == kind);
  }

  /**
   * The plan as a table for people.
   *
   * @return several lines
   */
  public String toText() {
    StringBuilder text = new StringBuilder();
    text.append(operation).append(' ').append(guest).append('\n');
    if (rejection != null) {
      text.append("REJECTED ")
          .append(rejection.reason())
          .append(": ")
          .append(rejection.message())
          .append('\n');
    }
    int number = 1;
    for (Step step : steps) {
      text.append("%3d  %s%n".formatted(number++, step));
    }
    ports.forEach(
        (port, plan) ->
            text.append(
                "%s  %-15s  %-8s  %-16s  %s%n"
                    .formatted(
                        port,
                        plan.expectation(),
                        plan.expectation().isAwaited() ? plan.timeout() : "-",
                        plan.expectation().isAwaited() ? plan.rule() : "-",
                        plan.why())));
    notes.forEach(note -> text.append("note: ").append(note).append('\n'));
    return text.toString();
  }
}
