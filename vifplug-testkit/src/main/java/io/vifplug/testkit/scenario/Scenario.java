package io.vifplug.testkit.scenario;

import io.vifplug.Guest;
import io.vifplug.Operation;
import io.vifplug.PlugPolicy;
import io.vifplug.Priority;
import io.vifplug.backend.BackendMatrix;
import io.vifplug.event.EventName;
import io.vifplug.event.EventStatus;
import io.vifplug.network.NetworkInfo;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.GuestStatus;
import io.vifplug.spi.ReadinessGate;
import io.vifplug.testkit.Fault.ErrorKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an agent asks, what the host and the network do and when, and (optionally) what must come
 * out. All references are resolved: guests and ports are given by their ids. Times count from the
 * start.
 *
 * <p>Immutable.
 *
 * @param name what it tells
 * @param guests the guests, one or more
 * @param driver the configured driver of vifs that name none, or null
 * @param policy the policy of every request that brings none
 * @param maxInFlight guests between opening and end of their watch, or null for the default
 * @param strictEventNames whether an event name that is not known refuses the whole call
 * @param eventSource whether an event source is configured
 * @param matrix overrides of the backend matrix
 * @param backend the network back end
 * @param takes how long calls take, by step; missing steps take no time
 * @param actions what the agent does, in file order
 * @param faults calls that fail, in file order
 * @param events events that the scenario sends itself, in file order
 * @param guestNews the hypervisor's own news, in file order
 * @param portStatus what a port status reader shows, or null if none is configured
 * @param localEvidence what local evidence shows, or null if none is configured
 * @param gates readiness gates
 * @param runUntil when to stop, or null to run until nothing is left to happen
 * @param expect the part of the result that must match, or null
 */
public record Scenario(
    String name,
    List<GuestSetup> guests,
    @Nullable String driver,
    PlugPolicy policy,
    @Nullable Integer maxInFlight,
    boolean strictEventNames,
    boolean eventSource,
    List<BackendMatrix.Change> matrix,
    Backend backend,
    Map<String, Takes> takes,
    List<Action> actions,
    List<Fault> faults,
    List<Event> events,
    List<News> guestNews,
    @Nullable Map<UUID, List<StatusChange>> portStatus,
    @Nullable List<LocalChange> localEvidence,
    List<Gate> gates,
    @Nullable Duration runUntil,
    @Nullable Map<String, Object> expect) {

  /** Copies the collections. */
  public Scenario {
    guests = List.copyOf(guests);
    matrix = List.copyOf(matrix);
    takes = Map.copyOf(takes);
    actions = List.copyOf(actions);
    faults = List.copyOf(faults);
    events = List.copyOf(events);
    guestNews = List.copyOf(guestNews);
    portStatus = portStatus == null ? null : new LinkedHashMap<>(portStatus);
    localEvidence = localEvidence == null ? null : List.copyOf(localEvidence);
    gates = List.copyOf(gates);
  }

  /**
   * Reads a scenario file.
   *
   * @param file the file
   * @return the scenario
   * @throws InvalidScenarioException if it is no valid scenario or cannot be read
   */
  public static Scenario read(Path file) {
    return ScenarioReader.read(file);
  }

  /**
   * Reads a scenario from text.
   *
   * @param text plain JSON
   * @return the scenario
   * @throws InvalidScenarioException if it is no valid scenario
   */
  public static Scenario parse(String text) {
    return ScenarioReader.parse("(text)", Path.of("").toAbsolutePath(), text);
  }

  /**
   * A guest and how the scenario finds it.
   *
   * @param key its name in the file
   * @param guest the guest
   * @param state its state at the start: ABSENT, SHUTOFF, RUNNING or PAUSED
   * @param pausedByLibrary whether, if it is paused, vifplug paused it
   * @param network its vifs, plugged at the start unless it is ABSENT
   * @param here whether it is on this host
   */
  public record GuestSetup(
      String key,
      Guest guest,
      GuestStatus.State state,
      boolean pausedByLibrary,
      NetworkInfo network,
      boolean here) {}

  /**
   * The network back end.
   *
   * @param profile a profile's name, or null if only the scenario's own events come
   * @param capacityPerSecond ports it wires per second, or null for no limit
   * @param pollInterval how often its agent looks, or null for the profile's default
   * @param silentUntil before when it sends nothing, or null
   */
  public record Backend(
      @Nullable String profile,
      @Nullable Double capacityPerSecond,
      @Nullable Duration pollInterval,
      @Nullable Duration silentUntil) {
    /** Only the scenario's own events. */
    public static final Backend SCRIPTED = new Backend(null, null, null, null);
  }

  /**
   * How long the calls of one step take.
   *
   * @param usual the time
   * @param special the time for some guests or ports
   */
  public record Takes(Duration usual, Map<UUID, Duration> special) {
    /** Copies the map. */
    public Takes {
      special = Map.copyOf(special);
    }
  }

  /** Something the agent does. */
  public sealed interface Action {
    /**
     * When.
     *
     * @return the time since the start
     */
    Duration at();
  }

  /**
   * An operation is asked for.
   *
   * @param at when
   * @param operation the operation
   * @param guest the guest
   * @param network its vifs from then on, or null if they stay as they were
   * @param port the port of ATTACH and DETACH, else null
   * @param policy the policy
   * @param priority the priority, or null for the operation's default
   */
  public record Ask(
      Duration at,
      Operation operation,
      UUID guest,
      @Nullable NetworkInfo network,
      @Nullable UUID port,
      PlugPolicy policy,
      @Nullable Priority priority)
      implements Action {}

  /**
   * The agent cancels, closes or reopens.
   *
   * @param at when
   * @param kind what
   * @param guest the guest of CANCEL, else null
   */
  public record Call(Duration at, CallKind kind, @Nullable UUID guest) implements Action {}

  /** What else an agent does. */
  public enum CallKind {
    /** Cancels what is under way for a guest. */
    CANCEL,
    /** Closes vifplug. */
    CLOSE,
    /** Opens it again. */
    REOPEN
  }

  /**
   * Calls that fail.
   *
   * @param step the step
   * @param error how
   * @param message what the host says, or null
   * @param after how many calls succeed before
   * @param times how many calls fail, or null for all
   * @param guest the guest it is about, or null for all
   * @param port the port it is about, or null for all
   */
  public record Fault(
      String step,
      ErrorKind error,
      @Nullable String message,
      int after,
      @Nullable Integer times,
      @Nullable UUID guest,
      @Nullable UUID port) {}

  /**
   * Something the network sends.
   *
   * @param when when
   * @param what what
   */
  public record Event(When when, What what) {}

  /** When an event is sent. */
  public sealed interface When {}

  /**
   * At a time.
   *
   * @param at the time since the start
   */
  public record At(Duration at) implements When {}

  /**
   * When the host enters or leaves a call.
   *
   * @param step the step
   * @param edge {@code enter}, {@code exit} or {@code fail}
   * @param guest the guest of the call, or null for all
   * @param port the port of the call, or null for all
   * @param nth only the n-th time, or null for every time
   * @param delay how long after it
   */
  public record On(
      String step,
      String edge,
      @Nullable UUID guest,
      @Nullable UUID port,
      @Nullable Integer nth,
      Duration delay)
      implements When {}

  /** What is sent. */
  public sealed interface What {}

  /**
   * One event.
   *
   * @param name its name
   * @param guest the guest
   * @param port the port, or null for an event without a tag
   * @param status its status
   */
  public record Single(EventName name, UUID guest, @Nullable UUID port, EventStatus status)
      implements What {}

  /**
   * A whole POST body, read by the real codec.
   *
   * @param text the body
   */
  public record Body(String text) implements What {}

  /**
   * News of the hypervisor's own.
   *
   * @param at when
   * @param guest the guest
   * @param change what happened to it
   */
  public record News(Duration at, UUID guest, GuestNews.Change change) {}

  /**
   * From when a port has a status.
   *
   * @param at when
   * @param status the status
   */
  public record StatusChange(Duration at, String status) {}

  /**
   * From when this host shows something of a port.
   *
   * @param at when
   * @param port the port
   * @param shows what
   */
  public record LocalChange(Duration at, UUID port, io.vifplug.spi.LocalEvidence.State shows) {}

  /**
   * A readiness gate.
   *
   * @param name its name
   * @param guest the guest
   * @param port the port, or null for the whole guest
   * @param phase when it must be open
   * @param opens when it opens, or null for never
   * @param closes when it closes again, or null for never
   */
  public record Gate(
      String name,
      UUID guest,
      @Nullable UUID port,
      ReadinessGate.Phase phase,
      @Nullable Duration opens,
      @Nullable Duration closes) {}
}
