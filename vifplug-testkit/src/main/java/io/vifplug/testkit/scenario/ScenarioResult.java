package io.vifplug.testkit.scenario;

import java.util.List;
import java.util.Map;

/**
 * What came of a scenario.
 *
 * <p>Immutable.
 *
 * @param name the scenario's name
 * @param matched whether everything is as expected
 * @param mismatches one line per difference, with its path
 * @param values the whole result as maps, lists, strings, numbers, booleans and nulls, with the
 *     keys of the format
 */
public record ScenarioResult(
    String name, boolean matched, List<String> mismatches, Map<String, Object> values) {
  /** Copies the list. */
  public ScenarioResult {
    mismatches = List.copyOf(mismatches);
  }

  /**
   * The whole result as JSON on one line.
   *
   * @return the text
   */
  public String toJson() {
    return Json.write(values);
  }
}
