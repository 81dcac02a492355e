package io.vifplug.testkit;

import io.vifplug.spi.ReadinessGate;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A gate that opens and closes at virtual times, or by hand. Closed until it opens. Thread-safe
 * unless it uses a {@link VirtualTime}.
 */
public final class FakeGate implements ReadinessGate {
  private final String name;
  private final Phase phase;
  private final @Nullable UUID port;
  private volatile boolean open;

  /**
   * A closed gate.
   *
   * @param name its name
   * @param phase when it must be open
   * @param port its port, or null for the whole guest
   */
  public FakeGate(String name, Phase phase, @Nullable UUID port) {
    this.name = Objects.requireNonNull(name, "name");
    this.phase = Objects.requireNonNull(phase, "phase");
    this.port = port;
  }

  /**
   * Opens it at a virtual time, before what the agent asks for at that instant.
   *
   * @param time the time
   * @param sinceStart when; at zero and in the past at once
   * @return this
   */
  public FakeGate opensAt(VirtualTime time, Duration sinceStart) {
    return at(time, sinceStart, this::open);
  }

  /**
   * Closes it at a virtual time, before what the agent asks for at that instant.
   *
   * @param time the time
   * @param sinceStart when; in the past at once
   * @return this
   */
  public FakeGate closesAt(VirtualTime time, Duration sinceStart) {
    return at(time, sinceStart, this::close);
  }

  /** Opens it now. */
  public void open() {
    open = true;
  }

  /** Closes it now. */
  public void close() {
    open = false;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Phase phase() {
    return phase;
  }

  @Override
  public @Nullable UUID port() {
    return port;
  }

  @Override
  public Reading check() {
    boolean now = open;
    return new Reading(now, "open", now ? "open" : "closed");
  }

  private FakeGate at(VirtualTime time, Duration sinceStart, Runnable change) {
    if (sinceStart.compareTo(time.elapsed()) <= 0) {
      change.run();
    } else {
      var unused = time.at(sinceStart, VirtualTime.Order.EVENT, change);
    }
    return this;
  }
}
