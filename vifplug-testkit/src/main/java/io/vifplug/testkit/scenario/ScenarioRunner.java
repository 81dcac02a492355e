package io.vifplug.testkit.scenario;

import io.vifplug.HostHealth;
import io.vifplug.OnTimeout;
import io.vifplug.Operation;
import io.vifplug.Plan;
import io.vifplug.PlugCall;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugRequest;
import io.vifplug.VifPlug;
import io.vifplug.backend.BackendMatrix;
import io.vifplug.event.NetworkEvent;
import io.vifplug.network.NetworkInfo;
import io.vifplug.spi.GuestDirectory.Place;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.GuestStatus;
import io.vifplug.testkit.FakeGate;
import io.vifplug.testkit.Fault;
import io.vifplug.testkit.InvariantChecker;
import io.vifplug.testkit.Timeline.Phase;
import io.vifplug.testkit.Trigger;
import io.vifplug.testkit.VirtualTime.Order;
import io.vifplug.testkit.scenario.Scenario.Action;
import io.vifplug.testkit.scenario.Scenario.Ask;
import io.vifplug.testkit.scenario.Scenario.At;
import io.vifplug.testkit.scenario.Scenario.Body;
import io.vifplug.testkit.scenario.Scenario.Call;
import io.vifplug.testkit.scenario.Scenario.Event;
import io.vifplug.testkit.scenario.Scenario.Gate;
import io.vifplug.testkit.scenario.Scenario.GuestSetup;
import io.vifplug.testkit.scenario.Scenario.News;
import io.vifplug.testkit.scenario.Scenario.On;
import io.vifplug.testkit.scenario.Scenario.Single;
import io.vifplug.testkit.scenario.Scenario.What;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Runs a scenario on virtual time against the real engine, with the testkit's doubles. The same
 * scenario gives the same result every time.
 *
 * <p>Thread-safe: every run has everything of its own.
 */
public final class ScenarioRunner {
  private final Scenario scenario;
  private final ScenarioHost host;
  private final VifPlug vifPlug;
  private final ResultWriter result;
  private final Map<UUID, NetworkInfo> networks = new LinkedHashMap<>();
  private final Map<UUID, List<FakeGate>> gates = new LinkedHashMap<>();
  private final List<Asked> asked = new ArrayList<>();

  /** A request and what became of it. */
  record Asked(UUID guest, Operation operation, PlugCall call) {}

  private ScenarioRunner(Scenario scenario) {
    this.scenario = scenario;
    this.host = new ScenarioHost(scenario);
    this.result = new ResultWriter(scenario, host);
    scenario.guests().forEach(setup -> networks.put(setup.guest().id(), setup.network()));
    this.vifPlug = build();
    scenario.guests().stream().filter(ScenarioRunner::exists).forEach(this::adopt);
    scenario.gates().forEach(this::prepare);
  }

  /**
   * Runs a scenario.
   *
   * @param scenario the scenario
   * @return what came of it
   */
  public static ScenarioResult run(Scenario scenario) {
    return new ScenarioRunner(scenario).run();
  }

  /**
   * Plans a scenario's first operation, with nothing run.
   *
   * @param scenario the scenario
   * @return the plan
   * @throws IllegalArgumentException if the scenario asks for no operation
   */
  public static Plan explain(Scenario scenario) {
    Ask first =
        scenario.actions().stream()
            .filter(Ask.class::isInstance)
            .map(Ask.class::cast)
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("the scenario asks for no operation"));
    ScenarioRunner runner = new ScenarioRunner(scenario);
    return runner.vifPlug.explain(runner.request(first));
  }

  private ScenarioResult run() {
    schedule();
    List<String> broken = new ArrayList<>();
    try {
      if (scenario.runUntil() == null) {
        host.time().runUntilIdle();
      } else {
        host.time().runUntil(scenario.runUntil());
      }
    } catch (RuntimeException | Error thrown) {
      broken.add("the run broke at " + host.time().elapsed() + ": " + thrown);
    }
    HostHealth health = vifPlug.health();
    InvariantChecker.End end =
        new InvariantChecker.End(
            health,
            vifPlug.progress(),
            host.hypervisor(),
            host.plugger(),
            scenario.runUntil() == null);
    return result.write(asked, networks, end, broken);
  }

  private VifPlug build() {
    VifPlug.Builder builder =
        VifPlug.builder()
            .hypervisor(host.hypervisor())
            .plugger(host.plugger())
            .policy(hostPolicy())
            .matrix(BackendMatrix.defaults().with(scenario.matrix()))
            .guestDirectory(this::find)
            .listener(host.checker())
            .listener(result)
            .timing(host.time())
            .calls(host.time().calls())
            .executor(host.time());
    if (scenario.maxInFlight() != null) {
      builder.maxInFlight(scenario.maxInFlight());
    }
    host.configure(builder);
    return builder.build();
  }

  /** Without any source of events a failing policy is refused at build time; requests bring it. */
  private PlugPolicy hostPolicy() {
    return scenario.eventSource()
        ? scenario.policy()
        : scenario.policy().withOnTimeout(OnTimeout.RESUME);
  }

  private Place find(UUID guest) {
    for (GuestSetup setup : scenario.guests()) {
      if (setup.guest().id().equals(guest)) {
        return setup.here() ? Place.HERE : Place.ELSEWHERE;
      }
    }
    return Place.UNKNOWN;
  }

  private static boolean exists(GuestSetup setup) {
    return setup.state() != GuestStatus.State.ABSENT;
  }

  private void adopt(GuestSetup setup) {
    vifPlug.adopt(setup.guest(), setup.network());
  }

  private void prepare(Gate gate) {
    FakeGate made = new FakeGate(gate.name(), gate.phase(), gate.port());
    if (gate.opens() != null) {
      made.opensAt(host.time(), gate.opens());
    }
    if (gate.closes() != null) {
      made.closesAt(host.time(), gate.closes());
    }
    gates.computeIfAbsent(gate.guest(), id -> new ArrayList<>()).add(made);
  }

  private void schedule() {
    for (News news : scenario.guestNews()) {
      var unused = host.time().at(news.at(), Order.GUEST_NEWS, () -> tell(news));
    }
    scenario.faults().forEach(this::addFault);
    scenario.events().forEach(this::schedule);
    for (Action action : scenario.actions()) {
      var unused = host.time().at(action.at(), Order.ACTION, () -> act(action));
    }
  }

  private void tell(News news) {
    boolean startsNothing =
        host.hypervisor().domain(news.guest()) == null && news.change() != GuestNews.Change.GONE;
    if (startsNothing) {
      host.hypervisor().tell(new GuestNews(news.guest(), news.change(), null));
    } else {
      host.hypervisor().tell(news.guest(), news.change());
    }
  }

  private void addFault(Scenario.Fault fault) {
    Fault made = Fault.always(fault.step(), fault.error());
    made = fault.times() == null ? made : made.withTimes(fault.times());
    made = fault.message() == null ? made : made.withMessage(fault.message());
    made = fault.guest() == null ? made : made.withGuest(fault.guest());
    made = fault.port() == null ? made : made.withPort(fault.port());
    var unused = host.script().fault(made.withAfter(fault.after()));
  }

  private void schedule(Event event) {
    if (event.when() instanceof At at) {
      var unused = host.time().at(at.at(), Order.EVENT, () -> send(event.what()));
    } else if (event.when() instanceof On on) {
      Trigger trigger =
          new Trigger(
              on.step(),
              Phase.valueOf(on.edge().toUpperCase(Locale.ROOT)),
              on.guest(),
              on.port(),
              on.nth() == null ? 0 : on.nth());
      var unused = host.script().onStep(trigger, step -> sendLater(on.delay(), event.what()));
    }
  }

  private void sendLater(Duration delay, What what) {
    var unused = host.time().after(delay, Order.EVENT, () -> send(what));
  }

  private void send(What what) {
    if (what instanceof Body body) {
      host.source().post(body.text());
    } else if (what instanceof Single one) {
      host.source().send(new NetworkEvent(one.name(), one.guest(), one.port(), one.status()));
    }
  }

  private void act(Action action) {
    if (action instanceof Ask ask) {
      PlugCall call = vifPlug.submit(request(ask));
      asked.add(new Asked(ask.guest(), ask.operation(), call));
      host.checker().asked(ask.guest(), ask.operation(), call);
    } else if (action instanceof Call call) {
      switch (call.kind()) {
        case CANCEL ->
            asked.stream()
                .filter(one -> one.guest.equals(call.guest()))
                .forEach(one -> one.call.cancel());
        case CLOSE -> {
          var unused = vifPlug.closeAsync();
        }
        case REOPEN -> vifPlug.reopen();
      }
    }
  }

  private PlugRequest request(Ask ask) {
    if (ask.network() != null) {
      networks.put(ask.guest(), ask.network());
    }
    GuestSetup setup =
        scenario.guests().stream()
            .filter(one -> one.guest().id().equals(ask.guest()))
            .findFirst()
            .orElseThrow();
    NetworkInfo network = networks.getOrDefault(ask.guest(), setup.network());
    PlugRequest request =
        PlugRequest.of(ask.operation(), setup.guest(), network).withPolicy(ask.policy());
    if (ask.port() != null) {
      request = request.withPort(ask.port());
    }
    if (ask.priority() != null) {
      request = request.withPriority(ask.priority());
    }
    if (ask.operation() == Operation.SPAWN) {
      UUID guest = ask.guest();
      request = request.withDiscardStorage(() -> host.discardStorage(guest));
    }
    for (FakeGate gate : gates.getOrDefault(ask.guest(), List.of())) {
      if (concerns(gate, ask)) {
        request = request.withGate(gate);
      }
    }
    return request;
  }

  private static boolean concerns(FakeGate gate, Ask ask) {
    return !ask.operation().removes()
        && (ask.operation() != Operation.ATTACH
            || gate.port() == null
            || gate.port().equals(ask.port()));
  }
}
