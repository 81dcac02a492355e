package io.vifplug.testkit;

import io.vifplug.testkit.Timeline.Entry;
import io.vifplug.testkit.Timeline.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds misuse of the host in a record of calls. What needs the state of the host to be seen (a
 * create while the guest is active, an unplug under a running guest, a port of another guest) the
 * doubles report themselves with {@link Timeline#violation}.
 */
public final class ProtocolValidator {
  private ProtocolValidator() {}

  /**
   * Looks for misuse: more than one successful resume of one run of a guest.
   *
   * @param entries the record, in order
   * @return one line each; empty if there is none
   */
  public static List<String> violations(List<Entry> entries) {
    List<String> found = new ArrayList<>();
    Set<String> resumed = new HashSet<>();
    for (Entry entry : entries) {
      boolean success =
          entry.step().equals("resume")
              && entry.phase() == Phase.EXIT
              && entry.note().startsWith("RESUMED");
      if (success && !resumed.add(entry.guest() + "/" + entry.note())) {
        found.add(entry.at() + ": a second successful resume of guest " + entry.guest());
      }
    }
    return found;
  }
}
