package io.vifplug.testkit;

import io.vifplug.Operation;
import io.vifplug.Plan.PortPlan;
import io.vifplug.Plan.Step;
import io.vifplug.Plan.StepKind;
import io.vifplug.event.EventName;
import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.EventStatus;
import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.testkit.Timeline.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What was heard and done on a host, in one order: everything is noted with the number of timeline
 * entries there were, which tells before from after even at one instant. Not thread-safe.
 */
final class History {
  private final Timeline timeline;
  private final VirtualTime time;
  private final Map<UUID, List<Act>> acts = new HashMap<>();
  private final Map<UUID, List<Heard>> events = new HashMap<>();
  private final Map<UUID, List<Shown>> readings = new HashMap<>();
  private final Map<UUID, List<Told>> turns = new HashMap<>();
  private boolean hearsEvents;
  private boolean seesReadings;

  /** A step that an attempt has entered. */
  record Act(int position, long attempt, Step step) {}

  /** An event that was accepted. */
  record Heard(int position, Duration at, NetworkEvent event) {}

  /** A reading of local evidence. */
  record Shown(int position, LocalEvidence.Reading reading) {}

  private record Told(long attempt, Duration at, int position, boolean ready) {}

  History(VirtualTime time, Timeline timeline) {
    this.time = time;
    this.timeline = timeline;
  }

  void entered(long attempt, UUID guest, Step step) {
    acts.computeIfAbsent(guest, id -> new ArrayList<>())
        .add(new Act(timeline.size(), attempt, step));
  }

  void turned(long attempt, UUID port, boolean ready) {
    turns
        .computeIfAbsent(port, id -> new ArrayList<>())
        .add(new Told(attempt, time.elapsed(), timeline.size(), ready));
  }

  /** Whether it was told at that time that a port is confirmed. */
  boolean toldAt(long attempt, UUID port, Duration at) {
    return turns.getOrDefault(port, List.of()).stream()
        .anyMatch(told -> told.ready && told.attempt == attempt && told.at.equals(at));
  }

  /** Whether the last that was told of a port before a position is that it is confirmed. */
  boolean toldBefore(long attempt, UUID port, int position) {
    boolean ready = false;
    for (Told told : turns.getOrDefault(port, List.of())) {
      if (told.attempt == attempt && told.position <= position) {
        ready = told.ready;
      }
    }
    return ready;
  }

  void hearsEvents() {
    hearsEvents = true;
  }

  void heard(int position, List<NetworkEvent> delivered, List<Disposition> answers) {
    for (int i = 0; i < delivered.size(); i++) {
      if (answers.get(i) == Disposition.ACCEPTED) {
        NetworkEvent event = delivered.get(i);
        events
            .computeIfAbsent(event.guest(), id -> new ArrayList<>())
            .add(new Heard(position, time.elapsed(), event));
      }
    }
  }

  int position() {
    return timeline.size();
  }

  void seesReadings() {
    seesReadings = true;
  }

  void read(UUID port, LocalEvidence.Reading reading) {
    readings
        .computeIfAbsent(port, id -> new ArrayList<>())
        .add(new Shown(timeline.size(), reading));
  }

  /** The attempt that made a call, or 0 if none had begun. */
  long attemptOf(UUID guest, int position) {
    long attempt = 0;
    for (Act act : acts.getOrDefault(guest, List.of())) {
      if (act.position > position) {
        break;
      }
      if (OutcomeBook.HOST_STEPS.contains(act.step.kind())) {
        attempt = act.attempt;
      }
    }
    return attempt;
  }

  /** The attempt that was the last to make such a call, or 0. */
  long lastToDo(UUID guest, String step, @Nullable UUID port) {
    List<Entry> entries = timeline.entries();
    for (int i = entries.size() - 1; i >= 0; i--) {
      Entry entry = entries.get(i);
      if (entry.guest().equals(guest)
          && entry.step().equals(step)
          && Objects.equals(port, entry.port())) {
        return attemptOf(guest, i);
      }
    }
    return 0;
  }

  /** The first entry of a step by an attempt, or -1. */
  int firstEntry(List<Entry> entries, UUID guest, long attempt, String step, @Nullable UUID port) {
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (entry.phase() == Timeline.Phase.ENTER
          && entry.step().equals(step)
          && entry.guest().equals(guest)
          && (port == null || port.equals(entry.port()))
          && attemptOf(guest, i) == attempt) {
        return i;
      }
    }
    return -1;
  }

  private int entered(UUID guest, long attempt, StepKind kind) {
    for (Act act : acts.getOrDefault(guest, List.of())) {
      if (act.attempt == attempt && act.step.kind() == kind) {
        return act.position;
      }
    }
    return Integer.MAX_VALUE;
  }

  /** What the events of one port amount to, by the rules of the contract alone. */
  record Verdict(boolean announced, boolean ever, boolean early, boolean failed) {}

  /**
   * Reads the events of one port up to a position.
   *
   * @param plan what is expected of the port
   * @param attempt the attempt
   * @param operation what it does
   * @param from plugged events before this position are early
   * @param to events after this position are late
   */
  Verdict judge(PortPlan plan, UUID guest, long attempt, Operation operation, int from, int to) {
    int watched = entered(guest, attempt, StepKind.OPEN_WATCH);
    int teardown =
        operation.replugs()
            ? Math.min(
                entered(guest, attempt, StepKind.DESTROY), entered(guest, attempt, StepKind.UNPLUG))
            : watched;
    boolean acknowledged = !operation.replugs() && !plan.handshake();
    boolean announced = false;
    boolean ever = false;
    boolean early = false;
    boolean failed = false;
    for (Heard heard : events.getOrDefault(guest, List.of())) {
      NetworkEvent event = heard.event;
      if (heard.position > to || !plan.vif().port().equals(event.port())) {
        continue;
      }
      boolean inTime = heard.position >= Math.max(watched, from);
      if (event.name().equals(EventName.VIF_PLUGGED)) {
        if (!plan.rule().usesEvents()) {
          continue;
        }
        if (!inTime) {
          early = true;
        } else if (event.status() != EventStatus.IN_PROGRESS) {
          failed = event.status() == EventStatus.FAILED;
          announced = !failed;
          ever |= announced;
        }
      } else if (event.name().equals(EventName.VIF_DELETED) && heard.position >= watched) {
        failed = true;
        announced = false;
      } else if (event.name().equals(EventName.VIF_UNPLUGGED) && heard.position >= watched) {
        if (!acknowledged && heard.position >= teardown) {
          acknowledged = true;
        } else {
          announced = false;
        }
      }
    }
    return new Verdict(announced, ever, early, failed);
  }

  boolean knowsEvents() {
    return hearsEvents;
  }

  /** Whether local evidence of a port was READY when last read, and new since the plug. */
  boolean shownReady(UUID port, int plugged, int to) {
    if (!seesReadings) {
      return true;
    }
    LocalEvidence.Reading before = null;
    LocalEvidence.Reading last = null;
    for (Shown shown : readings.getOrDefault(port, List.of())) {
      if (shown.position < plugged) {
        before = shown.reading;
      } else if (shown.position <= to) {
        last = shown.reading;
      }
    }
    if (last == null || last.state() != LocalEvidence.State.READY) {
      return false;
    }
    return before == null
        || before.state() != LocalEvidence.State.READY
        || !before.revision().equals(last.revision());
  }
}
