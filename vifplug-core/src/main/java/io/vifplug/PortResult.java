package io.vifplug;

import io.vifplug.backend.Expectation;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of one port.
 *
 * <p>Immutable.
 *
 * @param port its id
 * @param expectation what was expected of it
 * @param why the reason of the expectation; begins with a code word
 * @param state where it stood at the end
 * @param evidence the kinds of evidence that confirmed it, empty if none
 * @param confirmedAt when it was confirmed, or null
 * @param earlyEvents plugged events that came before they could count
 * @param duplicateEvents plugged events that came after it was confirmed
 * @param lastStatus the status the back end last reported, or null if none was read
 * @param unplugAcknowledged whether its own unplug was acknowledged; null if none was due
 * @param detail what to know about its failure, empty if nothing
 */
public record PortResult(
    UUID port,
    Expectation expectation,
    String why,
    PortState state,
    Set<Evidence> evidence,
    @Nullable Instant confirmedAt,
    int earlyEvents,
    int duplicateEvents,
    @Nullable String lastStatus,
    @Nullable Boolean unplugAcknowledged,
    String detail) {
  /** Copies the set. */
  public PortResult {
    evidence = Set.copyOf(evidence);
  }
}
