package io.vifplug;

/** What is done to a guest. */
public enum Operation {
  /** First start of a new guest. */
  SPAWN,
  /** Power on of a guest that exists. */
  START,
  /** Tear down and start again. */
  HARD_REBOOT,
  /** Start after a host boot, one of many: like START, with low priority. */
  RESUME_HOST,
  /** Add one port to a running guest. */
  ATTACH,
  /** Remove one port from a running guest. */
  DETACH,
  /** Stop the guest and unplug its vifs. */
  DESTROY,
  /** Plug on the destination of a migration and wait; nothing is created. */
  MIGRATE_IN;

  /**
   * Whether the operation unplugs every vif before it plugs it again.
   *
   * @return true for HARD_REBOOT, START and RESUME_HOST
   */
  public boolean replugs() {
    return this == HARD_REBOOT || this == START || this == RESUME_HOST;
  }

  /**
   * Whether the operation creates the guest.
   *
   * @return true for SPAWN and the operations that replug
   */
  public boolean creates() {
    return this == SPAWN || replugs();
  }

  /**
   * Whether the operation only takes away.
   *
   * @return true for DESTROY and DETACH
   */
  public boolean removes() {
    return this == DESTROY || this == DETACH;
  }
}
