package io.vifplug.event;

/** What an event says of its subject. Absent on the wire means {@link #COMPLETED}. */
public enum EventStatus {
  /** It has happened. */
  COMPLETED("completed"),
  /** It has failed and will not happen. */
  FAILED("failed"),
  /** It is under way: noted, nothing more. */
  IN_PROGRESS("in-progress");

  private final String wire;

  EventStatus(String wire) {
    this.wire = wire;
  }

  /**
   * The word on the wire.
   *
   * @return for example {@code in-progress}
   */
  public String wire() {
    return wire;
  }
}
