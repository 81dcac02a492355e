package io.vifplug.engine;

import io.vifplug.Operation;
import io.vifplug.Outcome;
import io.vifplug.Plan.Step;
import io.vifplug.Plan.StepKind;
import io.vifplug.PlugRequest;
import io.vifplug.Reason;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestStatus;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.spi.HostException.Kind;
import io.vifplug.spi.Hypervisor;
import io.vifplug.spi.Journal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Undoes what this attempt did, and nothing else: the guest goes first, then its vifs in reverse
 * order, best effort for each. Confined to the lane.
 */
final class CleanUp {
  private final Attempt attempt;
  private final Deque<Vif> plugged = new ArrayDeque<>();
  private final Deque<Vif> attached = new ArrayDeque<>();
  private final List<String> leftBefore = new ArrayList<>();
  private final List<String> left = new ArrayList<>();
  private boolean guestMayLive;
  private boolean inherited;
  private boolean storageDiscarded;

  CleanUp(Attempt attempt) {
    this.attempt = attempt;
  }

  void pluggedHere(Vif vif) {
    unpluggedHere(vif);
    plugged.push(vif);
  }

  void unpluggedHere(Vif vif) {
    plugged.removeIf(other -> other.port().equals(vif.port()));
  }

  /** The guest is gone, so its vifs belong to nobody: the attempt answers for all of them. */
  void answersForAllVifs() {
    attempt.lane().plugged().values().forEach(this::pluggedHere);
  }

  void attachedHere(Vif vif) {
    attached.push(vif);
  }

  /** Whether there is something that a successor has to answer for. */
  boolean hasWork() {
    return attempt.operation() != Operation.ATTACH
        && (inherited || host().createEntered() || !plugged.isEmpty());
  }

  /** What the superseded attempt has made is undone, should this end before its turn. */
  void inherit() {
    inherited = true;
  }

  boolean inherits() {
    return inherited;
  }

  /** From here on the attempt's own steps deal with what it found. */
  void guestGone() {
    inherited = false;
  }

  /** Calls that overrun and then fail could go on for ever: what they were to undo is left. */
  void giveUp() {
    if (guestMayLive) {
      left.add("guest " + host().guest() + " may live");
    }
    plugged.forEach(vif -> left.add("port " + vif.port() + " is plugged"));
  }

  /** Something that no clean-up of this attempt can change. */
  void leave(String what) {
    leftBefore.add(what);
  }

  /** A call that was given up has returned after all. */
  void returned(Attempt.StuckCall call, boolean succeeded) {
    Vif vif = call.vif();
    if (call.kind() == StepKind.PLUG && vif != null && succeeded) {
      attempt.lane().plugged(vif);
      pluggedHere(vif);
    } else if (call.kind() == StepKind.UNPLUG && vif != null && succeeded) {
      unpluggedHere(vif);
      attempt.lane().unplugged(vif, false);
    } else if (call.kind() == StepKind.ATTACH && vif != null && succeeded) {
      attachedHere(vif);
    } else if (call.kind() == StepKind.DETACH && vif != null && succeeded) {
      pluggedHere(vif);
    } else if (call.kind() == StepKind.CREATE_PAUSED || call.kind() == StepKind.CREATE_RUNNING) {
      attempt.lane().definedByUs(succeeded && attempt.operation() == Operation.SPAWN);
    } else if (call.kind() == StepKind.DESTROY && succeeded) {
      answersForAllVifs();
    }
  }

  /** Cleans up as far as it can be done now, then runs {@code done} on the lane. */
  void run(Runnable done) {
    left.clear();
    guestMayLive = false;
    if (inherited && !attempt.isStuck()) {
      answersForAllVifs();
      stopGuest(() -> detach(done));
    } else if (attempt.operation().removes()) {
      unplugAll(new HashSet<>(), done);
    } else if (attempt.isStuck(StepKind.CREATE_PAUSED)
        || attempt.isStuck(StepKind.CREATE_RUNNING)
        || attempt.isStuck(StepKind.DESTROY)) {
      // Nobody destroys or unplugs under a call whose outcome is unknown.
      guestMayLive = true;
      done.run();
    } else if (host().createEntered()) {
      stopGuest(() -> detach(done));
    } else {
      detach(done);
    }
  }

  private void stopGuest(Runnable then) {
    host()
        .read(
            (status, failure) -> {
              // Where the guest cannot be looked up, it is stopped on suspicion.
              if (status == null || status.state().isActive()) {
                destroy(status, then);
              } else {
                undefine(status, then);
              }
            });
  }

  private void destroy(@Nullable GuestStatus before, Runnable then) {
    takeAway(
        new Step(StepKind.DESTROY),
        attempt.policy().callTimeout(),
        () -> {
          hypervisor().destroy(host().guest());
          host().journal(Journal.What.DESTROYED, null);
        },
        failure -> {
          if (failure == null) {
            undefine(before, then);
          } else {
            guestMayLive = true;
            left.add("guest " + host().guest() + ": destroy: " + Messages.cause(failure));
            attempt.suppress("destroy: " + Messages.cause(failure));
            then.run();
          }
        });
  }

  private void undefine(@Nullable GuestStatus before, Runnable then) {
    boolean defined = before == null || before.state() != State.ABSENT;
    if (attempt.operation() != Operation.SPAWN || !defined) {
      then.run();
      return;
    }
    takeAway(
        new Step(StepKind.UNDEFINE),
        attempt.policy().callTimeout(),
        () -> hypervisor().undefine(host().guest()),
        failure -> {
          if (failure == null) {
            attempt.lane().definedByUs(false);
          } else {
            left.add("the definition of guest " + host().guest());
            attempt.suppress("undefine: " + Messages.cause(failure));
          }
          then.run();
        });
  }

  private void detach(Runnable done) {
    Vif vif = attached.poll();
    if (vif == null) {
      unplugAll(new HashSet<>(), done);
      return;
    }
    takeAway(
        new Step(StepKind.DETACH, vif),
        attempt.policy().plugTimeout(),
        () -> hypervisor().detach(host().guest(), vif),
        failure -> {
          if (failure != null) {
            left.add("port " + vif.port() + " is attached: " + Messages.cause(failure));
            unpluggedHere(vif);
          }
          detach(done);
        });
  }

  /** Takes something away on the host; what is gone already is success, told as null. */
  private void takeAway(
      Step step, Duration deadline, PlugRequest.Hook action, Consumer<@Nullable Throwable> then) {
    attempt.record(step);
    attempt.<Boolean>call(
        step.kind(),
        step.vif(),
        deadline,
        HostSteps.run(action),
        (done, failure) -> then.accept(HostSteps.isKind(failure, Kind.GONE) ? null : failure));
  }

  /**
   * One after the other; a plug that was given up may return meanwhile and adds to what is left.
   */
  private void unplugAll(Set<UUID> tried, Runnable done) {
    Vif vif = attempt.isStuck(StepKind.DESTROY) ? null : nextToUnplug(tried);
    if (vif == null) {
      discardStorage(done);
      return;
    }
    tried.add(vif.port());
    attempt.record(new Step(StepKind.UNPLUG, vif));
    host()
        .unplug(
            vif,
            failure -> {
              if (failure != null && !(failure instanceof TimeoutException)) {
                left.add("port " + vif.port() + " is plugged: " + Messages.cause(failure));
              }
              unplugAll(tried, done);
            });
  }

  private @Nullable Vif nextToUnplug(Set<UUID> tried) {
    for (Vif vif : plugged) {
      if (!tried.contains(vif.port()) && !attempt.isStuck(vif.port())) {
        return vif;
      }
    }
    return null;
  }

  /** LP 1660647: storage is never touched but after a SPAWN that is undone. */
  private void discardStorage(Runnable done) {
    PlugRequest.Hook hook = attempt.request().discardStorage();
    Ending ending = attempt.ending();
    if (hook == null
        || storageDiscarded
        || attempt.operation() != Operation.SPAWN
        || ending == null
        || !undoes(ending)
        || attempt.deservesAnotherTry(ending)
        || guestMayLive
        || attempt.isStuck()) {
      done.run();
      return;
    }
    switch (host().knowledge()) {
      case KNOWN -> discard(hook, done);
      case UNKNOWN -> {
        left.add("storage: kept, as nobody could tell whether the guest uses it");
        done.run();
      }
      case NOT_ASKED -> discardIfUnused(hook, done);
    }
  }

  private static boolean undoes(Ending ending) {
    return ending.kind() == Outcome.Kind.FAILED
        || (ending.kind() == Outcome.Kind.CANCELLED && ending.reason() != Reason.CLOSED);
  }

  /** The operation ended before it looked: its guest may run, and use what would be discarded. */
  private void discardIfUnused(PlugRequest.Hook hook, Runnable done) {
    host()
        .read(
            (status, failure) -> {
              if (status != null && !status.state().isActive()) {
                discard(hook, done);
              } else {
                left.add("storage: kept, as the guest may use it");
                done.run();
              }
            });
  }

  private void discard(PlugRequest.Hook hook, Runnable done) {
    storageDiscarded = true;
    attempt.<Boolean>call(
        StepKind.BIND,
        null,
        attempt.policy().callTimeout(),
        HostSteps.run(hook),
        (ok, failure) -> {
          if (failure != null) {
            left.add("storage: " + Messages.cause(failure));
            attempt.suppress("discardStorage: " + Messages.cause(failure));
          }
          done.run();
        });
  }

  private HostSteps host() {
    return attempt.host();
  }

  private Hypervisor hypervisor() {
    return attempt.context().hypervisor();
  }

  /** What is left now, one line each. */
  List<String> leftovers() {
    List<String> all = new ArrayList<>(leftBefore);
    all.addAll(left);
    if (attempt.isStuck()) {
      all.add(attempt.stuckMessage());
      if (attempt.isStuck(StepKind.CREATE_PAUSED)
          || attempt.isStuck(StepKind.CREATE_RUNNING)
          || attempt.isStuck(StepKind.DESTROY)) {
        plugged.forEach(vif -> all.add("port " + vif.port() + " is plugged"));
      }
    }
    for (Vif vif : host().notUnplugged()) {
      if (attempt.lane().plugged().containsKey(vif.port())
          && attempt.book().find(vif.port()) != null
          && !attempt.isStuck(StepKind.UNPLUG, vif.port())
          && plugged.stream().noneMatch(other -> other.port().equals(vif.port()))) {
        Ending ending = attempt.ending();
        boolean pluggedAgain =
            ending != null && ending.keepsGuest() && !attempt.operation().removes();
        if (!pluggedAgain) {
          all.add("port " + vif.port() + " could not be unplugged");
        }
      }
    }
    return all;
  }
}
