package io.vifplug.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.event.EventName;
import io.vifplug.event.EventStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.ShrinkingDistance;

/**
 * Whatever happens on a host and in whatever order, the promises are kept: random operations,
 * events, faults, slow calls, cancels, closes, guest news, gates, evidence and policies, against
 * the real engine on virtual time.
 *
 * <p>A failure prints the shrunk case with its timeline and outcomes. Its first line is {@code case
 * TOKEN}; the token alone gives the case again, for as long as {@link CaseDraw} is not changed:
 *
 * <pre>{@code
 * mvn test -pl vifplug-core,vifplug-testkit -Dtest=InterleavingsProperty#theCaseOfATokenIsRunAgain \
 *     -Dvifplug.case=TOKEN -Dsurefire.failIfNoSpecifiedTests=false
 * }</pre>
 *
 * <p>jqwik prints the seed of the whole run too; {@code @Property(seed = "...")} repeats it.
 */
class InterleavingsProperty {
  @Property(tries = 20_000, seed = "42", edgeCases = EdgeCasesMode.NONE)
  void everyPromiseIsKeptWhateverHappens(@ForAll("cases") Case given) {
    CaseRun run = CaseRun.of(given);
    assertThat(run.problems()).as(run::report).isEmpty();
  }

  @Property(tries = 1_000, seed = "42", edgeCases = EdgeCasesMode.NONE)
  void eventsThatConcernNobodyChangeNothing(@ForAll("cases") Case given) {
    CaseRun quiet = CaseRun.of(given);
    CaseRun noisy = CaseRun.of(given.with(noise(given)));
    assertThat(noisy.essence()).as(noisy::report).isEqualTo(quiet.essence());
  }

  @Example
  void theCaseOfATokenIsRunAgain() {
    CaseRun run = CaseRun.of(Case.parse(System.getProperty("vifplug.case", "4711:0,3")));
    assertThat(run.problems()).as(run::report).isEmpty();
  }

  /** Foreign ports and guests, changed networks, and what is only in progress. */
  private static List<Happening> noise(Case given) {
    Random random = new Random(~given.seed());
    List<Happening> noise = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      int guest = random.nextInt(given.guests().size());
      long at = random.nextInt(i < 5 ? 300 : 12_000);
      boolean unheardOf = random.nextBoolean();
      noise.add(
          switch (random.nextInt(4)) {
            case 0 ->
                new Happening.Event(
                    at,
                    CaseDraw.guestId(unheardOf ? 98 : guest),
                    CaseDraw.portId(98, i),
                    EventName.VIF_PLUGGED,
                    random.nextBoolean() ? EventStatus.COMPLETED : EventStatus.FAILED);
            case 1 ->
                new Happening.Event(
                    at,
                    CaseDraw.guestId(guest),
                    CaseDraw.portId(98, i),
                    unheardOf ? EventName.VIF_UNPLUGGED : EventName.VIF_DELETED,
                    EventStatus.COMPLETED);
            case 2 ->
                new Happening.Event(
                    at,
                    CaseDraw.guestId(guest),
                    unheardOf ? null : CaseDraw.portId(guest, 0),
                    EventName.NETWORK_CHANGED,
                    EventStatus.COMPLETED);
            default ->
                new Happening.Event(
                    at,
                    CaseDraw.guestId(guest),
                    CaseDraw.portId(guest, 0),
                    EventName.VIF_PLUGGED,
                    EventStatus.IN_PROGRESS);
          });
    }
    return noise;
  }

  @Provide
  Arbitrary<Case> cases() {
    RandomGenerator<Case> generator =
        (Random random) -> new Shrink(Case.of(random.nextLong() >>> 20));
    return Arbitraries.fromGenerator(generator);
  }

  /** Makes a case smaller by leaving things out. */
  private record Shrink(Case value) implements Shrinkable<Case> {
    @Override
    public Stream<Shrinkable<Case>> shrink() {
      return value.smaller().stream().map(Shrink::new);
    }

    @Override
    public ShrinkingDistance distance() {
      return ShrinkingDistance.of(value.happenings().size());
    }
  }
}
