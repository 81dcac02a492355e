package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.spi.Calls;
import io.vifplug.testkit.VirtualTime.Order;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class VirtualCallsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final VirtualTime time = new VirtualTime();
  private final List<String> log = new ArrayList<>();

  private void watch(String name, CompletionStage<?> stage) {
    var unused =
        stage.whenComplete(
            (value, thrown) ->
                log.add(
                    "%s %s@%d"
                        .formatted(
                            name,
                            thrown == null ? value : thrown.getClass().getSimpleName(),
                            time.elapsed().toMillis())));
  }

  private void watch(Calls.Call<?> call) {
    watch("inTime", call.inTime());
    watch("returned", call.returned());
  }

  @Test
  void aCallIsEnteredAtOnceAndReturnsWhenItsTimeIsOver() {
    watch(
        time.calls()
            .submit(
                DEADLINE,
                () -> {
                  log.add("entered@" + time.elapsed().toMillis());
                  time.spend(Duration.ofMillis(40));
                  time.spend(Duration.ofMillis(2));
                  return "value";
                }));
    assertThat(log).isEmpty();
    time.settle();
    assertThat(log).containsExactly("entered@0");
    time.runUntilIdle();
    assertThat(log).containsExactly("entered@0", "inTime value@42", "returned value@42");
  }

  @Test
  void aCallThatTakesNoTimeStillReturnsAsAnItemOfTheQueue() {
    watch("call", time.calls().submit(DEADLINE, () -> "value").inTime());
    var unused = time.after(Duration.ZERO, Order.GUEST_NEWS, () -> log.add("news"));
    unused = time.after(Duration.ZERO, Order.EVENT, () -> log.add("event"));
    time.settle();
    assertThat(log).isEmpty();
    time.runUntilIdle();
    assertThat(log).containsExactly("news", "call value@0", "event");
  }

  @Test
  void aCallThatThrowsDoesSoWhenItsTimeIsOver() {
    watch(
        time.calls()
            .submit(
                DEADLINE,
                () -> {
                  time.spend(Duration.ofMillis(7));
                  throw new IOException("no");
                }));
    time.runUntilIdle();
    assertThat(log).containsExactly("inTime IOException@7", "returned IOException@7");
  }

  @Test
  void aCallThatOverrunsIsLateAtItsDeadlineAndReturnsAllTheSame() {
    watch(
        time.calls()
            .submit(
                DEADLINE,
                () -> {
                  time.spend(Duration.ofSeconds(40));
                  return "value";
                }));
    time.runUntilIdle();
    assertThat(log).containsExactly("inTime TimeoutException@30000", "returned value@40000");
  }

  @Test
  void aCallThatReturnsOnItsDeadlineIsInTime() {
    watch(
        time.calls()
            .submit(
                DEADLINE,
                () -> {
                  time.spend(DEADLINE);
                  return "value";
                }));
    time.runUntilIdle();
    assertThat(log).containsExactly("inTime value@30000", "returned value@30000");
  }

  @Test
  void aCallThatHangsIsLateAndNeverReturns() {
    Calls.Call<String> call =
        time.calls()
            .submit(
                DEADLINE,
                () -> {
                  time.whenReturned(() -> log.add("returned"));
                  time.hang();
                  return "value";
                });
    watch(call);
    time.runUntilIdle();
    assertThat(log).containsExactly("inTime TimeoutException@30000");
    assertThat(call.inTime().toCompletableFuture())
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
        .withCauseInstanceOf(TimeoutException.class);
    assertThat(call.returned().toCompletableFuture()).isNotDone();
    assertThat(time.pending()).isZero();
  }

  @Test
  void outsideOfACallSpendingAndHangingDoNothing() {
    time.spend(Duration.ofDays(1));
    time.hang();
    time.whenReturned(() -> log.add("at once"));
    assertThat(log).containsExactly("at once");
    assertThat(time.inCall()).isFalse();
  }

  @Test
  void droppedCallsKeepTheirEffectsButNeverDeliver() {
    watch(
        time.calls()
            .submit(
                DEADLINE,
                () -> {
                  log.add("effect");
                  time.spend(Duration.ofSeconds(1));
                  time.whenReturned(() -> log.add("host is done"));
                  return "value";
                }));
    time.settle();
    time.dropCallsInFlight();
    watch("new", time.calls().submit(DEADLINE, () -> "value").returned());
    time.runUntilIdle();
    assertThat(log).containsExactly("effect", "new value@0", "host is done");
  }

  @Test
  void aKilledSessionsCallsAreNotEnteredAndDoNotTimeOut() {
    VirtualSession session = time.session();
    watch(
        session
            .calls()
            .submit(
                DEADLINE,
                () -> {
                  time.hang();
                  return "hung";
                }));
    time.settle();
    watch(session.calls().submit(DEADLINE, () -> log.add("entered")));
    session.kill();
    watch(session.calls().submit(DEADLINE, () -> log.add("entered after death")));
    time.runUntilIdle();
    assertThat(log).isEmpty();
    assertThat(time.pending()).isZero();
  }
}
