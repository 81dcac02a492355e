package io.vifplug;

import io.vifplug.network.NetworkInfo;
import io.vifplug.spi.ReadinessGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One operation asked for.
 *
 * <p>Immutable; {@code with} methods return a changed copy.
 *
 * @param operation the operation
 * @param guest the guest
 * @param network its vifs
 * @param port the port of ATTACH and DETACH, else null
 * @param policy the policy of this request, or null for the default
 * @param priority who goes first
 * @param gates conditions besides events
 * @param binder binds the ports once the watch is open, or null
 * @param discardStorage removes what a failed SPAWN has made, or null; see {@link
 *     #withDiscardStorage}
 * @param keepDefinition whether DESTROY leaves a definition that vifplug made
 */
public record PlugRequest(
    Operation operation,
    Guest guest,
    NetworkInfo network,
    @Nullable UUID port,
    @Nullable PlugPolicy policy,
    Priority priority,
    List<ReadinessGate> gates,
    @Nullable Hook binder,
    @Nullable Hook discardStorage,
    boolean keepDefinition) {

  /** Something of the caller's that may block and may fail. */
  @FunctionalInterface
  public interface Hook {
    /**
     * Does it.
     *
     * @throws Exception if it could not be done
     */
    void run() throws Exception;
  }

  /** Copies the list. */
  public PlugRequest {
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(guest, "guest");
    Objects.requireNonNull(network, "network");
    Objects.requireNonNull(priority, "priority");
    gates = List.copyOf(gates);
  }

  /**
   * A request with defaults.
   *
   * @param operation the operation
   * @param guest the guest
   * @param network its vifs
   * @return the request
   */
  public static PlugRequest of(Operation operation, Guest guest, NetworkInfo network) {
    Priority priority = operation == Operation.RESUME_HOST ? Priority.BULK : Priority.NORMAL;
    return new PlugRequest(
        operation, guest, network, null, null, priority, List.of(), null, null, false);
  }

  /**
   * The port of ATTACH or DETACH.
   *
   * @param value its id
   * @return a changed copy
   */
  public PlugRequest withPort(UUID value) {
    return new PlugRequest(
        operation,
        guest,
        network,
        value,
        policy,
        priority,
        gates,
        binder,
        discardStorage,
        keepDefinition);
  }

  /**
   * The policy of this request.
   *
   * @param value the policy
   * @return a changed copy
   */
  public PlugRequest withPolicy(PlugPolicy value) {
    return new PlugRequest(
        operation,
        guest,
        network,
        port,
        value,
        priority,
        gates,
        binder,
        discardStorage,
        keepDefinition);
  }

  /**
   * The priority.
   *
   * @param value the priority
   * @return a changed copy
   */
  public PlugRequest withPriority(Priority value) {
    return new PlugRequest(
        operation,
        guest,
        network,
        port,
        policy,
        value,
        gates,
        binder,
        discardStorage,
        keepDefinition);
  }

  /**
   * One more gate.
   *
   * @param gate the gate
   * @return a changed copy
   */
  public PlugRequest withGate(ReadinessGate gate) {
    List<ReadinessGate> more = new ArrayList<>(gates);
    more.add(gate);
    return new PlugRequest(
        operation,
        guest,
        network,
        port,
        policy,
        priority,
        more,
        binder,
        discardStorage,
        keepDefinition);
  }

  /**
   * Binds the ports after the watch is open, so that events of the binding are heard.
   *
   * @param value the hook
   * @return a changed copy
   */
  public PlugRequest withBinder(Hook value) {
    return new PlugRequest(
        operation,
        guest,
        network,
        port,
        policy,
        priority,
        gates,
        value,
        discardStorage,
        keepDefinition);
  }

  /**
   * Called once, last, after the clean-up of a SPAWN that FAILED or was CANCELLED by its caller or
   * its deadline, and never for another operation (LP 1660647: disks were lost).
   *
   * @param value the hook
   * @return a changed copy
   */
  public PlugRequest withDiscardStorage(Hook value) {
    return new PlugRequest(
        operation, guest, network, port, policy, priority, gates, binder, value, keepDefinition);
  }

  /**
   * Leaves the definition on DESTROY, even one that vifplug made.
   *
   * @return a changed copy
   */
  public PlugRequest withDefinitionKept() {
    return new PlugRequest(
        operation, guest, network, port, policy, priority, gates, binder, discardStorage, true);
  }
}
