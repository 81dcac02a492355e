package io.vifplug.testkit;

import io.vifplug.testkit.Timeline.Entry;
import io.vifplug.testkit.Timeline.Phase;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.AbstractAssert;

/** Assertions on a {@link Timeline}. What fails shows the whole record. */
public final class TimelineAssert extends AbstractAssert<TimelineAssert, Timeline> {
  private TimelineAssert(Timeline actual) {
    super(actual, TimelineAssert.class);
  }

  /**
   * Starts asserting.
   *
   * @param timeline the record
   * @return the assertions
   */
  public static TimelineAssert assertThat(Timeline timeline) {
    return new TimelineAssert(timeline);
  }

  /**
   * The calls that change the host were exactly these, in this order.
   *
   * @param steps step words
   * @return this
   */
  public TimelineAssert hasSteps(String... steps) {
    return check(
        steps().equals(List.of(steps)), "the steps %s but they were %s", List.of(steps), steps());
  }

  /**
   * These calls are among those that change the host, in this order; others may be between them.
   *
   * @param steps step words
   * @return this
   */
  public TimelineAssert inOrder(String... steps) {
    Deque<String> left = new ArrayDeque<>(List.of(steps));
    steps().stream().filter(step -> step.equals(left.peek())).forEach(found -> left.remove());
    return check(left.isEmpty(), "%s in this order, but of the steps %s", List.of(steps), steps());
  }

  /**
   * A step was entered so many times.
   *
   * @param step the step word
   * @param times how many
   * @return this
   */
  public TimelineAssert hasCount(String step, int times) {
    return check(
        actual.count(step) == times,
        "%s",
        "%s entered %d times, not %d".formatted(step, times, actual.count(step)),
        "");
  }

  /**
   * The guest was resumed, successfully, once.
   *
   * @param guest the guest's id
   * @return this
   */
  public TimelineAssert resumedOnce(UUID guest) {
    int times = resumes(guest).size();
    return check(times == 1, "one resume of guest %s, not %s", guest, times);
  }

  /**
   * The guest was never resumed, and no resume was tried.
   *
   * @param guest the guest's id
   * @return this
   */
  public TimelineAssert neverResumed(UUID guest) {
    boolean none = actual.of(guest).stream().noneMatch(entry -> entry.step().equals("resume"));
    return check(none, "no resume of guest %s%s", guest, "");
  }

  /**
   * No resume of any guest was entered before a time.
   *
   * @param sinceStart the time
   * @return this
   */
  public TimelineAssert neverResumedBefore(Duration sinceStart) {
    boolean none =
        actual.entries().stream()
            .filter(entry -> entry.step().equals("resume"))
            .noneMatch(entry -> entry.at().compareTo(sinceStart) < 0);
    return check(none, "no resume before %s%s", sinceStart, "");
  }

  /**
   * A step was entered at this time, at least once.
   *
   * @param step the step word
   * @param sinceStart the time
   * @return this
   */
  public TimelineAssert hasStepAt(String step, Duration sinceStart) {
    boolean found =
        actual.counted().stream()
            .anyMatch(entry -> entry.step().equals(step) && entry.at().equals(sinceStart));
    return check(found, "%s entered at %s", step, sinceStart);
  }

  /**
   * Nobody has misused the host.
   *
   * @return this
   */
  public TimelineAssert hasNoViolations() {
    List<String> violations = actual.violations();
    return check(violations.isEmpty(), "no misuse of the host, but: %s%s", violations, "");
  }

  private List<String> steps() {
    return actual.counted().stream().map(Entry::step).toList();
  }

  private List<Entry> resumes(UUID guest) {
    return actual.of(guest).stream()
        .filter(entry -> entry.step().equals("resume") && entry.phase() == Phase.EXIT)
        .filter(entry -> entry.note().startsWith("RESUMED"))
        .toList();
  }

  private TimelineAssert check(boolean holds, String expected, Object first, Object second) {
    if (!holds) {
      failWithMessage(
          "%s", "expected " + expected.formatted(first, second) + "\nin the timeline\n" + actual);
    }
    return this;
  }
}
