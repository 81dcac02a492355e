package io.vifplug.engine;

import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.GuestDirectory.Place;
import io.vifplug.spi.Registration;
import io.vifplug.spi.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * The registry under every interleaving that the tool finds: an event is either in the watch that
 * was open, in order, or nowhere; closing loses none that was accepted.
 */
@Param(name = "guest", gen = IntGen.class, conf = "1:2")
public class WatchRegistryLincheckTest {
  private static final Timing STILL =
      new Timing() {
        @Override
        public Instant now() {
          return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
          return 0;
        }

        @Override
        public Registration schedule(Duration delay, Runnable task) {
          return Registration.NONE;
        }
      };

  private final WatchRegistry registry = new WatchRegistry(STILL, guest -> Place.UNKNOWN, () -> {});
  private final Watch[] watches = new Watch[3];

  public WatchRegistryLincheckTest() {
    for (int guest = 1; guest <= 2; guest++) {
      watches[guest] = new Watch(id(guest), guest, () -> {});
      if (!registry.open(watches[guest]).isEmpty()) {
        throw new IllegalStateException("a new registry has events");
      }
    }
  }

  private static UUID id(int number) {
    return new UUID(0, number);
  }

  @Operation
  public String deliver(@Param(name = "guest") int guest) {
    List<Disposition> answer =
        registry.deliver(List.of(NetworkEvent.plugged(id(guest), id(guest))));
    return answer.toString();
  }

  @Operation
  public int drain(@Param(name = "guest") int guest) {
    return watches[guest].drain().size();
  }

  @Operation
  public void close(@Param(name = "guest") int guest) {
    registry.close(watches[guest], null);
  }

  @Operation
  public int size() {
    return registry.size();
  }

  @Test
  void isLinearizable() {
    new StressOptions()
        .iterations(10)
        .invocationsPerIteration(300)
        .threads(2)
        .actorsPerThread(3)
        .check(WatchRegistryLincheckTest.class);
  }
}
