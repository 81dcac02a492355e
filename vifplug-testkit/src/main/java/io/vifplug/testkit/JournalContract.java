package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.Guest;
import io.vifplug.Operation;
import io.vifplug.network.Vif;
import io.vifplug.spi.HostException;
import io.vifplug.spi.Journal;
import io.vifplug.spi.Journal.Entry;
import io.vifplug.spi.Journal.What;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Journal} keeps. Implementers extend this class and say how to get at theirs.
 */
public abstract class JournalContract {
  private final Guest guest = Guest.of(UUID.randomUUID());
  private final Vif first = Vif.builder(UUID.randomUUID()).driver("openvswitch").build();
  private final Vif second =
      Vif.builder(UUID.randomUUID()).active().profile("pci_slot", "0000:3b:02.1").build();

  /** For subclasses. */
  protected JournalContract() {}

  /**
   * The journal under test, empty at first; the same one within a test.
   *
   * @return the journal
   * @throws HostException if it cannot be opened
   */
  protected abstract Journal journal() throws HostException;

  /**
   * The journal as a restarted process finds it.
   *
   * @return the same journal unless overridden
   * @throws HostException if it cannot be opened
   */
  protected Journal reopened() throws HostException {
    return journal();
  }

  @Test
  @DisplayName("a new journal is empty")
  final void emptyAtFirst() throws HostException {
    assertThat(reopened().open()).isEmpty();
  }

  @Test
  @DisplayName("records of an attempt that has not ended come back whole and in order")
  final void keepsOpenAttempts() throws HostException {
    Entry begin = append(1, What.BEGIN, null);
    Entry plug = append(1, What.PLUG, first);
    Entry plugToo = append(1, What.PLUG, second);
    Entry create = append(1, What.CREATE, null);
    assertThat(reopened().open()).containsExactly(begin, plug, plugToo, create);
  }

  @Test
  @DisplayName("an open attempt keeps what it has unplugged and destroyed")
  final void openAttemptsKeepAll() throws HostException {
    Entry begin = append(1, What.BEGIN, null);
    Entry destroyed = append(1, What.DESTROYED, null);
    Entry plug = append(1, What.PLUG, first);
    Entry unplugged = append(1, What.UNPLUGGED, first);
    assertThat(reopened().open()).containsExactly(begin, destroyed, plug, unplugged);
  }

  @Test
  @DisplayName("an attempt that has ended leaves only the vifs it has left plugged")
  final void endedAttemptsLeavePluggedVifs() throws HostException {
    append(1, What.BEGIN, null);
    append(1, What.PLUG, first);
    Entry plug = append(1, What.PLUG, second);
    append(1, What.CREATE, null);
    append(1, What.UNPLUGGED, first);
    append(1, What.END, null);
    assertThat(reopened().open()).containsExactly(plug);
  }

  @Test
  @DisplayName("a later attempt's unplug ends a vif of an earlier one")
  final void laterUnplugCounts() throws HostException {
    append(1, What.BEGIN, null);
    append(1, What.PLUG, first);
    append(1, What.END, null);
    append(2, What.BEGIN, null);
    append(2, What.UNPLUGGED, first);
    append(2, What.END, null);
    assertThat(reopened().open()).isEmpty();
  }

  @Test
  @DisplayName("a vif plugged again after an unplug is plugged")
  final void replugCounts() throws HostException {
    append(1, What.BEGIN, null);
    append(1, What.PLUG, first);
    append(1, What.END, null);
    append(2, What.BEGIN, null);
    append(2, What.UNPLUGGED, first);
    Entry plug = append(2, What.PLUG, first);
    append(2, What.END, null);
    assertThat(reopened().open()).containsExactly(plug);
  }

  @Test
  @DisplayName("another guest's unplug of the same port ends nothing")
  final void unplugIsPerGuest() throws HostException {
    append(1, What.BEGIN, null);
    Entry plug = append(1, What.PLUG, first);
    append(1, What.END, null);
    Guest other = Guest.of(UUID.randomUUID());
    journal().append(new Entry(2, other, Operation.DESTROY, What.BEGIN, null));
    journal().append(new Entry(2, other, Operation.DESTROY, What.UNPLUGGED, first));
    journal().append(new Entry(2, other, Operation.DESTROY, What.END, null));
    assertThat(reopened().open()).containsExactly(plug);
  }

  @Test
  @DisplayName("attempts side by side do not end each other")
  final void attemptsAreApart() throws HostException {
    Entry begin = append(1, What.BEGIN, null);
    append(2, What.BEGIN, null);
    Entry plug = append(1, What.PLUG, first);
    append(2, What.END, null);
    assertThat(reopened().open()).containsExactly(begin, plug);
  }

  private Entry append(long attempt, What what, @Nullable Vif vif) throws HostException {
    Entry entry = new Entry(attempt, guest, Operation.HARD_REBOOT, what, vif);
    journal().append(entry);
    return entry;
  }
}
