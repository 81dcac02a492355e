package io.vifplug.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call on the host that failed. What an SPI implementation throws; its kind decides whether the
 * engine tries again.
 */
public final class HostException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Kinds of failure. */
  public enum Kind {
    /** Anything else; never retried. */
    GENERIC,
    /** Somebody else holds the resource; retried. */
    BUSY,
    /** Not now; retried. */
    AGAIN,
    /** Permission refused; never retried. */
    DENIED,
    /** The connection to the host's service is lost; only reads are retried. */
    CONNECTION_LOST,
    /** The subject does not exist any more. */
    GONE,
    /** The host cannot do this at all. */
    UNSUPPORTED;

    /**
     * Whether trying the same call again may help.
     *
     * @return true for {@link #BUSY} and {@link #AGAIN}
     */
    public boolean isTransient() {
      return this == BUSY || this == AGAIN;
    }
  }

  private final Kind kind;

  /**
   * A failure without a cause.
   *
   * @param kind its kind
   * @param message what was tried on what (endpoint, device), and what the host said
   */
  public HostException(Kind kind, String message) {
    this(kind, message, null);
  }

  /**
   * A failure with a cause.
   *
   * @param kind its kind
   * @param message what was tried on what (endpoint, device), and what the host said
   * @param cause the cause, or null
   */
  public HostException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = Objects.requireNonNull(kind, "kind");
  }

  /**
   * The kind of failure.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }
}
