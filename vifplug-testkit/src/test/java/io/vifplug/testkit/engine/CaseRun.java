package io.vifplug.testkit.engine;

import io.vifplug.HostHealth;
import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.PlugCall;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugRequest;
import io.vifplug.Priority;
import io.vifplug.Progress;
import io.vifplug.Reason;
import io.vifplug.VifPlug;
import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.testkit.FakeGate;
import io.vifplug.testkit.FakeHypervisor;
import io.vifplug.testkit.FakeNetworkBackend;
import io.vifplug.testkit.FakePlugger;
import io.vifplug.testkit.HostScript;
import io.vifplug.testkit.InvariantChecker;
import io.vifplug.testkit.Timeline;
import io.vifplug.testkit.Timeline.Phase;
import io.vifplug.testkit.Trigger;
import io.vifplug.testkit.VirtualTime;
import io.vifplug.testkit.VirtualTime.Order;
import io.vifplug.testkit.engine.Case.GuestCase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Runs one case on virtual time, and says what is wrong with what came of it. */
final class CaseRun {
  private static final long MAX_STEPS = 60_000;
  private static final Duration LONGEST = Duration.ofHours(3);

  private final Case given;
  private final VirtualTime time = new VirtualTime();
  private final Timeline timeline = new Timeline(time);
  private final HostScript script = new HostScript(time, timeline);
  private final FakeHypervisor hypervisor = new FakeHypervisor(script);
  private final FakePlugger plugger = new FakePlugger(script);
  private final FakeNetworkBackend network = new FakeNetworkBackend(time);
  private final InvariantChecker checker = new InvariantChecker(time, timeline);
  private final VifPlug vifPlug;
  private final List<List<FakeGate>> gates = new ArrayList<>();
  private final List<PlugCall> calls = new ArrayList<>();
  private final List<CompletionStage<List<String>>> closes = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private boolean closed;

  private CaseRun(Case given) {
    this.given = given;
    var attached = network.attachTo(plugger);
    assert attached != null;
    network
        .useProfile(given.host().profile())
        .pollInterval(Duration.ofMillis(given.host().pollMillis()))
        .silentUntil(Duration.ofMillis(given.host().silentMillis()));
    if (given.host().jitterMillis() > 0) {
      network.jitter(given.seed(), Duration.ofMillis(given.host().jitterMillis()));
    }
    this.vifPlug = build();
    for (GuestCase guest : given.guests()) {
      gates.add(new ArrayList<>());
      put(guest);
    }
  }

  /** Runs the case. */
  static CaseRun of(Case given) {
    PrintStream errors = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    CaseRun run = new CaseRun(given);
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try {
      run.run();
    } finally {
      System.setErr(errors);
    }
    if (logged.size() > 0) {
      run.problems.add("logged: " + logged.toString(StandardCharsets.UTF_8));
    }
    return run;
  }

  /** What is wrong; empty if nothing is. */
  List<String> problems() {
    return problems;
  }

  /** What was done on the host and how each operation ended, without what was only noted. */
  String essence() {
    StringBuilder text = new StringBuilder(timeline.toString());
    for (PlugCall call : calls) {
      Outcome end = call.progress().outcome();
      text.append('\n').append(end == null ? "open" : end.kind() + " " + end.reason());
      if (end != null) {
        text.append(' ').append(end.elapsed()).append(' ').append(end.leftovers());
      }
    }
    return text.toString();
  }

  /** Everything a reader needs. */
  String report() {
    StringBuilder text = new StringBuilder(given.toString()).append("\n\n").append(timeline);
    for (PlugCall call : calls) {
      Outcome end = call.progress().outcome();
      text.append("\n\n").append(end == null ? call.progress() : end);
    }
    return text.append("\n\n").append(String.join("\n", problems)).toString();
  }

  private VifPlug build() {
    PlugPolicy policy = PlugPolicy.defaults();
    for (Happening happening : given.happenings()) {
      if (happening instanceof Happening.Setting setting) {
        policy = setting.change().apply(policy);
      }
    }
    VifPlug.Builder builder =
        VifPlug.builder()
            .hypervisor(hypervisor)
            .plugger(plugger)
            .policy(policy)
            .maxInFlight(given.host().maxInFlight())
            .listener(checker)
            .timing(time)
            .calls(time.calls())
            .executor(time);
    if (given.host().driver() != null) {
      builder.defaultDriver(given.host().driver());
    }
    if (given.host().events()) {
      builder.eventSource(checker.heard(network));
    }
    if (given.host().reader()) {
      builder.portStatusReader(network.portStatusReader());
    }
    if (given.host().local()) {
      builder.localEvidence(checker.seen(network.localEvidence()));
    }
    return builder.build();
  }

  private void put(GuestCase guest) {
    if (guest.state() == State.ABSENT) {
      return;
    }
    hypervisor.put(
        guest.guest(),
        guest.state(),
        guest.pausedByUser() ? FakeHypervisor.Pauser.USER : null,
        guest.vifs());
    plugger.adopt(guest.guest().id(), guest.vifs());
    vifPlug.adopt(guest.guest(), guest.network());
  }

  // --- what happens ---

  private void run() {
    given.happenings().forEach(this::prepare);
    try {
      time.runUntilIdle(MAX_STEPS);
    } catch (RuntimeException | Error thrown) {
      problems.add("the run broke at " + time.elapsed() + ": " + thrown);
    }
    judge();
  }

  private void prepare(Happening happening) {
    if (happening instanceof Happening.Ask ask) {
      at(ask.at(), Order.ACTION, () -> ask(ask));
    } else if (happening instanceof Happening.Cancel cancel) {
      at(cancel.at(), Order.ACTION, () -> cancel(cancel.ask()));
    } else if (happening instanceof Happening.Close close) {
      at(close.at(), Order.ACTION, this::close);
    } else if (happening instanceof Happening.Reopen reopen) {
      at(reopen.at(), Order.ACTION, this::reopen);
    } else if (happening instanceof Happening.Event event) {
      at(
          event.at(),
          Order.EVENT,
          () ->
              network.deliver(
                  new NetworkEvent(event.name(), event.guest(), event.port(), event.status())));
    } else if (happening instanceof Happening.Answer answer) {
      answer(answer);
    } else if (happening instanceof Happening.News news) {
      at(news.at(), Order.GUEST_NEWS, () -> tell(news));
    } else if (happening instanceof Happening.Trouble trouble) {
      var unused = script.fault(trouble.fault());
    } else if (happening instanceof Happening.Takes takes) {
      takes(takes);
    } else if (happening instanceof Happening.Gate gate) {
      gate(gate);
    } else if (happening instanceof Happening.Status status) {
      network.scriptStatus(status.port(), Duration.ofMillis(status.at()), status.status());
    } else if (happening instanceof Happening.Local local) {
      network.scriptLocal(local.port(), Duration.ofMillis(local.at()), local.state());
    }
  }

  private void at(long millis, Order order, Runnable task) {
    var unused = time.at(Duration.ofMillis(millis), order, task);
  }

  private void answer(Happening.Answer answer) {
    Trigger trigger = Trigger.of(answer.trigger()).withGuest(answer.guest());
    boolean ofPort = answer.trigger().contains("plug") || answer.trigger().contains("tach");
    var unused =
        script.onStep(
            ofPort ? trigger.withPort(answer.port()) : trigger,
            step -> {
              var scheduled =
                  time.after(
                      Duration.ofMillis(answer.delay()),
                      Order.EVENT,
                      () ->
                          network.deliver(
                              new NetworkEvent(
                                  answer.name(), answer.guest(), answer.port(), answer.status())));
              assert scheduled != null;
            });
  }

  private void takes(Happening.Takes takes) {
    Duration millis = Duration.ofMillis(takes.millis());
    if (takes.subject() == null) {
      script.takes(takes.step(), millis);
    } else {
      script.takes(takes.step(), takes.subject(), millis);
    }
  }

  private void gate(Happening.Gate gate) {
    List<FakeGate> ofGuest = gates.get(gate.guest());
    FakeGate made = new FakeGate("gate" + ofGuest.size(), gate.phase(), gate.port());
    if (gate.opens() >= 0) {
      made.opensAt(time, Duration.ofMillis(gate.opens()));
    }
    if (gate.closes() >= 0) {
      made.closesAt(time, Duration.ofMillis(gate.closes()));
    }
    ofGuest.add(made);
  }

  private void tell(Happening.News news) {
    UUID guest = given.guests().get(news.guest()).guest().id();
    State state = hypervisor.state(guest);
    if (news.stale()) {
      hypervisor.tell(new GuestNews(guest, news.change(), "of old"));
    } else if (state == State.RUNNING || state == State.PAUSED) {
      hypervisor.tell(guest, news.change());
    }
  }

  private void ask(Happening.Ask ask) {
    GuestCase guest = given.guests().get(ask.guest());
    UUID id = guest.guest().id();
    PlugRequest request = PlugRequest.of(ask.operation(), guest.guest(), guest.network());
    if (ask.port() != null) {
      request = request.withPort(ask.port());
    }
    if (ask.bulk()) {
      request = request.withPriority(Priority.BULK);
    }
    if (ask.operation() == Operation.SPAWN) {
      request =
          request.withDiscardStorage(
              () -> timeline.record("discardStorage", id, null, Phase.ENTER, ""));
    }
    if (ask.binds() && !ask.operation().removes()) {
      request = request.withBinder(() -> bind(guest));
    }
    if (ask.own() != null) {
      request = request.withPolicy(ask.own().change().apply(policy()));
    }
    if (ask.gated() && !ask.operation().removes()) {
      for (FakeGate gate : gates.get(ask.guest())) {
        if (ask.port() == null || gate.port() == null || gate.port().equals(ask.port())) {
          request = request.withGate(gate);
        }
      }
    }
    PlugCall call = vifPlug.submit(request);
    calls.add(call);
    checker.asked(id, ask.operation(), call);
  }

  /** Binding a port is what makes a back end announce it that announces bindings. */
  private void bind(GuestCase guest) {
    guest
        .vifs()
        .forEach(
            vif -> {
              var unused =
                  time.after(
                      Duration.ofMillis(5),
                      Order.EVENT,
                      () -> network.plugged(guest.guest().id(), vif.port()));
            });
  }

  private PlugPolicy policy() {
    PlugPolicy policy = PlugPolicy.defaults();
    for (Happening happening : given.happenings()) {
      if (happening instanceof Happening.Setting setting) {
        policy = setting.change().apply(policy);
      }
    }
    return policy;
  }

  private void cancel(int ask) {
    if (ask < calls.size()) {
      calls.get(ask).cancel();
    }
  }

  private void close() {
    if (!closed) {
      closed = true;
      closes.add(vifPlug.closeAsync());
    }
  }

  private void reopen() {
    if (closed) {
      closed = false;
      vifPlug.reopen();
    }
  }

  // --- what is wrong ---

  private void judge() {
    HostHealth health = vifPlug.health();
    List<Progress> open = vifPlug.progress();
    checker
        .check(new InvariantChecker.End(health, open, hypervisor, plugger, true))
        .forEach(violation -> problems.add(violation.toString()));
    timeline.violations().forEach(violation -> problems.add("misuse: " + violation));
    for (PlugCall call : calls) {
      Outcome end = call.progress().outcome();
      if (end == null) {
        problems.add("no outcome: " + call.progress());
      } else if (end.reason() == Reason.INTERNAL && end.message().contains("a defect of")) {
        problems.add("internal: " + end.message());
      }
    }
    int stuck = 0;
    for (Progress one : open) {
      Outcome end = one.outcome();
      if (end == null || end.cleanupComplete()) {
        problems.add("still open: " + one);
      } else {
        stuck++;
      }
    }
    if (stuck > 0 && health.stuckCalls() == 0) {
      problems.add("never cleaned up although nothing is stuck: " + open);
    }
    expect("openWatches", health.openWatches(), 0);
    expect("pending", time.pending(), 0);
    expect("queued", health.queued(), 0);
    expect("inFlight", health.inFlight(), 0);
    if (time.elapsed().compareTo(LONGEST) > 0) {
      problems.add("it took until " + time.elapsed());
    }
    for (CompletionStage<List<String>> close : closes) {
      if (!close.toCompletableFuture().isDone()) {
        problems.add("close() never returned");
      }
    }
  }

  private void expect(String what, int actual, int expected) {
    if (actual != expected) {
      problems.add(what + " is " + actual + " at the end; expected " + expected);
    }
  }

  @Nullable Outcome outcome(int ask) {
    return calls.get(ask).progress().outcome();
  }
}
