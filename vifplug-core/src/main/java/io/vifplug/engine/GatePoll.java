package io.vifplug.engine;

import io.vifplug.Progress;
import io.vifplug.spi.ReadinessGate;
import io.vifplug.spi.ReadinessGate.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Looks at gates, all of them side by side. Confined to the lane; remembers only what the last look
 * showed and whether a gate was ever open.
 */
final class GatePoll {
  private final List<ReadinessGate> gates;
  private final Context context;
  private final Executor lane;
  private final Duration callTimeout;
  private final Map<ReadinessGate, Reading> last = new LinkedHashMap<>();
  private final Map<ReadinessGate, Boolean> everOpen = new LinkedHashMap<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private int round;

  GatePoll(List<ReadinessGate> gates, Context context, Executor lane, Duration callTimeout) {
    this.gates = gates;
    this.context = context;
    this.lane = lane;
    this.callTimeout = callTimeout;
  }

  /**
   * Looks once at every gate, then runs {@code done} on the lane. A newer look takes the place of
   * an older that has not ended: then both are done when the newer is.
   */
  void look(Runnable done) {
    if (gates.isEmpty()) {
      done.run();
      return;
    }
    int mine = ++round;
    int[] outstanding = {gates.size()};
    waiting.add(done);
    for (ReadinessGate gate : gates) {
      context
          .calls()
          .submit(callTimeout, gate::check)
          .inTime()
          .whenComplete(
              (reading, failure) ->
                  lane.execute(
                      () -> {
                        if (mine == round) {
                          note(gate, reading, failure);
                          if (--outstanding[0] == 0) {
                            List<Runnable> over = List.copyOf(waiting);
                            waiting.clear();
                            over.forEach(Runnable::run);
                          }
                        }
                      }));
    }
  }

  private void note(ReadinessGate gate, @Nullable Reading reading, @Nullable Throwable failure) {
    Reading shown =
        reading != null ? reading : new Reading(false, "a reading", "unreadable: " + failure);
    last.put(gate, shown);
    if (shown.open()) {
      everOpen.put(gate, true);
    }
  }

  boolean isEmpty() {
    return gates.isEmpty();
  }

  boolean allOpen() {
    return gates.stream().allMatch(this::isOpen);
  }

  /** Whether every gate of this port is open. */
  boolean allOpen(UUID port) {
    return gates.stream().filter(gate -> port.equals(gate.port())).allMatch(this::isOpen);
  }

  private boolean isOpen(ReadinessGate gate) {
    Reading reading = last.get(gate);
    return reading != null && reading.open();
  }

  /** Whether a gate that is closed now was open before. */
  boolean anyLost() {
    return gates.stream().anyMatch(gate -> !isOpen(gate) && everOpen.containsKey(gate));
  }

  /** The closed gates in words. */
  String closed() {
    List<String> words = new ArrayList<>();
    for (ReadinessGate gate : gates) {
      if (!isOpen(gate)) {
        Reading reading = last.get(gate);
        words.add(
            "gate "
                + gate.name()
                + (gate.port() == null ? "" : " of port " + gate.port())
                + (everOpen.containsKey(gate) ? " closed again" : " never opened")
                + (reading == null
                    ? ""
                    : ": expected " + reading.expected() + ", observed " + reading.observed()));
      }
    }
    return String.join("; ", words);
  }

  List<Progress.Gate> progress() {
    List<Progress.Gate> progress = new ArrayList<>();
    for (ReadinessGate gate : gates) {
      progress.add(new Progress.Gate(gate.name(), gate.port(), last.get(gate)));
    }
    return progress;
  }
}
