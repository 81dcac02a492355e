package io.vifplug.testkit.scenario;

import io.vifplug.VifPlug;
import io.vifplug.spi.GuestStatus;
import io.vifplug.testkit.FakeHypervisor;
import io.vifplug.testkit.FakeNetworkBackend;
import io.vifplug.testkit.FakePlugger;
import io.vifplug.testkit.HostScript;
import io.vifplug.testkit.InvariantChecker;
import io.vifplug.testkit.Timeline;
import io.vifplug.testkit.Timeline.Phase;
import io.vifplug.testkit.VirtualTime;
import io.vifplug.testkit.scenario.Scenario.GuestSetup;
import java.util.UUID;

/** The doubles of one run, in the state in which the scenario begins. */
final class ScenarioHost {
  static final String DISCARD_STORAGE = "discardStorage";

  private final Scenario scenario;
  private final VirtualTime time = new VirtualTime();
  private final Timeline timeline = new Timeline(time);
  private final HostScript script = new HostScript(time, timeline);
  private final FakeHypervisor hypervisor = new FakeHypervisor(script);
  private final FakePlugger plugger = new FakePlugger(script);
  private final InvariantChecker checker = new InvariantChecker(time, timeline);
  private final FakeNetworkBackend backend = new FakeNetworkBackend(time);
  private final ScenarioSource source;

  ScenarioHost(Scenario scenario) {
    this.scenario = scenario;
    this.source = new ScenarioSource(time, scenario.strictEventNames());
    scenario
        .takes()
        .forEach(
            (step, takes) -> {
              var unused = script.takes(step, takes.usual());
              takes.special().forEach((subject, duration) -> script.takes(step, subject, duration));
            });
    behave(scenario.backend());
    scenario.guests().forEach(this::put);
  }

  private void put(GuestSetup setup) {
    boolean paused = setup.state() == GuestStatus.State.PAUSED;
    FakeHypervisor.Pauser by =
        setup.pausedByLibrary() ? FakeHypervisor.Pauser.LIBRARY : FakeHypervisor.Pauser.USER;
    hypervisor.put(setup.guest(), setup.state(), paused ? by : null, setup.network().vifs());
    if (setup.state() != GuestStatus.State.ABSENT) {
      plugger.adopt(setup.guest().id(), setup.network().vifs());
    }
  }

  private void behave(Scenario.Backend wanted) {
    var unused = backend.attachTo(plugger);
    if (wanted.profile() != null) {
      backend.useProfile(FakeNetworkBackend.Profile.of(wanted.profile()));
    }
    if (wanted.capacityPerSecond() != null) {
      backend.capacityPerSecond(wanted.capacityPerSecond());
    }
    if (wanted.pollInterval() != null) {
      backend.pollInterval(wanted.pollInterval());
    }
    if (wanted.silentUntil() != null) {
      backend.silentUntil(wanted.silentUntil());
    }
    if (scenario.portStatus() != null) {
      scenario
          .portStatus()
          .forEach(
              (port, changes) ->
                  changes.forEach(
                      change -> backend.scriptStatus(port, change.at(), change.status())));
    }
    if (scenario.localEvidence() != null) {
      scenario
          .localEvidence()
          .forEach(change -> backend.scriptLocal(change.port(), change.at(), change.shows()));
    }
  }

  void configure(VifPlug.Builder builder) {
    String profile = scenario.backend().profile();
    String driver = profile == null ? null : FakeNetworkBackend.Profile.of(profile).driver();
    if (scenario.driver() != null) {
      builder.defaultDriver(scenario.driver());
    } else if (driver != null) {
      builder.defaultDriver(driver);
    }
    if (scenario.eventSource()) {
      builder.eventSource(checker.heard(source)).eventSource(checker.heard(backend));
    }
    if (scenario.portStatus() != null) {
      builder.portStatusReader(backend.portStatusReader());
    }
    if (scenario.localEvidence() != null) {
      builder.localEvidence(checker.seen(backend.localEvidence()));
    }
  }

  void discardStorage(UUID guest) {
    timeline.record(DISCARD_STORAGE, guest, null, Phase.ENTER, "");
  }

  VirtualTime time() {
    return time;
  }

  Timeline timeline() {
    return timeline;
  }

  HostScript script() {
    return script;
  }

  FakeHypervisor hypervisor() {
    return hypervisor;
  }

  FakePlugger plugger() {
    return plugger;
  }

  InvariantChecker checker() {
    return checker;
  }

  ScenarioSource source() {
    return source;
  }
}
