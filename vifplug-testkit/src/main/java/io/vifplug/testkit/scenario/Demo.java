package io.vifplug.testkit.scenario;

import io.vifplug.Guest;
import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.PlugCall;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugRequest;
import io.vifplug.VifPlug;
import io.vifplug.network.NetworkInfo;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestStatus;
import io.vifplug.spi.Registration;
import io.vifplug.testkit.FakeHypervisor;
import io.vifplug.testkit.FakeNetworkBackend;
import io.vifplug.testkit.FakeNetworkBackend.Profile;
import io.vifplug.testkit.FakePlugger;
import io.vifplug.testkit.HostScript;
import io.vifplug.testkit.StepListener;
import io.vifplug.testkit.Timeline;
import io.vifplug.testkit.VirtualTime;
import io.vifplug.testkit.VirtualTime.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * A host boots and brings its guests back, in virtual time: the same guests, the same network agent
 * that wires a limited number of ports a second, the same seed, with one policy or another.
 *
 * <p>Not thread-safe.
 */
final class Demo {
  static final int GUESTS = 200;
  static final int PORTS_PER_SECOND = 20;
  private static final long SEED = 20;
  private static final Duration JITTER = Duration.ofMillis(400);

  private final VirtualTime time = new VirtualTime();
  private final HostScript script = new HostScript(time, new Timeline(time));
  private final FakeHypervisor hypervisor = new FakeHypervisor(script);
  private final FakePlugger plugger = new FakePlugger(script);
  private final FakeNetworkBackend network =
      new FakeNetworkBackend(time)
          .useProfile(Profile.ML2_OVS)
          .capacityPerSecond(PORTS_PER_SECOND)
          .jitter(SEED, JITTER);
  private final Map<UUID, UUID> ports = new HashMap<>();
  private final Set<UUID> early = new HashSet<>();
  private final List<PlugCall> calls = new ArrayList<>();

  /**
   * What came of one run.
   *
   * @param guests how many guests there were
   * @param early how many ran before their port was wired
   * @param failed how many did not come back
   * @param degraded how many came back without proof
   * @param makespan until the last one ran
   */
  record Result(int guests, int early, int failed, int degraded, Duration makespan) {
    Map<String, Object> values() {
      Map<String, Object> values = new LinkedHashMap<>();
      values.put("guests", guests);
      values.put("early", early);
      values.put("failed", failed);
      values.put("degraded", degraded);
      values.put("makespan", makespan.toString());
      return values;
    }
  }

  /** Told how far a run is. */
  interface ProgressListener {
    void progress(int done, int all, Duration elapsed);
  }

  private Demo() {
    script.takes("plug", Duration.ofMillis(40)).takes("unplug", Duration.ofMillis(20));
    script.takes("createPaused", Duration.ofMillis(300));
    script.takes("createRunning", Duration.ofMillis(300));
    script.takes("resume", Duration.ofMillis(5));
    listen(network.attachTo(plugger));
    listen(script.onStep("createRunning.exit", this::started));
    listen(script.onStep("resume.exit", this::started));
  }

  /** For the whole run: nothing is to be stopped. */
  private static void listen(Registration registration) {
    Objects.requireNonNull(registration);
  }

  /** Nova's default: after a host boot nobody waits, guests are created running. */
  static PlugPolicy noWait() {
    return PlugPolicy.defaults()
        .withHardRebootWaitsFor(Set.of())
        .withUnplugHandshake(PlugPolicy.Handshake.OFF);
  }

  static Result run(PlugPolicy policy, ProgressListener listener) {
    return new Demo().bring(policy, listener);
  }

  private void started(StepListener.Step step) {
    UUID port = ports.get(step.guest());
    if (port != null && !network.isWired(port)) {
      early.add(step.guest());
    }
  }

  private Result bring(PlugPolicy policy, ProgressListener listener) {
    VifPlug vifPlug =
        VifPlug.builder()
            .hypervisor(hypervisor)
            .plugger(plugger)
            .eventSource(network)
            .policy(policy)
            .maxInFlight(GUESTS)
            .timing(time)
            .calls(time.calls())
            .executor(time)
            .build();
    for (int i = 1; i <= GUESTS; i++) {
      ask(vifPlug, i);
    }
    for (int done = 0; done < GUESTS && time.pending() > 0; ) {
      time.advance(Duration.ofMillis(100));
      done = (int) calls.stream().filter(Demo::hasEnded).count();
      listener.progress(done, GUESTS, time.elapsed());
    }
    var unused = vifPlug.closeAsync();
    time.settle();
    return result();
  }

  private void ask(VifPlug vifPlug, int number) {
    Guest guest = Guest.of(UUID.fromString("00000000-0000-4000-8000-%012d".formatted(number)));
    UUID port = UUID.fromString("%08d-0000-4000-9000-%012d".formatted(number, number));
    Vif vif = Vif.builder(port).bridge("br-int").driver("openvswitch").build();
    NetworkInfo vifs = NetworkInfo.of(vif);
    ports.put(guest.id(), port);
    hypervisor.put(guest, GuestStatus.State.SHUTOFF, null, List.of());
    plugger.adopt(guest.id(), vifs.vifs());
    vifPlug.adopt(guest, vifs);
    var unused =
        time.at(
            Duration.ZERO,
            Order.ACTION,
            () -> calls.add(vifPlug.submit(PlugRequest.of(Operation.RESUME_HOST, guest, vifs))));
  }

  private static boolean hasEnded(PlugCall call) {
    return call.outcome().toCompletableFuture().isDone();
  }

  private Result result() {
    int failed = 0;
    int degraded = 0;
    Duration makespan = Duration.ZERO;
    for (PlugCall call : calls) {
      Outcome outcome = call.outcome().toCompletableFuture().getNow(null);
      if (outcome == null || !isUp(outcome)) {
        failed++;
      } else if (!outcome.isReady()) {
        degraded++;
      }
      if (outcome != null && outcome.elapsed().compareTo(makespan) > 0) {
        makespan = outcome.elapsed();
      }
    }
    return new Result(GUESTS, early.size(), failed, degraded, makespan);
  }

  private static boolean isUp(Outcome outcome) {
    return outcome.kind() == Outcome.Kind.READY || outcome.kind() == Outcome.Kind.DEGRADED;
  }
}
