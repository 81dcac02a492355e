package io.vifplug.engine;

import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.LocalEvidence;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a watch records. Events and the moments that decide whether they count go into one queue, so
 * that their order in it is the truth, whichever thread brought them.
 */
sealed interface WatchEntry {
  /** An event came in. */
  record Received(NetworkEvent event, Instant at, long nanos) implements WatchEntry {}

  /** plug() of a port was entered; the reading of local evidence is from right before it. */
  record PlugEntered(UUID port, LocalEvidence.@Nullable Reading before) implements WatchEntry {}

  /** The first act that can bring a port of this guest down was entered. */
  record TeardownEntered() implements WatchEntry {}
}
