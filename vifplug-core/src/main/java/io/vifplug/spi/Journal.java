package io.vifplug.spi;

import io.vifplug.Guest;
import io.vifplug.Operation;
import io.vifplug.network.Vif;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was about to be done, so that a restarted agent can finish or undo it.
 * Thread-safe; may block. The intent of a step is appended before the step is taken.
 */
public interface Journal {
  /**
   * Appends a record; when it returns, the record is as durable as this journal makes it.
   *
   * @param entry the record
   * @throws HostException if it cannot be written: the step is then not taken
   */
  void append(Entry entry) throws HostException;

  /**
   * The records that still matter, in order: those of attempts that have not ended and those of
   * vifs that are still plugged.
   *
   * @return the records
   * @throws HostException if the journal cannot be read
   */
  List<Entry> open() throws HostException;

  /**
   * A journal in memory: a restarted process knows nothing of what the old one did, but a VifPlug
   * built anew in the same process does.
   *
   * @return an empty journal
   */
  static Journal inMemory() {
    return new InMemoryJournal();
  }

  /**
   * One record.
   *
   * @param attempt the attempt's generation number
   * @param guest the guest
   * @param operation the operation
   * @param what what is recorded
   * @param vif the vif of a PLUG or UNPLUG record, else null
   */
  record Entry(long attempt, Guest guest, Operation operation, What what, @Nullable Vif vif) {
    /**
     * The port of the record.
     *
     * @return its id, or null
     */
    public @Nullable UUID port() {
      return vif == null ? null : vif.port();
    }
  }

  /** Kinds of records. */
  enum What {
    /** The attempt has begun. */
    BEGIN,
    /** A vif is about to be plugged. */
    PLUG,
    /** A vif has been unplugged. */
    UNPLUGGED,
    /** The guest is about to be created. */
    CREATE,
    /** The guest has been destroyed. */
    DESTROYED,
    /** The attempt has ended. */
    END
  }
}
