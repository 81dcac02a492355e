package io.vifplug.engine;

import com.google.common.collect.Lists;
import io.vifplug.OnTimeout;
import io.vifplug.Operation;
import io.vifplug.Plan;
import io.vifplug.Plan.PortPlan;
import io.vifplug.Plan.Step;
import io.vifplug.Plan.StepKind;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugRequest;
import io.vifplug.network.Vif;
import io.vifplug.spi.VifPlugger;
import io.vifplug.spi.VifPlugger.Moment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an operation will do, from what is known and without any I/O. Everything that can be
 * refused is refused here.
 */
final class Planner {
  private final Expectations expectations;
  private final List<VifPlugger> pluggers;
  private final boolean canAttach;

  /**
   * What the library remembers.
   *
   * @param plugged the guest's vifs as they were plugged, in order
   * @param definedByUs whether the library made the guest's definition
   * @param unplugged our last unplug of a port, or null
   * @param recentlyUnplugged whether such an unplug is recent
   * @param deviceOwner the guest that has a device name in use, or null
   */
  record Memory(
      Map<UUID, Vif> plugged,
      boolean definedByUs,
      Function<UUID, OwnUnplugs.@Nullable Entry> unplugged,
      Function<OwnUnplugs.Entry, Boolean> recentlyUnplugged,
      Function<String, @Nullable UUID> deviceOwner) {}

  Planner(Expectations expectations, List<VifPlugger> pluggers, boolean canAttach) {
    this.expectations = expectations;
    this.pluggers = pluggers;
    this.canAttach = canAttach;
  }

  Plan plan(PlugRequest request, PlugPolicy policy, Memory memory) {
    Operation operation = request.operation();
    List<String> notes = new ArrayList<>();
    List<Vif> unplugs =
        operation.removes() || operation.replugs() ? toUnplug(request, memory) : List.of();
    List<Vif> plugs = toPlug(request);
    Plan.Rejection rejection =
        new Refusals(pluggers, canAttach).find(request, policy, plugs, unplugs, memory);
    Map<UUID, PortPlan> ports = new LinkedHashMap<>();
    if (rejection == null) {
      for (Vif vif : operation.removes() ? unplugs : plugs) {
        ports.put(vif.port(), expectations.decide(request, policy, memory, vif, notes));
      }
      rejection = undeliverable(ports, policy);
    }
    if (operation.replugs()) {
      for (Vif vif : plugs) {
        if (!memory.plugged().containsKey(vif.port())) {
          notes.add("port " + vif.port() + " has no stored descriptor: unplugged as given");
        }
      }
    }
    List<Step> steps =
        rejection == null ? steps(request, plugs, unplugs, ports, memory) : List.of();
    return new Plan(operation, request.guest().id(), steps, ports, rejection, notes);
  }

  private Plan.@Nullable Rejection undeliverable(Map<UUID, PortPlan> ports, PlugPolicy policy) {
    List<Plan.Rejection> rejections = new ArrayList<>();
    for (PortPlan port : ports.values()) {
      String missing = expectations.undeliverable(port, policy);
      if (missing != null && port.onTimeout() == OnTimeout.FAIL) {
        rejections.add(Refusals.noEventSource(port.vif(), missing));
      } else if (port.expectation().isAwaited() && moment(port.vif()) == Moment.AFTER_START) {
        rejections.add(Refusals.afterStart(port.vif()));
      }
    }
    return Refusals.merge(rejections);
  }

  private static List<Vif> toPlug(PlugRequest request) {
    Operation operation = request.operation();
    if (operation.removes()) {
      return List.of();
    }
    List<Vif> vifs = new ArrayList<>();
    for (Vif vif : request.network().vifs()) {
      if (operation != Operation.ATTACH || vif.port().equals(request.port())) {
        vifs.add(vif);
      }
    }
    return vifs;
  }

  /** The stored descriptors, and those given that nothing is stored of (LP 1809095, LP 1895220). */
  private static List<Vif> toUnplug(PlugRequest request, Memory memory) {
    Map<UUID, Vif> vifs = new LinkedHashMap<>(memory.plugged());
    for (Vif vif : request.network().vifs()) {
      vifs.putIfAbsent(vif.port(), vif);
    }
    if (request.operation() == Operation.DETACH) {
      vifs.keySet().removeIf(port -> !port.equals(request.port()));
    }
    List<Vif> ordered = new ArrayList<>(vifs.values());
    return request.operation() == Operation.DESTROY ? Lists.reverse(ordered) : ordered;
  }

  private List<Step> steps(
      PlugRequest request,
      List<Vif> plugs,
      List<Vif> unplugs,
      Map<UUID, PortPlan> ports,
      Memory memory) {
    Operation operation = request.operation();
    List<Step> steps = new ArrayList<>();
    steps.add(new Step(StepKind.LOOKUP));
    steps.add(new Step(StepKind.OPEN_WATCH));
    if (operation.replugs() || operation == Operation.DESTROY) {
      steps.add(new Step(StepKind.DESTROY));
    } else if (operation == Operation.DETACH) {
      unplugs.forEach(vif -> steps.add(new Step(StepKind.DETACH, vif)));
    }
    unplugs.forEach(vif -> steps.add(new Step(StepKind.UNPLUG, vif)));
    boolean handshake = ports.values().stream().anyMatch(PortPlan::handshake);
    if (handshake && operation != Operation.DESTROY) {
      steps.add(new Step(StepKind.HANDSHAKE));
    }
    if (operation == Operation.SPAWN
        || operation == Operation.MIGRATE_IN
        || (operation == Operation.DESTROY && memory.definedByUs() && !request.keepDefinition())) {
      steps.add(new Step(StepKind.UNDEFINE));
    }
    if (!operation.removes()) {
      plugSteps(request, plugs, ports, steps);
    }
    return steps;
  }

  private void plugSteps(
      PlugRequest request, List<Vif> plugs, Map<UUID, PortPlan> ports, List<Step> steps) {
    Operation operation = request.operation();
    if (request.binder() != null) {
      steps.add(new Step(StepKind.BIND));
    }
    if (request.gates().stream().anyMatch(gate -> gate.phase().beforePlug())) {
      steps.add(new Step(StepKind.PLUG_GATES));
    }
    if (ports.values().stream().anyMatch(port -> !port.settle().isZero())) {
      steps.add(new Step(StepKind.SETTLE));
    }
    addPlugs(steps, plugs, operation.creates() ? Moment.BEFORE_CREATE : null);
    boolean gated = request.gates().stream().anyMatch(gate -> gate.phase().beforeResume());
    boolean waits =
        gated || ports.values().stream().anyMatch(port -> port.expectation().isAwaited());
    if (operation.creates()) {
      steps.add(new Step(waits ? StepKind.CREATE_PAUSED : StepKind.CREATE_RUNNING));
      addPlugs(steps, plugs, Moment.AFTER_CREATE);
      if (!waits) {
        addPlugs(steps, plugs, Moment.AFTER_START);
      }
    } else if (operation == Operation.ATTACH) {
      plugs.forEach(vif -> steps.add(new Step(StepKind.ATTACH, vif)));
    }
    if (waits) {
      steps.add(new Step(StepKind.WAIT));
      if (gated) {
        steps.add(new Step(StepKind.RECHECK));
      }
      if (operation.creates()) {
        steps.add(new Step(StepKind.RESUME));
        addPlugs(steps, plugs, Moment.AFTER_START);
      }
    }
  }

  /** Adds the plugs of one moment; null means of all. */
  private void addPlugs(List<Step> steps, List<Vif> plugs, @Nullable Moment moment) {
    for (Vif vif : plugs) {
      if (moment == null || moment(vif) == moment) {
        steps.add(new Step(StepKind.PLUG, vif));
      }
    }
  }

  private Moment moment(Vif vif) {
    for (VifPlugger plugger : pluggers) {
      if (plugger.supports(vif)) {
        return plugger.moment(vif);
      }
    }
    return Moment.BEFORE_CREATE;
  }
}
