package io.vifplug.testkit;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A failure that the host is to show. A call that fails has no effect, unless {@code leavesGuest}.
 *
 * @param step the step word of the calls that fail
 * @param times how often, or null for always
 * @param error how they fail
 * @param message what the error says
 * @param port only calls on this port, or null
 * @param guest only calls on this guest, or null
 * @param after how many calls that match succeed first
 * @param leavesGuest whether a create throws after it has made the guest
 */
public record Fault(
    String step,
    @Nullable Integer times,
    ErrorKind error,
    String message,
    @Nullable UUID port,
    @Nullable UUID guest,
    int after,
    boolean leavesGuest) {

  /** How a call fails. */
  public enum ErrorKind {
    /** A host exception of that kind. */
    GENERIC,
    /** A host exception of that kind. */
    BUSY,
    /** A host exception of that kind. */
    AGAIN,
    /** A host exception of that kind. */
    DENIED,
    /** A host exception of that kind. */
    CONNECTION_LOST,
    /** A host exception of that kind. */
    GONE,
    /** The call never returns. With real threads: not before {@link HostScript#releaseHung}. */
    HANG,
    /** An {@link Error}, as a native binding may throw. */
    THROWABLE
  }

  /** Checks for nulls. */
  public Fault {
    Objects.requireNonNull(step, "step");
    Objects.requireNonNull(error, "error");
    Objects.requireNonNull(message, "message");
  }

  /**
   * A fault of every call of a step.
   *
   * @param step the step word
   * @param error how it fails
   * @return the fault
   */
  public static Fault always(String step, ErrorKind error) {
    return new Fault(step, null, error, defaultMessage(step, error), null, null, 0, false);
  }

  /**
   * A fault of the next call of a step.
   *
   * @param step the step word
   * @param error how it fails
   * @return the fault
   */
  public static Fault once(String step, ErrorKind error) {
    return always(step, error).withTimes(1);
  }

  /**
   * How often.
   *
   * @param value 1 or more
   * @return a changed copy
   */
  public Fault withTimes(int value) {
    return new Fault(step, value, error, message, port, guest, after, leavesGuest);
  }

  /**
   * What the error says.
   *
   * @param value the message
   * @return a changed copy
   */
  public Fault withMessage(String value) {
    return new Fault(step, times, error, value, port, guest, after, leavesGuest);
  }

  /**
   * Only calls on one port.
   *
   * @param value the port's id
   * @return a changed copy
   */
  public Fault withPort(UUID value) {
    return new Fault(step, times, error, message, value, guest, after, leavesGuest);
  }

  /**
   * Only calls on one guest.
   *
   * @param value the guest's id
   * @return a changed copy
   */
  public Fault withGuest(UUID value) {
    return new Fault(step, times, error, message, port, value, after, leavesGuest);
  }

  /**
   * Only after a number of successes.
   *
   * @param value how many
   * @return a changed copy
   */
  public Fault withAfter(int value) {
    return new Fault(step, times, error, message, port, guest, value, leavesGuest);
  }

  /**
   * Throws only after the guest was made.
   *
   * @return a changed copy
   */
  public Fault leavingGuest() {
    return new Fault(step, times, error, message, port, guest, after, true);
  }

  boolean matches(String aStep, UUID aGuest, @Nullable UUID aPort) {
    return step.equals(aStep)
        && (guest == null || guest.equals(aGuest))
        && (port == null || port.equals(aPort));
  }

  static String defaultMessage(String step, ErrorKind error) {
    return step + " fails as scripted: " + error;
  }
}
