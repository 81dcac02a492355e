package io.vifplug.engine;

import io.vifplug.Limit;
import io.vifplug.Outcome.Kind;
import io.vifplug.Reason;
import org.jspecify.annotations.Nullable;

/** How and why an attempt ends. */
record Ending(
    Kind kind,
    @Nullable Reason reason,
    @Nullable Limit limit,
    String message,
    @Nullable Throwable cause) {

  static Ending ready() {
    return new Ending(Kind.READY, null, null, "every expected port is ready", null);
  }

  static Ending removed() {
    return new Ending(Kind.READY, null, null, "all that was to go is gone", null);
  }

  static Ending failed(Reason reason, String message) {
    return new Ending(Kind.FAILED, reason, null, message, null);
  }

  static Ending failed(
      Reason reason, @Nullable Limit limit, String message, @Nullable Throwable cause) {
    return new Ending(Kind.FAILED, reason, limit, message, cause);
  }

  static Ending rejected(Reason reason, String message) {
    return new Ending(Kind.REJECTED, reason, null, message, null);
  }

  static Ending cancelled(Reason reason, @Nullable Limit limit, String message) {
    return new Ending(Kind.CANCELLED, reason, limit, message, null);
  }

  static Ending degraded(Reason reason, @Nullable Limit limit, String message) {
    return new Ending(Kind.DEGRADED, reason, limit, message, null);
  }

  static Ending superseded(String by) {
    return new Ending(Kind.SUPERSEDED, null, null, by + " of the same guest took over", null);
  }

  /** Whether the guest stays as it is. */
  boolean keepsGuest() {
    return kind == Kind.READY
        || kind == Kind.DEGRADED
        || kind == Kind.SUPERSEDED
        || kind == Kind.REJECTED;
  }
}
