package io.vifplug.testkit.scenario;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs scenario files. All are read first: with one that is invalid, nothing is run. */
@Command(
    name = "run",
    description = "Runs scenarios and says of each whether it came out as expected.")
final class RunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "print each scenario's whole result on one line")
  private boolean json;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|FOLDER",
      description = "scenario files; of a folder every *.json below it")
  private List<Path> paths = new ArrayList<>();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<Scenario> scenarios = read();
    if (scenarios.isEmpty()) {
      return CommandLine.WRONG_USE;
    }
    int passed = 0;
    for (Scenario scenario : scenarios) {
      ScenarioResult result = ScenarioRunner.run(scenario);
      passed += result.matched() ? 1 : 0;
      out.println(json ? result.toJson() : line(result));
    }
    int failed = scenarios.size() - passed;
    out.println(passed + " passed, " + failed + " failed");
    return failed == 0 ? CommandLine.GOOD : CommandLine.FAILED;
  }

  /** The scenarios; empty, with everything wrong told, if any of them cannot be run. */
  private List<Scenario> read() {
    PrintWriter err = spec.commandLine().getErr();
    List<Scenario> scenarios = new ArrayList<>();
    boolean complete = true;
    for (Path path : paths) {
      try {
        for (Path file : files(path)) {
          try {
            scenarios.add(Scenario.read(file));
          } catch (InvalidScenarioException invalid) {
            err.println(invalid.getMessage());
            complete = false;
          }
        }
      } catch (IOException unreadable) {
        err.println(path + ": expected a folder that can be read: " + unreadable);
        complete = false;
      }
    }
    if (complete && scenarios.isEmpty()) {
      err.println(paths + ": expected at least one scenario file (*.json), found none");
    }
    return complete ? scenarios : List.of();
  }

  private static List<Path> files(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> below = Files.walk(path)) {
      return below
          .filter(file -> file.toString().endsWith(".json") && Files.isRegularFile(file))
          .sorted()
          .toList();
    }
  }

  private static String line(ScenarioResult result) {
    String name = oneLine(result.name());
    return result.matched()
        ? "PASS " + name
        : "FAIL " + name + ": " + oneLine(String.join("; ", result.mismatches()));
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\R", " ");
  }
}
