package io.vifplug.testkit.scenario;

import io.vifplug.Plan;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a scenario's first operation would do. */
@Command(
    name = "explain",
    description = "Shows the plan of a scenario's first operation. Nothing is run.")
final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Parameters(paramLabel = "FILE", description = "a scenario file")
  private Path file = Path.of("");

  @Override
  public Integer call() {
    Scenario scenario = Scenario.read(file);
    if (scenario.actions().stream().noneMatch(Scenario.Ask.class::isInstance)) {
      throw new InvalidScenarioException(
          file.toString(), "/do", "expected an operation; there is nothing to explain");
    }
    Plan plan = ScenarioRunner.explain(scenario);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.write(values(plan)));
    } else {
      out.print(plan.toText());
    }
    return CommandLine.GOOD;
  }

  private static Map<String, @Nullable Object> values(Plan plan) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("operation", plan.operation().name());
    values.put("guest", plan.guest().toString());
    values.put("steps", plan.steps().stream().map(Plan.Step::toString).toList());
    Map<String, Object> ports = new LinkedHashMap<>();
    plan.ports().forEach((id, port) -> ports.put(id.toString(), port(port)));
    values.put("ports", ports);
    Plan.Rejection rejection = plan.rejection();
    if (rejection == null) {
      values.put("rejected", null);
    } else {
      Map<String, Object> rejected = new LinkedHashMap<>();
      rejected.put("reason", rejection.reason().name());
      rejected.put("message", rejection.message());
      values.put("rejected", rejected);
    }
    values.put("notes", plan.notes());
    return values;
  }

  private static Map<String, @Nullable Object> port(Plan.PortPlan port) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("expectation", port.expectation().name());
    values.put("why", port.why());
    values.put("driver", port.driver());
    values.put("evidence", port.rule().name());
    values.put("timeout", port.timeout().toString());
    values.put("onTimeout", port.onTimeout().name());
    values.put("handshake", port.handshake());
    return values;
  }
}
