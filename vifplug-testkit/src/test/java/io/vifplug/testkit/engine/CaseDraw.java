package io.vifplug.testkit.engine;

import io.vifplug.Guest;
import io.vifplug.OnTimeout;
import io.vifplug.Operation;
import io.vifplug.PlugPolicy;
import io.vifplug.backend.EvidenceRule;
import io.vifplug.event.EventName;
import io.vifplug.event.EventStatus;
import io.vifplug.network.Vif;
import io.vifplug.network.VnicType;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.ReadinessGate;
import io.vifplug.testkit.FakeNetworkBackend.Profile;
import io.vifplug.testkit.Fault;
import io.vifplug.testkit.engine.Case.GuestCase;
import io.vifplug.testkit.engine.Case.Host;
import io.vifplug.testkit.engine.Happening.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Draws a case. Call host, guests and happenings once each, in this order. */
final class CaseDraw {
  private static final List<String> STEPS =
      List.of(
          "plug",
          "unplug",
          "createPaused",
          "createRunning",
          "resume",
          "destroy",
          "undefine",
          "lookup",
          "attach",
          "detach");
  private static final List<String> TRIGGERS =
      List.of(
          "plug.enter",
          "plug.exit",
          "plug.fail",
          "unplug.enter",
          "unplug.exit",
          "createPaused.enter",
          "createPaused.exit",
          "resume.enter",
          "resume.exit",
          "destroy.enter",
          "destroy.exit",
          "attach.exit");
  private static final List<String> DRIVERS =
      List.of(
          "openvswitch",
          "ovn",
          "linuxbridge",
          "opendaylight_v2",
          "sriovnicswitch",
          "calico",
          "unheard-of");
  private static final List<VnicType> TYPES =
      List.of(
          VnicType.NORMAL,
          VnicType.NORMAL,
          VnicType.NORMAL,
          VnicType.DIRECT,
          VnicType.VDPA,
          VnicType.MACVTAP,
          VnicType.DIRECT_PHYSICAL,
          VnicType.REMOTE_MANAGED);

  private final Random random;
  private final List<GuestCase> guests = new ArrayList<>();
  private final List<Happening> drawn = new ArrayList<>();
  private boolean bareHost;
  private int asks;

  CaseDraw(Random random) {
    this.random = random;
  }

  static UUID guestId(int guest) {
    return UUID.fromString("%08d-aaaa-4aaa-8aaa-000000000000".formatted(guest));
  }

  static UUID portId(int guest, int port) {
    return UUID.fromString("%04d%04d-1111-4111-8111-000000000000".formatted(guest, port));
  }

  // --- the host and its guests ---

  Host host() {
    Profile profile = chance(50) ? Profile.SCRIPTED : of(Profile.values());
    boolean reader = chance(35);
    boolean local = chance(25);
    boolean events = !(reader || local) || chance(95);
    bareHost = !events;
    return new Host(
        profile,
        profile == Profile.SCRIPTED && chance(40) ? of(DRIVERS) : profile.driver(),
        events,
        reader,
        local,
        chance(80) ? 20 : 1 + random.nextInt(2),
        chance(70) ? 2000 : 300,
        chance(90) ? 0 : 4000,
        chance(70) ? 0 : 1500);
  }

  List<GuestCase> guests() {
    int count = chance(55) ? 1 : 2 + random.nextInt(3);
    for (int guest = 0; guest < count; guest++) {
      State state =
          chance(50) ? State.ABSENT : of(State.RUNNING, State.RUNNING, State.SHUTOFF, State.PAUSED);
      int ports = chance(60) ? 1 + random.nextInt(2) : 1 + random.nextInt(5);
      List<Vif> vifs = new ArrayList<>();
      for (int port = 0; port < ports; port++) {
        vifs.add(vif(portId(guest, port)));
      }
      guests.add(
          new GuestCase(Guest.of(guestId(guest)), state, state == State.PAUSED, List.copyOf(vifs)));
    }
    return List.copyOf(guests);
  }

  private Vif vif(UUID port) {
    VnicType type = chance(60) ? VnicType.NORMAL : of(TYPES);
    Vif.Builder vif = Vif.builder(port).vnicType(type);
    if (chance(70)) {
      vif.driver(chance(60) ? "openvswitch" : of(DRIVERS));
    }
    if (!type.equals(VnicType.NORMAL) && chance(90)) {
      vif.profile("pci_slot", "0000:81:00." + random.nextInt(8));
    }
    if (chance(10)) {
      vif.active();
    }
    if (chance(5)) {
      vif.adminDown();
    }
    if (chance(10)) {
      vif.detail("ovs_hybrid_plug", true);
    }
    return vif.build();
  }

  // --- what happens ---

  List<Happening> happenings() {
    settings();
    many(60, 4, this::takes);
    many(45, 3, this::gate);
    many(45, 4, this::trouble);
    answers();
    for (int guest = 0; guest < guests.size(); guest++) {
      asks(guest);
    }
    many(30, 2, () -> drawn.add(new Happening.Cancel(moment(), random.nextInt(Math.max(1, asks)))));
    many(35, 3, this::news);
    many(60, 8, this::event);
    many(35, 4, this::status);
    many(35, 4, this::local);
    if (chance(8)) {
      drawn.add(new Happening.Close(moment()));
      if (chance(60)) {
        drawn.add(new Happening.Reopen(moment()));
      }
    }
    return List.copyOf(drawn);
  }

  private void settings() {
    if (bareHost) {
      set("acceptStatusPull true", p -> p.withAcceptStatusPull(true));
    }
    Duration timeout = millis(of(0L, 500L, 1000L, 3000L, 3000L, 10_000L, 30_000L));
    set("timeout " + timeout, p -> p.withTimeout(timeout));
    maybe(22, this::leniency);
    maybe(
        15,
        () -> {
          PlugPolicy.PerVnicType special =
              new PlugPolicy.PerVnicType(
                  chance(50) ? millis(of(0L, 500L, 5000L)) : null,
                  chance(60) ? of(OnTimeout.values()) : null,
                  chance(20) ? of(EvidenceRule.values()) : null);
          VnicType type = chance(50) ? VnicType.NORMAL : VnicType.DIRECT;
          set(type + " " + special, p -> p.withPerVnicType(type, special));
        });
    maybe(
        20,
        () -> {
          Set<VnicType> types = of(Set.of(), Set.of(VnicType.NORMAL), Set.copyOf(TYPES));
          set("hardRebootWaitsFor " + types, p -> p.withHardRebootWaitsFor(types));
        });
    maybe(15, () -> set("handshake OFF", p -> p.withUnplugHandshake(PlugPolicy.Handshake.OFF)));
    maybe(
        30,
        () -> {
          Duration value = millis(of(0L, 500L, 2000L));
          set("unplugTimeout " + value, p -> p.withUnplugTimeout(value));
        });
    maybe(
        20,
        () -> {
          Duration value = millis(of(50L, 300L, 2000L));
          set("plugTimeout " + value, p -> p.withPlugTimeout(value));
        });
    maybe(15, () -> set("createTimeout 1s", p -> p.withCreateTimeout(millis(1000))));
    maybe(15, () -> set("callTimeout 500ms", p -> p.withCallTimeout(millis(500))));
    maybe(
        15,
        () -> {
          int value = 1 + random.nextInt(4);
          set("plugAttempts " + value, p -> p.withPlugAttempts(value));
        });
    maybe(
        30,
        () -> {
          EvidenceRule rule = of(EvidenceRule.values());
          set("evidence " + rule, p -> p.withEvidence(rule));
        });
    maybe(15, () -> set("acceptStatusPull true", p -> p.withAcceptStatusPull(true)));
    maybe(
        20,
        () -> {
          Duration value = millis(of(100L, 1000L, 5000L));
          set("gateInterval " + value, p -> p.withGateInterval(value));
        });
    maybe(20, () -> drawn.add(deadline()));
  }

  private void leniency() {
    set("onTimeout RESUME", p -> p.withOnTimeout(OnTimeout.RESUME));
  }

  private Setting deadline() {
    Duration value = millis(of(20L, 500L, 2000L, 4000L, 15_000L));
    return new Setting("callerDeadline " + value, p -> p.withCallerDeadline(value));
  }

  private void set(String text, UnaryOperator<PlugPolicy> change) {
    drawn.add(new Setting(text, change));
  }

  private void takes() {
    UUID subject = null;
    if (chance(50)) {
      subject = chance(50) ? anyGuest().guest().id() : anyPort();
    }
    drawn.add(new Happening.Takes(of(STEPS), subject, of(1L, 40L, 150L, 400L, 1500L, 40_000L)));
  }

  private void gate() {
    int guest = random.nextInt(guests.size());
    drawn.add(
        new Happening.Gate(
            guest,
            of(ReadinessGate.Phase.values()),
            chance(60) ? port(guest) : null,
            chance(85) ? of(0L, 0L, 200L, 1500L, 4000L) : -1,
            chance(30) ? moment() : -1));
  }

  private void trouble() {
    Fault fault = Fault.always(of(STEPS), of(Fault.ErrorKind.values()));
    if (chance(75)) {
      fault = fault.withTimes(1 + random.nextInt(3));
    }
    if (chance(30)) {
      fault = fault.withAfter(1 + random.nextInt(2));
    }
    if (chance(30)) {
      fault = fault.withGuest(anyGuest().guest().id());
    }
    if (chance(20)) {
      fault = fault.withPort(anyPort());
    }
    // A host that says GONE speaks the truth; a create may fail after the guest is there.
    boolean takesAway = Set.of("destroy", "undefine", "unplug", "detach").contains(fault.step());
    boolean saysGone = takesAway && fault.error() == Fault.ErrorKind.GONE;
    if (saysGone || (fault.step().startsWith("create") && chance(30))) {
      fault = fault.leavingGuest();
    }
    drawn.add(new Happening.Trouble(fault));
  }

  /** The network answers, mostly as it should. */
  private void answers() {
    for (GuestCase guest : guests) {
      UUID id = guest.guest().id();
      for (Vif vif : guest.vifs()) {
        if (chance(65)) {
          String trigger = chance(80) ? of("plug.enter", "plug.exit") : of(TRIGGERS);
          EventStatus status = chance(94) ? EventStatus.COMPLETED : of(EventStatus.values());
          drawn.add(
              new Happening.Answer(
                  trigger, delay(), id, vif.port(), EventName.VIF_PLUGGED, status));
        }
        if (chance(35)) {
          String trigger = chance(80) ? of("unplug.enter", "unplug.exit") : of(TRIGGERS);
          drawn.add(
              new Happening.Answer(
                  trigger,
                  delay(),
                  id,
                  vif.port(),
                  EventName.VIF_UNPLUGGED,
                  EventStatus.COMPLETED));
        }
        if (chance(15)) {
          drawn.add(
              new Happening.Answer(
                  of(TRIGGERS),
                  delay(),
                  id,
                  chance(80) ? vif.port() : anyPort(),
                  of(EventName.NETWORK),
                  EventStatus.COMPLETED));
        }
      }
    }
  }

  private void asks(int guest) {
    State state = guests.get(guest).state();
    int count = chance(40) ? 1 : 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      Operation operation = of(Operation.values());
      if (i == 0 && chance(75)) {
        operation =
            state == State.ABSENT
                ? of(Operation.SPAWN, Operation.SPAWN, Operation.SPAWN, Operation.MIGRATE_IN)
                : of(
                    Operation.HARD_REBOOT,
                    Operation.HARD_REBOOT,
                    Operation.START,
                    Operation.RESUME_HOST,
                    Operation.DESTROY,
                    Operation.DETACH);
      }
      boolean onePort = operation == Operation.ATTACH || operation == Operation.DETACH;
      drawn.add(
          new Happening.Ask(
              i == 0 && chance(60) ? 0 : moment(),
              guest,
              operation,
              onePort ? port(guest) : null,
              chance(70),
              chance(20),
              chance(10),
              chance(10) ? deadline() : null));
      asks++;
    }
  }

  private void news() {
    drawn.add(
        new Happening.News(
            moment(), random.nextInt(guests.size()), of(GuestNews.Change.values()), chance(25)));
  }

  private void event() {
    GuestCase owner = anyGuest();
    UUID port = of(owner.vifs()).port();
    UUID guest = owner.guest().id();
    if (chance(15)) {
      guest = chance(50) ? anyGuest().guest().id() : guestId(99);
    }
    if (chance(10)) {
      port = portId(99, 0);
    }
    drawn.add(
        new Happening.Event(
            moment(),
            guest,
            chance(95) ? port : null,
            chance(60) ? EventName.VIF_PLUGGED : of(EventName.NETWORK),
            chance(85) ? EventStatus.COMPLETED : of(EventStatus.values())));
  }

  private void status() {
    drawn.add(
        new Happening.Status(
            moment(), anyPort(), of("ACTIVE", "ACTIVE", "DOWN", "BUILD", "ERROR")));
  }

  private void local() {
    LocalEvidence.State state =
        chance(55) ? LocalEvidence.State.READY : of(LocalEvidence.State.values());
    drawn.add(new Happening.Local(moment(), anyPort(), state));
  }

  // --- dice ---

  private long moment() {
    return switch (random.nextInt(10)) {
      case 0 -> 0;
      case 1, 2, 3 -> random.nextInt(200);
      case 4, 5, 6 -> random.nextInt(3000);
      case 7 -> 1000L * random.nextInt(11);
      case 8 -> random.nextInt(20_000);
      default -> random.nextInt(400_000);
    };
  }

  private long delay() {
    return switch (random.nextInt(6)) {
      case 0, 1 -> 0;
      case 2 -> random.nextInt(100);
      case 3, 4 -> random.nextInt(3000);
      default -> random.nextInt(15_000);
    };
  }

  private GuestCase anyGuest() {
    return of(guests);
  }

  private UUID anyPort() {
    return of(anyGuest().vifs()).port();
  }

  private UUID port(int guest) {
    return of(guests.get(guest).vifs()).port();
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private void maybe(int percent, Runnable draw) {
    if (chance(percent)) {
      draw.run();
    }
  }

  private void many(int percent, int most, Runnable draw) {
    if (chance(percent)) {
      int count = 1 + random.nextInt(most);
      for (int i = 0; i < count; i++) {
        draw.run();
      }
    }
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private <T> T of(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  @SafeVarargs
  private <T> T of(T... values) {
    return values[random.nextInt(values.length)];
  }
}
