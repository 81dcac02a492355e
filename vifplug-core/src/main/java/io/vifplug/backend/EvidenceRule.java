package io.vifplug.backend;

/** Which evidence confirms an awaited port. */
public enum EvidenceRule {
  /** The event alone. */
  EVENT,
  /** The event, and local evidence. */
  EVENT_AND_LOCAL,
  /** The event, and the port status ACTIVE. */
  EVENT_AND_PULL,
  /** Whichever comes first. */
  EVENT_OR_LOCAL,
  /** Local evidence alone. */
  LOCAL;

  /**
   * Whether an event alone can confirm.
   *
   * @return true for EVENT and EVENT_OR_LOCAL
   */
  public boolean eventAlone() {
    return this == EVENT || this == EVENT_OR_LOCAL;
  }

  /**
   * Whether events play a part.
   *
   * @return false for LOCAL only
   */
  public boolean usesEvents() {
    return this != LOCAL;
  }

  /**
   * Whether local evidence plays a part.
   *
   * @return true if so
   */
  public boolean usesLocal() {
    return this == EVENT_AND_LOCAL || this == EVENT_OR_LOCAL || this == LOCAL;
  }
}
