package io.vifplug.engine;

import io.vifplug.Operation;
import io.vifplug.Plan.Rejection;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugRequest;
import io.vifplug.Reason;
import io.vifplug.network.Vif;
import io.vifplug.network.VifType;
import io.vifplug.network.VnicType;
import io.vifplug.spi.VifPlugger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is wrong with a request, before anything is touched. The first fault gives the reason. */
final class Refusals {
  /** IFNAMSIZ less the closing zero (apache/cloudstack 9905). */
  private static final int LONGEST_DEVICE_NAME = 15;

  private final List<VifPlugger> pluggers;
  private final boolean canAttach;

  Refusals(List<VifPlugger> pluggers, boolean canAttach) {
    this.pluggers = pluggers;
    this.canAttach = canAttach;
  }

  @Nullable Rejection find(
      PlugRequest request,
      PlugPolicy policy,
      List<Vif> plugs,
      List<Vif> unplugs,
      Planner.Memory memory) {
    List<Rejection> faults = new ArrayList<>();
    for (String fault : policy.faults()) {
      faults.add(new Rejection(Reason.INVALID_REQUEST, "policy: " + fault));
    }
    onePort(request, plugs, unplugs, memory, faults);
    Set<UUID> ports = new HashSet<>();
    Set<String> devices = new HashSet<>();
    Map<String, UUID> macs = new HashMap<>();
    for (Vif vif : plugs) {
      if (!ports.add(vif.port())) {
        faults.add(new Rejection(Reason.DUPLICATE_PORT, "port " + vif.port() + " is given twice"));
        continue;
      }
      binding(vif, faults);
      name(vif, faults);
      duplicates(request, vif, devices, macs, memory, faults);
      devices(request, vif, faults);
      vnicType(request, vif, memory, faults);
    }
    return merge(faults);
  }

  private void onePort(
      PlugRequest request,
      List<Vif> plugs,
      List<Vif> unplugs,
      Planner.Memory memory,
      List<Rejection> faults) {
    Operation operation = request.operation();
    if (operation != Operation.ATTACH && operation != Operation.DETACH) {
      return;
    }
    if (request.port() == null) {
      faults.add(new Rejection(Reason.INVALID_REQUEST, operation + " names no port"));
    } else if (plugs.isEmpty() && unplugs.isEmpty()) {
      faults.add(
          new Rejection(
              Reason.INVALID_REQUEST,
              operation + " of port " + request.port() + ", which is none of the vifs given"));
    } else if (!canAttach) {
      faults.add(
          new Rejection(
              Reason.UNSUPPORTED_OPERATION,
              "the hypervisor cannot change the vifs of a running guest"));
    } else if (operation == Operation.ATTACH && isPlugged(plugs.get(0), memory)) {
      faults.add(
          new Rejection(
              Reason.DUPLICATE_PORT, "port " + request.port() + " is plugged for this guest"));
    }
  }

  private static boolean isPlugged(Vif vif, Planner.Memory memory) {
    Vif stored = memory.plugged().get(vif.port());
    return stored != null && stored.vnicType().equals(vif.vnicType());
  }

  private void binding(Vif vif, List<Rejection> faults) {
    if (vif.type().equals(VifType.BINDING_FAILED) || vif.type().equals(VifType.UNBOUND)) {
      faults.add(
          new Rejection(
              Reason.PORT_BINDING,
              "port "
                  + vif.port()
                  + " is "
                  + vif.type()
                  + "; expected a bound port: look at the network back end's log for this port and"
                  + " host, and bind it again"));
    } else if (vif.type().equals(VifType.NONE)
        || pluggers.stream().noneMatch(plugger -> plugger.supports(vif))) {
      faults.add(
          new Rejection(
              Reason.UNKNOWN_VIF_TYPE,
              "port "
                  + vif.port()
                  + " has vif type "
                  + vif.type()
                  + ", vnic type "
                  + vif.vnicType()
                  + "; none of the "
                  + pluggers.size()
                  + " pluggers supports it"));
    }
  }

  private static void name(Vif vif, List<Rejection> faults) {
    String name = vif.deviceName();
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    boolean bad =
        name.isBlank()
            || bytes > LONGEST_DEVICE_NAME
            || name.equals(".")
            || name.equals("..")
            || name.chars().anyMatch(c -> c == '/' || c == ':' || Character.isWhitespace(c));
    if (bad) {
      faults.add(
          new Rejection(
              Reason.INVALID_NAME,
              "port "
                  + vif.port()
                  + " has the device name '"
                  + name
                  + "' ("
                  + bytes
                  + " bytes); expected 1 to "
                  + LONGEST_DEVICE_NAME
                  + " bytes without '/', ':' and blanks"));
    }
  }

  private static void duplicates(
      PlugRequest request,
      Vif vif,
      Set<String> devices,
      Map<String, UUID> macs,
      Planner.Memory memory,
      List<Rejection> faults) {
    UUID owner = memory.deviceOwner().apply(vif.deviceName());
    if (!devices.add(vif.deviceName())) {
      faults.add(
          new Rejection(
              Reason.DUPLICATE_DEVICE,
              "device " + vif.deviceName() + " of port " + vif.port() + " is given twice"));
    } else if (owner != null && !owner.equals(request.guest().id())) {
      faults.add(
          new Rejection(
              Reason.DUPLICATE_DEVICE,
              "device "
                  + vif.deviceName()
                  + " of port "
                  + vif.port()
                  + " is in use by guest "
                  + owner));
    }
    if (!vif.mac().isEmpty()) {
      String key = vif.mac().toLowerCase(Locale.ROOT) + " in network " + vif.networkId();
      UUID other = macs.putIfAbsent(key, vif.port());
      if (other != null) {
        faults.add(
            new Rejection(
                Reason.DUPLICATE_DEVICE,
                "ports " + other + " and " + vif.port() + " have the same MAC " + key));
      }
    }
  }

  private static void devices(PlugRequest request, Vif vif, List<Rejection> faults) {
    VnicType type = vif.vnicType();
    if (!type.needsHostDevice() || type.equals(VnicType.VDPA) || vif.pciAddress() != null) {
      return;
    }
    boolean attach = request.operation() == Operation.ATTACH && type.equals(VnicType.DIRECT);
    faults.add(
        new Rejection(
            attach ? Reason.UNSUPPORTED_OPERATION : Reason.MISSING_DEVICES,
            "port "
                + vif.port()
                + " of vnic type "
                + type
                + " names no host device; expected profile.pci_slot"));
  }

  private static void vnicType(
      PlugRequest request, Vif vif, Planner.Memory memory, List<Rejection> faults) {
    Vif stored = memory.plugged().get(vif.port());
    boolean compared = request.operation().replugs() || request.operation() == Operation.ATTACH;
    if (compared && stored != null && !stored.vnicType().equals(vif.vnicType())) {
      faults.add(
          new Rejection(
              Reason.VNIC_TYPE_CHANGED,
              "port "
                  + vif.port()
                  + " is given as vnic type "
                  + vif.vnicType()
                  + " and was plugged as "
                  + stored.vnicType()
                  + ": detach it, then attach it anew (LP 1981813)"));
    }
  }

  static Rejection noEventSource(Vif vif, String missing) {
    return new Rejection(
        Reason.NO_EVENT_SOURCE,
        "port "
            + vif.port()
            + " would be awaited and nothing can ever deliver its evidence: "
            + missing
            + "; configure it, choose another rule of evidence, a timeout of zero or onTimeout"
            + " RESUME");
  }

  static Rejection afterStart(Vif vif) {
    return new Rejection(
        Reason.UNSUPPORTED_OPERATION,
        "port "
            + vif.port()
            + " can be plugged only once the guest runs, so the guest cannot wait for it before it"
            + " runs (LP 1684250); do not wait for vnic type "
            + vif.vnicType());
  }

  /** The first fault gives the reason, the message names all. */
  static @Nullable Rejection merge(List<Rejection> faults) {
    if (faults.isEmpty()) {
      return null;
    }
    return new Rejection(
        faults.get(0).reason(),
        String.join("; ", faults.stream().map(Rejection::message).toList()));
  }
}
