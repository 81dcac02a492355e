package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.spi.ReadinessGate.Phase;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FakeGateTest {
  @Test
  void aGateOpensAndClosesAtItsTimes() {
    VirtualTime time = new VirtualTime();
    UUID port = UUID.randomUUID();
    FakeGate gate =
        new FakeGate("dhcp", Phase.BOTH, port)
            .opensAt(time, Duration.ofMillis(150))
            .closesAt(time, Duration.ofMillis(300));
    assertThat(gate.name()).isEqualTo("dhcp");
    assertThat(gate.phase()).isEqualTo(Phase.BOTH);
    assertThat(gate.port()).isEqualTo(port);
    assertThat(gate.check().open()).isFalse();
    assertThat(gate.check().observed()).isEqualTo("closed");
    time.runUntil(Duration.ofMillis(150));
    assertThat(gate.check().open()).isTrue();
    time.runUntil(Duration.ofMillis(300));
    assertThat(gate.check().open()).isFalse();
  }

  @Test
  void aGateThatOpensAtZeroIsOpenAtOnce() {
    FakeGate gate =
        new FakeGate("dhcp", Phase.RESUME, null).opensAt(new VirtualTime(), Duration.ZERO);
    assertThat(gate.check().open()).isTrue();
    assertThat(gate.port()).isNull();
  }
}
