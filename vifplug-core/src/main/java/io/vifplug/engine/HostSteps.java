package io.vifplug.engine;

import io.vifplug.Guest;
import io.vifplug.Limit;
import io.vifplug.Operation;
import io.vifplug.Plan.StepKind;
import io.vifplug.PlugRequest;
import io.vifplug.Reason;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.GuestStatus;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.spi.HostException;
import io.vifplug.spi.HostException.Kind;
import io.vifplug.spi.Hypervisor;
import io.vifplug.spi.Hypervisor.Resumed;
import io.vifplug.spi.Journal;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.LocalEvidence.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of an attempt do on the hypervisor and the plugger, and how often. Confined to the
 * lane; the calls themselves run on call threads.
 */
final class HostSteps {
  private static final int READ_ATTEMPTS = 3;
  private static final int UNPLUG_ATTEMPTS = 3;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  private final Attempt attempt;
  private GuestStatus found = GuestStatus.ABSENT;
  private Knowledge knowledge = Knowledge.NOT_ASKED;
  private @Nullable String instance;
  private boolean creating;
  private boolean createEntered;
  private boolean resumeEntered;
  private long createdNanos;
  private long lastUnplugNanos;
  private long lastPlugNanos;
  private boolean beginJournaled;
  private final List<GuestNews> newsWhileCreating = new ArrayList<>();
  private final List<Vif> notUnplugged = new ArrayList<>();

  /** What is known of the guest from before anything was done. */
  enum Knowledge {
    NOT_ASKED,
    UNKNOWN,
    KNOWN
  }

  HostSteps(Attempt attempt) {
    this.attempt = attempt;
  }

  // --- reading ---

  void lookup() {
    knowledge = Knowledge.UNKNOWN;
    lookup(1, FIRST_PAUSE);
  }

  private void lookup(int number, Duration pause) {
    read(
        (status, failure) -> {
          if (status != null) {
            found = status;
            knowledge = Knowledge.KNOWN;
            lookedUp(status);
          } else if ((isKind(failure, Kind.CONNECTION_LOST) || isTransient(failure))
              && number < READ_ATTEMPTS
              && !attempt.endRequested()) {
            attempt.timers().after(pause, () -> lookup(number + 1, pause.multipliedBy(2)));
          } else {
            if (attempt.hasTakenOver()) {
              attempt.cleanUp().leave("guest " + guest() + ": nobody could tell its state");
            }
            boolean lost =
                isKind(failure, Kind.CONNECTION_LOST) || failure instanceof TimeoutException;
            attempt.end(
                Ending.failed(
                    lost ? Reason.CONNECTION_LOST : Reason.INTERNAL,
                    null,
                    "the hypervisor could not be asked about guest "
                        + guest()
                        + " ("
                        + number
                        + " tries): "
                        + Messages.cause(failure),
                    failure));
          }
        });
  }

  /** What comes after a look at the guest. */
  interface Read {
    void accept(@Nullable GuestStatus status, @Nullable Throwable failure);
  }

  /** Looks at the guest once. */
  void read(Read then) {
    attempt.<GuestStatus>call(
        StepKind.LOOKUP,
        null,
        attempt.policy().callTimeout(),
        () -> hypervisor().lookup(guest()),
        then::accept);
  }

  private void lookedUp(GuestStatus status) {
    Operation operation = attempt.operation();
    boolean makes = operation == Operation.SPAWN || operation == Operation.MIGRATE_IN;
    if (makes && status.state().isActive()) {
      attempt.end(
          Ending.rejected(
              Reason.ALREADY_RUNNING,
              "guest " + guest() + " is " + status.state() + "; expected it not to run"));
    } else if (makes && status.nameOwner() != null) {
      attempt.end(
          Ending.rejected(
              Reason.NAME_CONFLICT,
              "guest "
                  + guest().id()
                  + " has the name '"
                  + guest().name()
                  + "', which guest "
                  + status.nameOwner()
                  + " uses; nothing was touched"));
    } else if (operation == Operation.ATTACH && !status.state().isActive()) {
      attempt.end(
          Ending.rejected(
              Reason.INVALID_REQUEST,
              "guest " + guest() + " is " + status.state() + "; expected a running guest"));
    } else {
      if (operation == Operation.ATTACH) {
        instance = status.instance();
      }
      attempt.next();
    }
  }

  // --- taking away ---

  void destroy() {
    if (!found.state().isActive()) {
      mark(new WatchEntry.TeardownEntered());
      stopped();
      return;
    }
    attempt.<Boolean>call(
        StepKind.DESTROY,
        null,
        attempt.policy().callTimeout(),
        () -> {
          journal(Journal.What.BEGIN, null);
          mark(new WatchEntry.TeardownEntered());
          hypervisor().destroy(guest());
          journal(Journal.What.DESTROYED, null);
          return true;
        },
        (done, failure) -> {
          if (failure == null || isKind(failure, Kind.GONE)) {
            stopped();
          } else {
            stoppedAllTheSame(failure);
          }
        });
  }

  /** A guest that died while it was to be stopped is stopped; else its vifs stay with it. */
  private void stoppedAllTheSame(@Nullable Throwable failure) {
    if (failure instanceof TimeoutException) {
      destroyFailed(failure);
      return;
    }
    read(
        (status, unreadable) -> {
          if (status != null && !status.state().isActive()) {
            attempt.suppress("destroy: " + Messages.cause(failure));
            stopped();
          } else {
            destroyFailed(failure);
          }
        });
  }

  private void destroyFailed(@Nullable Throwable failure) {
    attempt.cleanUp().leave("guest " + guest() + " was " + found.state() + ", with its vifs");
    attempt.end(
        Ending.failed(
            Reason.DESTROY_FAILED,
            null,
            "guest "
                + guest()
                + " could not be stopped, so its vifs were left plugged: "
                + Messages.cause(failure),
            failure));
  }

  private void stopped() {
    attempt.cleanUp().guestGone();
    if (attempt.operation().replugs() || attempt.operation() == Operation.DESTROY) {
      attempt.cleanUp().answersForAllVifs();
    }
    attempt.next();
  }

  void unplug(Vif vif) {
    mark(new WatchEntry.TeardownEntered());
    unplug(
        vif,
        failure -> {
          if (failure != null) {
            notUnplugged.add(vif);
            if (attempt.operation().removes()) {
              attempt.cleanUp().unpluggedHere(vif);
            }
          }
          if (failure instanceof TimeoutException && !attempt.operation().removes()) {
            attempt.end(
                Ending.failed(
                    Reason.UNPLUG_FAILED,
                    null,
                    "port " + vif.port() + " could not be unplugged: " + Messages.cause(failure),
                    failure));
          } else {
            attempt.next();
          }
        });
  }

  /** What comes after an unplug. */
  interface Unplugged {
    void accept(@Nullable Throwable failure);
  }

  /** Unplugs with repetitions. */
  void unplug(Vif vif, Unplugged then) {
    unplug(vif, 1, FIRST_PAUSE, then);
  }

  private void unplug(Vif vif, int number, Duration pause, Unplugged then) {
    attempt.<Boolean>call(
        StepKind.UNPLUG,
        vif,
        attempt.policy().plugTimeout(),
        () -> {
          journal(Journal.What.BEGIN, null);
          context().plugger(vif).unplug(guest(), vif);
          journal(Journal.What.UNPLUGGED, vif);
          return true;
        },
        (done, failure) -> {
          lastUnplugNanos = context().timing().nanoTime();
          if (failure == null || isKind(failure, Kind.GONE)) {
            PortTracker port = attempt.book().find(vif.port());
            attempt.lane().unplugged(vif, port != null && port.unplugAnnounced());
            attempt.cleanUp().unpluggedHere(vif);
            then.accept(null);
          } else if (number < UNPLUG_ATTEMPTS
              && !(failure instanceof TimeoutException)
              && (attempt.ending() != null || !attempt.endRequested())) {
            attempt.suppress("unplug of port " + vif.port() + ": " + Messages.cause(failure));
            later(pause, () -> unplug(vif, number + 1, pause.multipliedBy(2), then));
          } else {
            attempt.suppress(
                "unplug of port "
                    + vif.port()
                    + " failed "
                    + number
                    + " times: "
                    + Messages.cause(failure));
            then.accept(failure);
          }
        });
  }

  /** A pause between two tries; those of clean-up go on when the attempt's timers are stopped. */
  private void later(Duration pause, Runnable task) {
    if (attempt.ending() == null) {
      attempt.timers().after(pause, task);
    } else {
      var ignored = context().timing().schedule(pause, () -> attempt.lane().execute(task));
    }
  }

  void undefine() {
    if (!attempt.operation().removes()) {
      // The guest does not run: what is still plugged of it is replaced, or goes with it.
      attempt.cleanUp().answersForAllVifs();
    }
    boolean wanted =
        attempt.operation() == Operation.DESTROY
            ? attempt.lane().definedByUs() && found.state() != State.ABSENT
            : found.state() == State.SHUTOFF;
    if (!wanted) {
      attempt.next();
      return;
    }
    attempt.<Boolean>call(
        StepKind.UNDEFINE,
        null,
        attempt.policy().callTimeout(),
        () -> {
          journal(Journal.What.BEGIN, null);
          hypervisor().undefine(guest());
          return true;
        },
        (done, failure) -> {
          if (failure == null || isKind(failure, Kind.GONE)) {
            attempt.lane().definedByUs(false);
          } else {
            attempt.suppress("undefine: " + Messages.cause(failure));
            if (attempt.operation() != Operation.DESTROY) {
              attempt.end(
                  Ending.failed(
                      Reason.CREATE_FAILED,
                      null,
                      "the old definition of guest "
                          + guest()
                          + " could not be removed: "
                          + Messages.cause(failure),
                      failure));
              return;
            }
            attempt.cleanUp().leave("the definition of guest " + guest());
          }
          attempt.next();
        });
  }

  void detach(Vif vif) {
    attempt.<Boolean>call(
        StepKind.DETACH,
        vif,
        attempt.policy().plugTimeout(),
        () -> {
          journal(Journal.What.BEGIN, null);
          mark(new WatchEntry.TeardownEntered());
          if (found.state().isActive()) {
            hypervisor().detach(guest(), vif);
          }
          return true;
        },
        (done, failure) -> {
          if (failure == null || isKind(failure, Kind.GONE)) {
            attempt.cleanUp().pluggedHere(vif);
            attempt.next();
          } else {
            attempt.end(
                Ending.failed(
                    Reason.UNPLUG_FAILED,
                    null,
                    "port "
                        + vif.port()
                        + " could not be detached from guest "
                        + guest()
                        + " and was left plugged: "
                        + Messages.cause(failure),
                    failure));
          }
        });
  }

  // --- making ---

  void bind() {
    PlugRequest.Hook binder = attempt.request().binder();
    if (binder == null) {
      attempt.next();
      return;
    }
    attempt.<Boolean>call(
        StepKind.BIND,
        null,
        attempt.policy().callTimeout(),
        run(binder),
        (done, failure) -> {
          if (failure == null) {
            attempt.next();
          } else {
            attempt.end(
                Ending.failed(
                    Reason.INTERNAL,
                    null,
                    "the binder hook failed: " + Messages.cause(failure),
                    failure));
          }
        });
  }

  static Callable<Boolean> run(PlugRequest.Hook hook) {
    return () -> {
      hook.run();
      return true;
    };
  }

  void plug(Vif vif) {
    plug(vif, 1, FIRST_PAUSE, context().timing().nanoTime());
  }

  private void plug(Vif vif, int number, Duration pause, long begunNanos) {
    attempt.<Boolean>call(
        StepKind.PLUG,
        vif,
        left(begunNanos),
        () -> {
          journal(Journal.What.BEGIN, null);
          journal(Journal.What.PLUG, vif);
          Reading before = readBefore(vif);
          // From here on the back end can see the port: its events count (LP 1951720, LP 1971563).
          mark(new WatchEntry.PlugEntered(vif.port(), before));
          context().plugger(vif).plug(guest(), vif);
          return true;
        },
        (done, failure) -> {
          if (failure == null) {
            lastPlugNanos = context().timing().nanoTime();
            attempt.lane().plugged(vif);
            attempt.cleanUp().pluggedHere(vif);
            attempt.waits().plugged(vif);
            attempt.next();
          } else if (failure instanceof TimeoutException) {
            plugFailed(vif, "plug has not returned");
            attempt.end(
                Ending.failed(
                    Reason.PLUG_TIMEOUT,
                    Limit.PLUG,
                    Messages.port(vif)
                        + " was not plugged within "
                        + attempt.policy().plugTimeout()
                        + "; expected plug to return: look at what it waits for on this host",
                    failure));
          } else if (isTransient(failure)
              && number < attempt.policy().plugAttempts()
              && pause.compareTo(left(begunNanos)) < 0
              && !attempt.endRequested()) {
            attempt.suppress(
                "plug of port " + vif.port() + ", try " + number + ": " + Messages.cause(failure));
            attempt
                .timers()
                .after(pause, () -> plug(vif, number + 1, pause.multipliedBy(2), begunNanos));
          } else {
            Reason reason = isKind(failure, Kind.DENIED) ? Reason.PLUG_DENIED : Reason.PLUG_FAILED;
            attempt.end(
                Ending.failed(
                    reason,
                    null,
                    Messages.port(vif)
                        + " was not plugged (attempts="
                        + number
                        + "): "
                        + Messages.cause(failure)
                        + (reason == Reason.PLUG_DENIED
                            ? "; give the agent the permission, trying again does not help"
                            : ""),
                    failure));
          }
        });
  }

  private void plugFailed(Vif vif, String why) {
    PortTracker port = attempt.book().find(vif.port());
    if (port != null) {
      port.notPlugged(why);
    }
  }

  /** What is left of the time for this port's plug, repetitions included. */
  private Duration left(long begunNanos) {
    return attempt.policy().plugTimeout().minusNanos(context().timing().nanoTime() - begunNanos);
  }

  private @Nullable Reading readBefore(Vif vif) {
    LocalEvidence local = context().local();
    PortTracker port = attempt.book().find(vif.port());
    if (local == null || port == null || !port.plan().rule().usesLocal() || !local.covers(vif)) {
      return null;
    }
    try {
      return local.read(vif);
    } catch (HostException unreadable) {
      return new Reading(LocalEvidence.State.NOT_READY, "unread: " + unreadable.getMessage());
    }
  }

  void create(StepKind kind) {
    create(kind, 1);
  }

  private void create(StepKind kind, int number) {
    creating = true;
    createEntered = true;
    List<Vif> vifs = attempt.request().network().vifs();
    attempt.<String>call(
        kind,
        null,
        attempt.policy().createTimeout(),
        () -> {
          journal(Journal.What.BEGIN, null);
          journal(Journal.What.CREATE, null);
          return kind == StepKind.CREATE_PAUSED
              ? hypervisor().createPaused(guest(), vifs)
              : hypervisor().createRunning(guest(), vifs);
        },
        (made, failure) -> {
          creating = false;
          if (made != null) {
            created(made);
          } else if (failure instanceof TimeoutException) {
            attempt.end(
                Ending.failed(
                    Reason.CREATE_TIMEOUT,
                    Limit.CREATE,
                    "guest "
                        + guest()
                        + " was not created within "
                        + attempt.policy().createTimeout()
                        + "; nothing is destroyed until the call returns",
                    failure));
          } else if (isTransient(failure) && number == 1 && !attempt.endRequested()) {
            createAgainIfNothingIsThere(kind, failure);
          } else {
            createFailed(failure);
          }
        });
  }

  private void created(String made) {
    instance = made;
    createdNanos = context().timing().nanoTime();
    if (attempt.operation() == Operation.SPAWN) {
      attempt.lane().definedByUs(true);
    }
    List<GuestNews> held = List.copyOf(newsWhileCreating);
    newsWhileCreating.clear();
    held.forEach(this::news);
    if (attempt.ending() == null) {
      attempt.next();
    }
  }

  private void createAgainIfNothingIsThere(StepKind kind, @Nullable Throwable failure) {
    attempt.suppress(kind.word() + ", try 1: " + Messages.cause(failure));
    read(
        (status, unreadable) -> {
          if (status != null && !status.state().isActive()) {
            attempt.timers().after(FIRST_PAUSE, () -> create(kind, 2));
          } else {
            createFailed(failure);
          }
        });
  }

  private void createFailed(@Nullable Throwable failure) {
    attempt.end(
        Ending.failed(
            Reason.CREATE_FAILED,
            null,
            "guest " + guest() + " could not be created: " + Messages.cause(failure),
            failure));
  }

  void attach(Vif vif) {
    attempt.<Boolean>call(
        StepKind.ATTACH,
        vif,
        attempt.policy().plugTimeout(),
        () -> {
          hypervisor().attach(guest(), vif);
          return true;
        },
        (done, failure) -> {
          if (failure == null) {
            lastPlugNanos = context().timing().nanoTime();
            attempt.cleanUp().attachedHere(vif);
            attempt.next();
          } else {
            attempt.end(
                Ending.failed(
                    failure instanceof TimeoutException ? Reason.PLUG_TIMEOUT : Reason.PLUG_FAILED,
                    failure instanceof TimeoutException ? Limit.PLUG : null,
                    Messages.port(vif)
                        + " could not be attached to guest "
                        + guest()
                        + ": "
                        + Messages.cause(failure),
                    failure));
          }
        });
  }

  void resume() {
    resume(1, FIRST_PAUSE);
  }

  private void resume(int number, Duration pause) {
    String run = instance;
    if (run == null) {
      throw new IllegalStateException("resume before create");
    }
    if (!resumeEntered) {
      resumeEntered = true;
      attempt.waits().resuming();
    }
    attempt.<Resumed>call(
        StepKind.RESUME,
        null,
        attempt.policy().callTimeout(),
        () -> hypervisor().resume(guest(), run),
        (resumed, failure) -> {
          if (resumed == Resumed.RESUMED || resumed == Resumed.RAN_ALREADY) {
            attempt.resumed();
          } else if (isKind(failure, Kind.GONE)) {
            attempt.end(gone("when it was to be resumed"));
          } else if (isKind(failure, Kind.CONNECTION_LOST)
              && number < READ_ATTEMPTS
              && !attempt.endRequested()) {
            attempt.suppress("resume, try " + number + ": " + Messages.cause(failure));
            attempt
                .timers()
                .after(pause, () -> resumeIfStillPaused(number + 1, pause.multipliedBy(2)));
          } else {
            resumeFailed(
                failure instanceof TimeoutException ? Limit.RESUME : null,
                resumed == Resumed.PAUSED_BY_OTHERS
                    ? "it is paused, but not by vifplug"
                    : Messages.cause(failure),
                failure);
          }
        });
  }

  private void resumeIfStillPaused(int number, Duration pause) {
    read(
        (status, failure) -> {
          if (status != null && status.state() == State.RUNNING) {
            attempt.resumed();
          } else if (status != null && !status.state().isActive()) {
            attempt.end(gone("when it was to be resumed"));
          } else if (status != null && status.pausedByUs()) {
            resume(number, pause);
          } else if (isKind(failure, Kind.CONNECTION_LOST) && number < READ_ATTEMPTS) {
            attempt
                .timers()
                .after(pause, () -> resumeIfStillPaused(number + 1, pause.multipliedBy(2)));
          } else {
            resumeFailed(null, Messages.cause(failure), failure);
          }
        });
  }

  private void resumeFailed(@Nullable Limit limit, String why, @Nullable Throwable failure) {
    attempt.end(
        Ending.failed(
            Reason.RESUME_FAILED,
            limit,
            "guest " + guest() + " could not be resumed and is not left paused: " + why,
            failure));
  }

  // --- news ---

  void news(GuestNews news) {
    if (creating) {
      // LP 1443186: news during create may still be about the run before.
      newsWhileCreating.add(news);
      return;
    }
    if (instance == null || (news.instance() != null && !news.instance().equals(instance))) {
      return;
    }
    switch (news.change()) {
      case GONE -> attempt.endSoon(gone("while it waited"));
      case CRASHED -> attempt.endSoon(gone("by a crash while it waited"));
      case RUNNING -> {
        if (!resumeEntered && attempt.operation().creates()) {
          attempt.waits().resumedByOthers();
        }
      }
      case PAUSED -> {}
    }
  }

  private Ending gone(String when) {
    return Ending.failed(
        Reason.GUEST_GONE,
        "guest "
            + guest()
            + " was gone "
            + when
            + "; expected it paused: look at the hypervisor's log of this guest");
  }

  // --- shared ---

  void journal(Journal.What what, @Nullable Vif vif) throws HostException {
    if (what == Journal.What.BEGIN) {
      if (beginJournaled) {
        return;
      }
      beginJournaled = true;
    }
    context()
        .journal()
        .append(new Journal.Entry(attempt.generation(), guest(), attempt.operation(), what, vif));
  }

  boolean beginJournaled() {
    return beginJournaled;
  }

  private void mark(WatchEntry entry) {
    Watch watch = attempt.watch();
    if (watch != null && watch.file(entry)) {
      watch.wake();
    }
  }

  static boolean isKind(@Nullable Throwable failure, Kind kind) {
    return failure instanceof HostException host && host.kind() == kind;
  }

  private static boolean isTransient(@Nullable Throwable failure) {
    return failure instanceof HostException host && host.kind().isTransient();
  }

  private Context context() {
    return attempt.context();
  }

  private Hypervisor hypervisor() {
    return context().hypervisor();
  }

  Guest guest() {
    return attempt.request().guest();
  }

  Knowledge knowledge() {
    return knowledge;
  }

  boolean createEntered() {
    return createEntered;
  }

  long createdNanos() {
    return createdNanos;
  }

  long lastUnplugNanos() {
    return lastUnplugNanos;
  }

  long lastPlugNanos() {
    return lastPlugNanos;
  }

  List<Vif> notUnplugged() {
    return notUnplugged;
  }
}
