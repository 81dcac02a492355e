package io.vifplug.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A record of what was called on the host, and of misuse that the doubles have seen. Thread-safe.
 *
 * <p>Assert on it with {@link TimelineAssert#assertThat(Timeline)}.
 */
public final class Timeline {
  /** The steps that tests and scenarios count. */
  public static final Set<String> COUNTED =
      Set.of(
          "plug",
          "unplug",
          "createPaused",
          "createRunning",
          "resume",
          "destroy",
          "undefine",
          "attach",
          "detach");

  /** Where a call stands. */
  public enum Phase {
    /** It has been entered. */
    ENTER,
    /** It has returned. */
    EXIT,
    /** It has thrown. */
    FAIL;

    /**
     * The word used in triggers.
     *
     * @return {@code enter}, {@code exit} or {@code fail}
     */
    public String word() {
      return switch (this) {
        case ENTER -> "enter";
        case EXIT -> "exit";
        case FAIL -> "fail";
      };
    }
  }

  /**
   * One entry.
   *
   * @param at when, since the start
   * @param step the step word, for example {@code createPaused}
   * @param guest the guest
   * @param port the port of plug, unplug, attach and detach, else null
   * @param phase where the call stands
   * @param note what came of it: the instance that was created, what resume found, what was thrown;
   *     else empty
   */
  public record Entry(
      Duration at, String step, UUID guest, @Nullable UUID port, Phase phase, String note) {
    @Override
    public String toString() {
      return "%-12s %s.%s guest %s%s%s"
          .formatted(
              at,
              step,
              phase.word(),
              guest,
              port == null ? "" : " port " + port,
              note.isEmpty() ? "" : ": " + note);
    }
  }

  private final Supplier<Duration> clock;
  private final boolean discards;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Entry> entries = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();

  /**
   * A timeline in virtual time.
   *
   * @param time the time
   */
  public Timeline(VirtualTime time) {
    this(time::elapsed);
  }

  /**
   * A timeline with any clock.
   *
   * @param clock the time since the start; called on the threads that call the host
   */
  public Timeline(Supplier<Duration> clock) {
    this(clock, false);
  }

  private Timeline(Supplier<Duration> clock, boolean discards) {
    this.clock = clock;
    this.discards = discards;
  }

  /**
   * A timeline without time, for tests with real threads: every entry is at zero, in the order of
   * recording.
   *
   * @return a new timeline
   */
  public static Timeline untimed() {
    return new Timeline(() -> Duration.ZERO);
  }

  /**
   * A timeline that keeps no entries, for measurements. Violations reported by the doubles are
   * kept.
   *
   * @return a new timeline
   */
  public static Timeline discarding() {
    return new Timeline(() -> Duration.ZERO, true);
  }

  /**
   * Records one entry, now.
   *
   * @param step the step word
   * @param guest the guest
   * @param port the port, or null
   * @param phase where the call stands
   * @param note what came of it, may be empty
   */
  public void record(String step, UUID guest, @Nullable UUID port, Phase phase, String note) {
    if (discards) {
      return;
    }
    lock.lock();
    try {
      entries.add(new Entry(clock.get(), step, guest, port, phase, note));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records misuse of the host.
   *
   * @param what what was done wrong, with the ids
   */
  public void violation(String what) {
    lock.lock();
    try {
      violations.add(clock.get() + ": " + what);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Everything recorded.
   *
   * @return a copy, in order
   */
  public List<Entry> entries() {
    return where(entry -> true);
  }

  /**
   * How many entries there are.
   *
   * @return the count
   */
  public int size() {
    lock.lock();
    try {
      return entries.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The entries of calls that change the host, at their entry: no lookups.
   *
   * @return a copy, in order
   */
  public List<Entry> counted() {
    return where(entry -> entry.phase() == Phase.ENTER && COUNTED.contains(entry.step()));
  }

  /**
   * How often a step was entered.
   *
   * @param step the step word
   * @return the count
   */
  public int count(String step) {
    return where(entry -> entry.phase() == Phase.ENTER && entry.step().equals(step)).size();
  }

  /**
   * The entries of one guest.
   *
   * @param guest the guest's id
   * @return a copy, in order
   */
  public List<Entry> of(UUID guest) {
    return where(entry -> entry.guest().equals(guest));
  }

  /**
   * Misuse seen by the doubles, and found by {@link ProtocolValidator} in the record.
   *
   * @return one line each; empty if there was none
   */
  public List<String> violations() {
    List<String> all;
    lock.lock();
    try {
      all = new ArrayList<>(violations);
    } finally {
      lock.unlock();
    }
    all.addAll(ProtocolValidator.violations(entries()));
    return List.copyOf(all);
  }

  private List<Entry> where(Predicate<Entry> condition) {
    lock.lock();
    try {
      return entries.stream().filter(condition).toList();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The record as text, one entry a line.
   *
   * @return the text
   */
  @Override
  public String toString() {
    return entries().stream().map(Entry::toString).collect(Collectors.joining("\n"));
  }
}
