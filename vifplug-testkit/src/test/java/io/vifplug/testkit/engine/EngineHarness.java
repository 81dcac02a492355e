package io.vifplug.testkit.engine;

import io.vifplug.Guest;
import io.vifplug.Outcome;
import io.vifplug.PlugCall;
import io.vifplug.VifPlug;
import io.vifplug.network.Vif;
import io.vifplug.testkit.FakeHypervisor;
import io.vifplug.testkit.FakeNetworkBackend;
import io.vifplug.testkit.FakePlugger;
import io.vifplug.testkit.HostScript;
import io.vifplug.testkit.Timeline;
import io.vifplug.testkit.VirtualTime;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** One host on virtual time. */
final class EngineHarness {
  final VirtualTime time = new VirtualTime();
  final Timeline timeline = new Timeline(time);
  final HostScript script = new HostScript(time, timeline);
  final FakeHypervisor hypervisor = new FakeHypervisor(script);
  final FakePlugger plugger = new FakePlugger(script);
  final FakeNetworkBackend network = new FakeNetworkBackend(time);
  final VifPlug vifPlug;
  final Guest guest = Guest.of(UUID.fromString("00000001-aaaa-4aaa-8aaa-000000000001"));

  EngineHarness(UnaryOperator<VifPlug.Builder> configure) {
    var attached = network.attachTo(plugger);
    assert attached != null;
    vifPlug =
        configure
            .apply(
                VifPlug.builder()
                    .hypervisor(hypervisor)
                    .plugger(plugger)
                    .eventSource(network)
                    .timing(time)
                    .calls(time.calls())
                    .executor(time))
            .build();
  }

  static Vif port(int number) {
    return Vif.builder(UUID.fromString("0000000%d-1111-4111-8111-000000000001".formatted(number)))
        .driver("openvswitch")
        .build();
  }

  Outcome end(PlugCall call) {
    time.runUntilIdle();
    Outcome outcome = call.progress().outcome();
    if (outcome == null) {
      throw new AssertionError("did not end: " + call.progress() + "\n" + timeline);
    }
    return outcome;
  }
}
