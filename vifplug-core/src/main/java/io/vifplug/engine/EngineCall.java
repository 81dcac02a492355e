package io.vifplug.engine;

import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.PlugCall;
import io.vifplug.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The caller's end of an operation. Thread-safe. */
final class EngineCall implements PlugCall {
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private final Consumer<EngineCall> cancel;
  private final AtomicReference<Progress> progress;

  EngineCall(UUID guest, Operation operation, Consumer<EngineCall> cancel) {
    this.cancel = cancel;
    this.progress =
        new AtomicReference<>(
            new Progress(guest, operation, 0, "queued", Duration.ZERO, List.of(), List.of(), null));
  }

  @Override
  public CompletionStage<Outcome> outcome() {
    return outcome.minimalCompletionStage();
  }

  @Override
  public Outcome join() {
    return outcome.join();
  }

  @Override
  public void cancel() {
    cancel.accept(this);
  }

  @Override
  public Progress progress() {
    return Objects.requireNonNull(progress.get());
  }

  /** Clean-up may go on after the end was told; the outcome stays readable. */
  void progress(Progress value) {
    progress.updateAndGet(last -> last.outcome() == null ? value : last);
  }

  /** Tells the end. The outcome is readable before anything says that there is one. */
  void end(Outcome value) {
    progress.updateAndGet(
        last ->
            new Progress(
                value.guest(),
                value.operation(),
                value.attempt(),
                "ended",
                value.elapsed(),
                last.ports(),
                last.gates(),
                value));
    outcome.complete(value);
  }

  /** The ports of a DEGRADED guest may still become ready. */
  void portsAfterEnd(List<Progress.Port> ports) {
    progress.updateAndGet(
        last ->
            new Progress(
                last.guest(),
                last.operation(),
                last.attempt(),
                last.phase(),
                last.age(),
                ports,
                last.gates(),
                last.outcome()));
  }
}
