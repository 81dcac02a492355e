package io.vifplug.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A call on the host between its entry and its return, as seen from its body. */
abstract class VirtualCall {
  private final List<Runnable> atReturn = new ArrayList<>();
  private Duration spent = Duration.ZERO;
  private boolean hung;
  private boolean dropped;

  final void spend(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("a call cannot take " + time);
    }
    spent = spent.plus(time);
  }

  final void hang() {
    hung = true;
  }

  final void whenReturned(Runnable task) {
    atReturn.add(task);
  }

  final void drop() {
    dropped = true;
  }

  final Duration spent() {
    return spent;
  }

  final boolean hangs() {
    return hung;
  }

  final boolean isDropped() {
    return dropped;
  }

  final void runReturnTasks() {
    atReturn.forEach(Runnable::run);
  }
}
