package io.vifplug.engine;

import io.vifplug.Operation;
import io.vifplug.Plan;
import io.vifplug.PlugPolicy;
import io.vifplug.PlugRequest;
import io.vifplug.Reason;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestNews;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One guest: what the library knows of it, and the attempt that acts on it. Everything but the
 * volatile fields is confined to the lane's own serial executor, so at most one attempt acts on a
 * guest, and no lock is held across guests.
 */
final class Lane implements Executor {
  private static final Set<Operation> GIVE_WAY_TO_REBOOT =
      EnumSet.of(
          Operation.SPAWN,
          Operation.START,
          Operation.RESUME_HOST,
          Operation.ATTACH,
          Operation.MIGRATE_IN);

  /** LP 1951720: events carry no generation, so an early repeat would take the first's event. */
  private static final Duration RECENT_UNPLUG = Duration.ofSeconds(10);

  private final UUID guest;
  private final Serial serial;
  private final Context context;
  private final Planner planner;
  private volatile Map<UUID, Vif> plugged = Map.of();
  private volatile boolean definedByUs;
  private volatile @Nullable Attempt current;
  private @Nullable Attempt successor;
  private @Nullable Attempt degraded;

  Lane(UUID guest, Context context, Planner planner, Executor executor) {
    this.guest = guest;
    this.context = context;
    this.planner = planner;
    this.serial = new Serial(executor);
  }

  @Override
  public void execute(Runnable task) {
    serial.execute(task);
  }

  // --- what is known of the guest ---

  Map<UUID, Vif> plugged() {
    return plugged;
  }

  boolean definedByUs() {
    return definedByUs;
  }

  void definedByUs(boolean value) {
    definedByUs = value;
  }

  void plugged(Vif vif) {
    Map<UUID, Vif> next = new LinkedHashMap<>(plugged);
    next.remove(vif.port());
    next.put(vif.port(), vif);
    plugged = Collections.unmodifiableMap(next);
    context.devices().put(vif.deviceName(), guest);
    context.ownUnplugs().plugged(vif.port());
  }

  void unplugged(Vif vif, boolean acknowledged) {
    Map<UUID, Vif> next = new LinkedHashMap<>(plugged);
    next.remove(vif.port());
    plugged = Collections.unmodifiableMap(next);
    context.devices().remove(vif.deviceName(), guest);
    context.ownUnplugs().unplugged(vif.port(), acknowledged);
  }

  void adopt(Iterable<Vif> vifs) {
    for (Vif vif : vifs) {
      plugged(vif);
    }
  }

  /** Whether forgetting the lane would lose something. */
  boolean isForgettable() {
    return plugged.isEmpty() && current == null && !definedByUs;
  }

  Plan plan(PlugRequest request, PlugPolicy policy) {
    return planner.plan(
        request,
        policy,
        new Planner.Memory(
            plugged,
            definedByUs,
            context.ownUnplugs()::find,
            entry -> context.ownUnplugs().isRecent(entry, RECENT_UNPLUG),
            device -> context.devices().get(device)));
  }

  // --- one attempt at a time ---

  /** Lets an operation in, or refuses it. */
  void admit(Attempt newcomer) {
    Attempt present = successor != null ? successor : current;
    Plan plan = plan(newcomer.request(), newcomer.policy());
    if (plan.rejection() != null) {
      newcomer.reject(plan, plan.rejection());
    } else if (present == null) {
      begin(newcomer);
    } else if (present.request().operation() == Operation.DESTROY
        && newcomer.request().operation() == Operation.DESTROY
        && present.canBeJoined()) {
      present.join(newcomer);
    } else if (current != null && current.isStuck()) {
      newcomer.reject(plan, new Plan.Rejection(Reason.OTHER_IN_PROGRESS, current.stuckMessage()));
    } else if (supersedes(newcomer.request().operation(), present.request().operation())) {
      if (successor != null) {
        successor.endSoon(Ending.superseded(newcomer.request().operation().toString()));
      }
      successor = newcomer;
      newcomer.queue();
      if (current != null) {
        current.endSoon(Ending.superseded(newcomer.request().operation().toString()));
      }
    } else {
      newcomer.reject(plan, inProgress(newcomer, present));
    }
  }

  private static boolean supersedes(Operation newer, Operation older) {
    return switch (newer) {
      case DESTROY -> older != Operation.DESTROY;
      case HARD_REBOOT -> GIVE_WAY_TO_REBOOT.contains(older);
      default -> false;
    };
  }

  private static Plan.Rejection inProgress(Attempt newcomer, Attempt present) {
    Operation older = present.request().operation();
    return new Plan.Rejection(
        older == newcomer.request().operation()
            ? Reason.ALREADY_IN_PROGRESS
            : Reason.OTHER_IN_PROGRESS,
        older
            + " of guest "
            + newcomer.request().guest().id()
            + " is in progress: "
            + present.where());
  }

  private void begin(Attempt attempt) {
    current = attempt;
    if (degraded != null) {
      degraded.endDegradedWatch();
    }
    attempt.queue();
    attempt.turn();
  }

  /** The attempt has nothing left to do on this guest. */
  void finished(Attempt attempt) {
    if (attempt == successor) {
      successor = null;
    }
    if (attempt == current) {
      current = null;
      Attempt next = successor;
      successor = null;
      if (next != null) {
        next.takesOver(attempt);
        begin(next);
      }
    }
  }

  /** Whether no other operation waits for the end of this attempt. */
  boolean isAlone(Attempt attempt) {
    return attempt == current && successor == null;
  }

  /** A fresh attempt takes the place of one that has ended and is not told. */
  void replace(Attempt ended, Attempt fresh) {
    if (ended == current) {
      begin(fresh);
    }
  }

  void cancel(EngineCall call) {
    Ending ending = Ending.cancelled(Reason.CALLER, null, "the caller cancelled the operation");
    if (successor != null && successor.isFor(call)) {
      successor.endSoon(ending);
    } else if (current != null && current.isFor(call)) {
      current.endSoon(ending);
    }
  }

  /** A call of the attempt does not return: nobody may act on the guest until it does. */
  void poisoned(Attempt attempt) {
    if (attempt == current && successor != null) {
      successor.waitForTheStuck(attempt.stuckMessage());
    }
  }

  /** An ended attempt goes on listening for what was outstanding. */
  void degraded(Attempt attempt) {
    degraded = attempt;
  }

  void degradedOver(Attempt attempt) {
    if (degraded == attempt) {
      degraded = null;
    }
  }

  void news(GuestNews news) {
    if (current != null) {
      current.news(news);
    }
    if (degraded != null && news.change() == GuestNews.Change.GONE) {
      degraded.endDegradedWatch();
    }
  }

  void close(Ending ending) {
    if (successor != null) {
      successor.endSoon(ending);
    }
    if (current != null) {
      current.endSoon(ending);
    }
    if (degraded != null) {
      degraded.endDegradedWatch();
    }
  }
}
