package io.vifplug.spi;

import java.util.UUID;

/** Knows which guests are on this host. Thread-safe; must not block. */
@FunctionalInterface
public interface GuestDirectory {
  /** Where a guest is. */
  enum Place {
    /** On this host: its events are accepted. */
    HERE,
    /** Known, on another host: answered 422. */
    ELSEWHERE,
    /** Not known: answered 404. */
    UNKNOWN
  }

  /**
   * Looks a guest up. A guest with an attempt, a recent end or a plugged vif is HERE without being
   * asked for.
   *
   * @param guest its id
   * @return where it is
   */
  Place find(UUID guest);
}
