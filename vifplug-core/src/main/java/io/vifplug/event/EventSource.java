package io.vifplug.event;

import io.vifplug.spi.Registration;

/**
 * A way events come in: the HTTP receiver, a message bus, a test double. Implementations are
 * thread-safe. A source is listening when {@link #start} returns, so that no plug can be announced
 * before somebody listens.
 */
public interface EventSource {
  /**
   * Starts delivering.
   *
   * @param sink where to deliver
   * @return closes the source; idempotent
   * @throws IllegalStateException if it cannot listen; the message names the address and the cause
   */
  Registration start(EventSink sink);

  /**
   * What the source has seen so far.
   *
   * @return the counters
   */
  Health health();

  /**
   * Counters of a source since its start.
   *
   * @param listening whether it is listening
   * @param calls deliveries received, good and bad
   * @param authFailures deliveries refused for a wrong or missing token
   */
  record Health(boolean listening, long calls, long authFailures) {}
}
