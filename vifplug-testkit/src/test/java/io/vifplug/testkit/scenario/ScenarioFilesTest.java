package io.vifplug.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every scenario file of the project, run as a user would run it. */
class ScenarioFilesTest {
  private static final Path FOLDER = Path.of("src/test/resources/scenarios");
  private static final Set<Reason> OF_REFUSALS =
      EnumSet.range(Reason.INVALID_REQUEST, Reason.VNIC_TYPE_CHANGED);

  private static List<Path> files() throws IOException {
    try (Stream<Path> walk = Files.walk(FOLDER)) {
      return walk.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  @TestFactory
  Stream<DynamicTest> endAsTheyExpect() throws IOException {
    return files().stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    FOLDER.relativize(file).toString(),
                    file.toUri(),
                    () -> {
                      Scenario scenario = ScenarioReader.read(file);
                      assertThat(scenario.expect()).as("what %s expects", file).isNotEmpty();
                      assertThat(ScenarioRunner.run(scenario).mismatches()).isEmpty();
                    }));
  }

  @Test
  void areManyAndHaveNamesOfTheirOwn() throws IOException {
    List<String> names = files().stream().map(file -> ScenarioReader.read(file).name()).toList();

    assertThat(names).hasSizeGreaterThanOrEqualTo(70).doesNotHaveDuplicates();
  }

  @Test
  void showEveryReasonOfARefusal() throws IOException {
    Set<Reason> shown = EnumSet.noneOf(Reason.class);
    for (Path file : files()) {
      reasons(ScenarioRunner.run(ScenarioReader.read(file)).values(), shown);
    }

    Set<Reason> missing = new TreeSet<>(OF_REFUSALS);
    missing.removeAll(shown);
    assertThat(missing).isEmpty();
  }

  private static void reasons(Map<String, Object> result, Set<Reason> shown) {
    if (!(result.get("operations") instanceof List<?> operations)) {
      throw new AssertionError("a result without operations: " + result);
    }
    for (Object each : operations) {
      if (each instanceof Map<?, ?> operation
          && "REJECTED".equals(operation.get("outcome"))
          && operation.get("reason") instanceof String reason) {
        shown.add(Reason.valueOf(reason));
      }
    }
  }
}
