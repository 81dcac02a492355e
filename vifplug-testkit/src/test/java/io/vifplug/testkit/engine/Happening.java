package io.vifplug.testkit.engine;

import io.vifplug.Operation;
import io.vifplug.PlugPolicy;
import io.vifplug.event.EventName;
import io.vifplug.event.EventStatus;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.ReadinessGate;
import io.vifplug.testkit.Fault;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One thing that is asked, done, said or set up in a run. Times are in milliseconds. */
sealed interface Happening {
  /** A setting of the host's policy. */
  record Setting(String text, UnaryOperator<PlugPolicy> change) implements Happening {
    @Override
    public String toString() {
      return "policy " + text;
    }
  }

  /** A request, with a policy of its own where {@code own} is given. */
  record Ask(
      long at,
      int guest,
      Operation operation,
      @Nullable UUID port,
      boolean gated,
      boolean binds,
      boolean bulk,
      @Nullable Setting own)
      implements Happening {}

  /** The caller's cancel of the n-th request. */
  record Cancel(long at, int ask) implements Happening {}

  /** The agent closes vifplug. */
  record Close(long at) implements Happening {}

  /** The agent opens it again. */
  record Reopen(long at) implements Happening {}

  /** One event at a time. */
  record Event(long at, UUID guest, @Nullable UUID port, EventName name, EventStatus status)
      implements Happening {}

  /** One event after each call of a kind. */
  record Answer(
      String trigger, long delay, UUID guest, UUID port, EventName name, EventStatus status)
      implements Happening {}

  /** What the hypervisor says; of an older run, or of what it now does. */
  record News(long at, int guest, GuestNews.Change change, boolean stale) implements Happening {}

  /** A fault of the host. */
  record Trouble(Fault fault) implements Happening {}

  /** How long calls of a step take. */
  record Takes(String step, @Nullable UUID subject, long millis) implements Happening {}

  /** A gate of a guest; negative times mean never. */
  record Gate(int guest, ReadinessGate.Phase phase, @Nullable UUID port, long opens, long closes)
      implements Happening {}

  /** What the port status reader shows from then on. */
  record Status(long at, UUID port, String status) implements Happening {}

  /** What the local evidence shows from then on. */
  record Local(long at, UUID port, LocalEvidence.State state) implements Happening {}
}
