package io.vifplug.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.ShrinkingDistance;

class InterleavingsProperty {
  @Property(tries = 20_000, edgeCases = EdgeCasesMode.NONE)
  void everyPromiseIsKeptWhateverHappens(@ForAll("cases") Case given) {
    CaseRun run = CaseRun.of(given);
    assertThat(run.problems()).as(run.report()).isEmpty();
  }

  @Provide
  Arbitrary<Case> cases() {
    RandomGenerator<Case> generator =
        (Random random) -> new Shrink(Case.of(random.nextLong() >>> 20));
    return Arbitraries.fromGenerator(generator);
  }

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
