package io.vifplug.event;

import java.util.List;

/**
 * Where an event source delivers. Thread-safe, never blocks, never runs a caller's code: it files
 * the events and returns.
 */
public interface EventSink {
  /** What became of one event. */
  enum Disposition {
    /** Filed. */
    ACCEPTED,
    /** The guest is on another host. */
    ELSEWHERE,
    /** Nobody knows the guest. */
    UNKNOWN,
    /** vifplug is closed; nothing was filed. */
    CLOSED
  }

  /**
   * Files one delivery (one HTTP body) whole and in order, before anything reacts to any of it.
   *
   * <p>Events that Nova knows but that are not about the network ({@code power-update} and others,
   * see {@link ExternalEvents#NOVA_NAMES}) come too: they are answered by their guest and otherwise
   * go nowhere.
   *
   * @param events the events of one delivery, in their order
   * @return one disposition per event, in the same order
   */
  List<Disposition> deliver(List<NetworkEvent> events);
}
