package io.vifplug.spi;

import io.vifplug.Guest;
import io.vifplug.network.Vif;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What runs the guests. Calls may block; the engine makes them on its own call threads, one at a
 * time per guest and many guests at once, so implementations are thread-safe. Every failure is a
 * {@link HostException}.
 */
public interface Hypervisor {
  /**
   * Reads a guest, by its id and by its name. Has no effect.
   *
   * @param guest the guest
   * @return its status; {@link GuestStatus.State#ABSENT} if it is not known
   * @throws HostException if the hypervisor cannot be asked
   */
  GuestStatus lookup(Guest guest) throws HostException;

  /**
   * Creates and starts the guest paused, with the mark that vifplug paused it.
   *
   * @param guest the guest with its definition
   * @param vifs its vifs in order
   * @return the name of this run of the guest
   * @throws HostException if no paused guest was made; something may be left behind
   */
  String createPaused(Guest guest, List<Vif> vifs) throws HostException;

  /**
   * Creates and starts the guest running.
   *
   * @param guest the guest with its definition
   * @param vifs its vifs in order
   * @return the name of this run of the guest
   * @throws HostException if it does not run; something may be left behind
   */
  String createRunning(Guest guest, List<Vif> vifs) throws HostException;

  /**
   * Resumes the guest if, and only if, it is paused and carries our mark.
   *
   * @param guest the guest
   * @param instance the run that was created paused
   * @return what was found and done
   * @throws HostException of kind {@link HostException.Kind#GONE} if this run does not exist any
   *     more
   */
  Resumed resume(Guest guest, String instance) throws HostException;

  /** What {@link #resume} found. */
  enum Resumed {
    /** It was paused by us and runs now. */
    RESUMED,
    /** Somebody else has resumed it; nothing was done. */
    RAN_ALREADY,
    /** It is paused, but not by us; nothing was done. */
    PAUSED_BY_OTHERS
  }

  /**
   * Stops the guest at once. A guest that is already gone is success.
   *
   * @param guest the guest
   * @throws HostException if it may still be there
   */
  void destroy(Guest guest) throws HostException;

  /**
   * Removes the definition of a guest that does not run. Idempotent.
   *
   * @param guest the guest
   * @throws HostException if the definition may still be there
   */
  void undefine(Guest guest) throws HostException;

  /**
   * Hot-plugs a vif into a running guest.
   *
   * @param guest the guest
   * @param vif the vif, plugged on the host
   * @throws HostException of kind {@link HostException.Kind#UNSUPPORTED} if it cannot
   */
  default void attach(Guest guest, Vif vif) throws HostException {
    throw new HostException(
        HostException.Kind.UNSUPPORTED,
        "this hypervisor cannot attach port " + vif.port() + " to running guest " + guest.id());
  }

  /**
   * Removes a vif from a running guest; returns when the guest has let it go. A vif that is not
   * there is success.
   *
   * @param guest the guest
   * @param vif the vif
   * @throws HostException of kind {@link HostException.Kind#UNSUPPORTED} if it cannot
   */
  default void detach(Guest guest, Vif vif) throws HostException {
    throw new HostException(
        HostException.Kind.UNSUPPORTED,
        "this hypervisor cannot detach port " + vif.port() + " from running guest " + guest.id());
  }

  /**
   * Tells of changes that nobody asked for. The listener returns at once.
   *
   * @param listener told of each change, on any thread, in order per guest
   * @return stops it
   */
  Registration onNews(Consumer<GuestNews> listener);

  /**
   * Whether {@link #attach} and {@link #detach} are supported.
   *
   * @return false unless overridden
   */
  default boolean canAttach() {
    return false;
  }

  /**
   * The name used for a guest that has none.
   *
   * @param guest the guest's id
   * @return the name
   */
  static String defaultName(UUID guest) {
    return "instance-" + guest;
  }
}
