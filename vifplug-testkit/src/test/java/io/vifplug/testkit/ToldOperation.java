package io.vifplug.testkit;

import io.vifplug.Evidence;
import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.PlugCall;
import io.vifplug.PortResult;
import io.vifplug.PortState;
import io.vifplug.Progress;
import io.vifplug.Reason;
import io.vifplug.backend.Expectation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An operation of one port that ends when, and as, a test says so. */
final class ToldOperation implements PlugCall {
  private final UUID guest;
  private final long attempt;
  private final CompletableFuture<Outcome> end = new CompletableFuture<>();

  ToldOperation(UUID guest, long attempt) {
    this.guest = guest;
    this.attempt = attempt;
  }

  /** Ends it now, in virtual time from the start on. */
  Outcome end(
      VirtualTime time,
      Operation operation,
      Outcome.Kind kind,
      @Nullable Reason reason,
      PortResult port,
      List<Outcome.StepRecord> steps) {
    Outcome outcome =
        new Outcome(
            guest,
            operation,
            attempt,
            kind,
            reason,
            "",
            null,
            VirtualTime.START,
            time.now(),
            time.elapsed(),
            Map.of(port.port(), port),
            null,
            0,
            Map.of(),
            steps,
            List.of(),
            true,
            List.of(),
            null);
    end.complete(outcome);
    return outcome;
  }

  /** A port that was confirmed at a time, or that is outstanding. */
  static PortResult port(
      UUID port, Expectation expectation, Set<Evidence> evidence, @Nullable Duration confirmedAt) {
    return new PortResult(
        port,
        expectation,
        "",
        confirmedAt == null ? PortState.OUTSTANDING : PortState.CONFIRMED,
        evidence,
        confirmedAt == null ? null : VirtualTime.START.plus(confirmedAt),
        0,
        0,
        null,
        null,
        "");
  }

  @Override
  public CompletionStage<Outcome> outcome() {
    return end;
  }

  @Override
  public Outcome join() {
    return end.join();
  }

  @Override
  public void cancel() {}

  @Override
  public Progress progress() {
    return new Progress(
        guest, Operation.SPAWN, attempt, "wait", Duration.ZERO, List.of(), List.of(), null);
  }
}
