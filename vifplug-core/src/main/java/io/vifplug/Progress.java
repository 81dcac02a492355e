package io.vifplug;

import io.vifplug.backend.Expectation;
import io.vifplug.spi.ReadinessGate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where an operation stands.
 *
 * <p>Immutable.
 *
 * @param guest the guest
 * @param operation the operation
 * @param attempt the attempt's generation number; 0 while none has begun
 * @param phase the step it is in, {@code queued}, {@code cleanUp} or {@code ended}
 * @param age how long ago the operation was asked for
 * @param ports its ports in plug order; empty while none has begun. Those of a DEGRADED guest go on
 *     changing while its watch is open
 * @param gates its gates
 * @param outcome how it ended, or null
 */
public record Progress(
    UUID guest,
    Operation operation,
    long attempt,
    String phase,
    Duration age,
    List<Port> ports,
    List<Gate> gates,
    @Nullable Outcome outcome) {

  /** Copies the lists. */
  public Progress {
    ports = List.copyOf(ports);
    gates = List.copyOf(gates);
  }

  /**
   * One port.
   *
   * @param port its id
   * @param expectation what is expected
   * @param why the reason
   * @param state where it stands
   * @param evidence evidence so far
   * @param confirmedAt when it was confirmed, or null
   * @param earlyEvents plugged events that came too early
   * @param lastStatus the status last read, or null
   */
  public record Port(
      UUID port,
      Expectation expectation,
      String why,
      PortState state,
      Set<Evidence> evidence,
      @Nullable Instant confirmedAt,
      int earlyEvents,
      @Nullable String lastStatus) {}

  /**
   * One gate.
   *
   * @param name its name
   * @param port the port it is about, or null
   * @param last what it showed when it was last looked at, or null if it has not been yet
   */
  public record Gate(String name, @Nullable UUID port, ReadinessGate.@Nullable Reading last) {}
}
