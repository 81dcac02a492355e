package io.vifplug.engine;

import io.vifplug.spi.PlugListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners, each in order and never on a thread that a guest depends on. */
final class Notifier {
  private static final Logger log = LoggerFactory.getLogger(Notifier.class);

  private record Lane(PlugListener listener, Serial serial) {}

  private final List<Lane> lanes = new ArrayList<>();
  private final Executor executor;

  Notifier(List<PlugListener> listeners, Executor executor) {
    this.executor = executor;
    for (PlugListener listener : listeners) {
      lanes.add(new Lane(listener, new Serial(executor)));
    }
  }

  /** Runs a caller's code. */
  void execute(Runnable task) {
    executor.execute(task);
  }

  void tell(Consumer<PlugListener> news) {
    for (Lane lane : lanes) {
      lane.serial().execute(() -> tell(lane.listener(), news));
    }
  }

  private static void tell(PlugListener listener, Consumer<PlugListener> news) {
    try {
      news.accept(listener);
    } catch (Throwable fault) {
      log.warn("listener {} threw", listener.getClass().getName(), fault);
    }
  }
}
