package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vifplug.spi.Registration;
import io.vifplug.testkit.VirtualTime.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
  private final VirtualTime time = new VirtualTime();
  private final List<String> log = new ArrayList<>();

  private Runnable log(String what) {
    return () -> log.add(what + "@" + time.elapsed().toMillis());
  }

  @Test
  void whatHappensAtOneInstantHappensInItsOrder() {
    Duration second = Duration.ofSeconds(1);
    var unused = time.schedule(second, log("timer"));
    unused = time.at(second, Order.ACTION, log("action"));
    unused = time.at(second, Order.EVENT, log("event 1"));
    unused = time.at(second, Order.EVENT, log("event 2"));
    unused = time.at(second, Order.CALL_RETURN, log("return"));
    unused = time.at(second, Order.GUEST_NEWS, log("news"));
    time.runUntilIdle();
    assertThat(log)
        .containsExactly(
            "news@1000",
            "return@1000",
            "event 1@1000",
            "event 2@1000",
            "action@1000",
            "timer@1000");
  }

  @Test
  void tasksRunRightAfterTheItemThatGaveThemFirstInFirstOut() {
    var unused =
        time.after(
            Duration.ZERO,
            Order.EVENT,
            () -> {
              time.execute(
                  () -> {
                    log.add("first");
                    time.execute(() -> log.add("third"));
                  });
              time.execute(() -> log.add("second"));
              log.add("item");
            });
    unused = time.after(Duration.ZERO, Order.EVENT, () -> log.add("next item"));
    time.advance(Duration.ZERO);
    assertThat(log).containsExactly("item", "first", "second", "third", "next item");
  }

  @Test
  void settleRunsReadyTasksAndNoTimer() {
    time.execute(log("task"));
    var unused = time.schedule(Duration.ZERO, log("timer"));
    assertThat(log).isEmpty();
    time.settle();
    assertThat(log).containsExactly("task@0");
    time.advance(Duration.ZERO);
    assertThat(log).containsExactly("task@0", "timer@0");
  }

  @Test
  void runUntilIncludesThePointAndStandsThere() {
    var unused = time.schedule(Duration.ofSeconds(2), log("on the point"));
    unused = time.schedule(Duration.ofSeconds(2).plusNanos(1), log("after it"));
    time.runUntil(Duration.ofSeconds(2));
    assertThat(log).containsExactly("on the point@2000");
    assertThat(time.pending()).isEqualTo(1);
    time.runUntil(Duration.ofSeconds(1));
    assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(2));
    time.advance(Duration.ofSeconds(3));
    assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(5));
    assertThat(log).hasSize(2);
  }

  @Test
  void aCancelledTimerDoesNotRunAndIsForgotten() {
    Registration timer = time.schedule(Duration.ofSeconds(1), log("timer"));
    timer.close();
    timer.close();
    assertThat(time.pending()).isZero();
    time.runUntilIdle();
    assertThat(log).isEmpty();
    assertThat(time.elapsed()).isZero();
  }

  @Test
  void aJumpOfTheWallClockDoesNotMoveTheMonotonicClock() {
    time.advance(Duration.ofSeconds(5));
    time.jumpWallClock(Duration.ofHours(-1));
    assertThat(time.now()).isEqualTo(VirtualTime.START.plusSeconds(5).minusSeconds(3600));
    assertThat(time.nanoTime()).isEqualTo(5_000_000_000L);
  }

  @Test
  void anOpenHoldKeepsTheTimeFromMovingAndIsNamed() {
    Registration first = time.hold("answer of the agent");
    Registration second = time.hold("second");
    var unused = time.schedule(Duration.ofSeconds(1), log("timer"));
    unused = time.schedule(Duration.ZERO, log("now"));
    second.close();
    second.close();
    assertThatThrownBy(time::runUntilIdle)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("answer of the agent")
        .hasMessageNotContaining("second]");
    assertThat(log).containsExactly("now@0");
    first.close();
    time.runUntilIdle();
    assertThat(log).containsExactly("now@0", "timer@1000");
  }

  @Test
  void whatSchedulesItselfForEverIsFound() {
    Runnable[] tick = new Runnable[1];
    tick[0] =
        () -> {
          var unused = time.schedule(Duration.ofSeconds(1), tick[0]);
        };
    tick[0].run();
    assertThatThrownBy(() -> time.runUntilIdle(100))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("100 steps")
        .hasMessageContaining("PT1M40S");
  }

  @Test
  void drivingFromWithinIsRefusedAndDrivingGoesOnAfterAnError() {
    time.execute(time::runUntilIdle);
    assertThatThrownBy(time::settle)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("driven already");
    time.execute(log("later"));
    time.settle();
    assertThat(log).containsExactly("later@0");
  }

  @Test
  void thePastAndNegativeDelaysAreRefused() {
    time.advance(Duration.ofSeconds(1));
    assertThatThrownBy(() -> time.at(Duration.ZERO, Order.EVENT, () -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("past");
    assertThatThrownBy(() -> time.schedule(Duration.ofNanos(-1), () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDelayBeyondAllTimeIsAllowed() {
    Registration never = time.schedule(Duration.ofSeconds(Long.MAX_VALUE), log("never"));
    time.advance(Duration.ofDays(365));
    assertThat(log).isEmpty();
    never.close();
  }

  @Test
  void aKilledSessionsTasksAndTimersVanishAndOthersStay() {
    VirtualSession session = time.session();
    session.execute(log("dead task"));
    var unused = session.schedule(Duration.ofSeconds(1), log("dead timer"));
    time.execute(log("task"));
    unused = time.schedule(Duration.ofSeconds(1), log("timer"));
    session.kill();
    session.execute(log("task after death"));
    unused = session.schedule(Duration.ZERO, log("timer after death"));
    time.runUntilIdle();
    assertThat(log).containsExactly("task@0", "timer@1000");
  }

  @Test
  void dropTimersForgetsTheDefaultSessionsButNotWhatTheTestScheduled() {
    var unused = time.schedule(Duration.ofSeconds(1), log("timer"));
    unused = time.after(Duration.ofSeconds(1), Order.TIMER, log("of the test"));
    time.dropTimers();
    time.runUntilIdle();
    assertThat(log).containsExactly("of the test@1000");
    unused = time.schedule(Duration.ofSeconds(1), log("new timer"));
    time.runUntilIdle();
    assertThat(log).hasSize(2);
  }
}
