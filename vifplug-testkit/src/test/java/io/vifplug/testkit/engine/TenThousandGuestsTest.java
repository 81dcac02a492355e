package io.vifplug.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vifplug.Guest;
import io.vifplug.Outcome;
import io.vifplug.PlugCall;
import io.vifplug.VifPlug;
import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.NetworkEvent;
import io.vifplug.network.NetworkInfo;
import io.vifplug.network.Vif;
import io.vifplug.testkit.FakeHypervisor;
import io.vifplug.testkit.FakeNetworkBackend;
import io.vifplug.testkit.FakePlugger;
import io.vifplug.testkit.HostScript;
import io.vifplug.testkit.Timeline;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Real threads and the real clock: waiting holds no thread (LP 1834257). */
class TenThousandGuestsTest {
  private static final int GUESTS = 10_000;
  private static final int MOST_THREADS = 64;

  @Test
  void waitAtOnceWithFewThreadsAndAllComplete() {
    FakeNetworkBackend network = new FakeNetworkBackend();
    HostScript script = new HostScript(Timeline.discarding());
    try (VifPlug vifPlug =
        VifPlug.builder()
            .hypervisor(new FakeHypervisor(script))
            .plugger(new FakePlugger(script))
            .eventSource(network)
            .maxInFlight(GUESTS)
            .build()) {
      List<PlugCall> calls = new ArrayList<>();
      List<NetworkEvent> events = new ArrayList<>();
      for (int number = 1; number <= GUESTS; number++) {
        UUID guest = new UUID(number, 1);
        // The device's name is made of the id's first characters.
        UUID port = new UUID((long) number << 24, 2);
        calls.add(
            vifPlug.spawn(
                Guest.of(guest), NetworkInfo.of(Vif.builder(port).driver("openvswitch").build())));
        events.add(NetworkEvent.plugged(guest, port));
      }
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> calls.stream().allMatch(call -> call.progress().phase().equals("wait")));

      assertThat(vifPlug.health().openWatches()).isEqualTo(GUESTS);
      assertThat(ManagementFactory.getThreadMXBean().getThreadCount())
          .as("live threads while %d guests wait", GUESTS)
          .isLessThanOrEqualTo(MOST_THREADS);

      Collections.shuffle(events, new Random(7));
      for (int from = 0; from < GUESTS; from += 200) {
        assertThat(network.deliver(events.subList(from, Math.min(GUESTS, from + 200))))
            .containsOnly(Disposition.ACCEPTED);
      }
      assertThat(calls)
          .extracting(call -> call.join().kind())
          .containsOnly(Outcome.Kind.READY)
          .hasSize(GUESTS);
      assertThat(vifPlug.health().openWatches()).isZero();
      assertThat(vifPlug.health().inFlight()).isZero();
    }
  }
}
