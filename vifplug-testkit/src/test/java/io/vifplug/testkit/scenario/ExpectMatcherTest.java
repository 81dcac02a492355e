package io.vifplug.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectMatcherTest {
  private static List<String> mismatches(String expected, String actual) {
    return ExpectMatcher.mismatches(Json.plainOrNull(expected), Json.plainOrNull(actual));
  }

  @Test
  void anObjectMatchesWhenEveryExpectedKeyMatches() {
    assertThat(mismatches("{'a':1}".replace('\'', '"'), "{\"a\":1,\"b\":2}")).isEmpty();
    assertThat(mismatches("{}", "{\"b\":2}")).isEmpty();
  }

  @Test
  void aKeyThatTheResultDoesNotHaveIsAMismatchThatNamesThoseItHas() {
    assertThat(mismatches("{\"a\":null}", "{\"b\":2}"))
        .containsExactly("$.a: expected null, found no such key among [b]");
  }

  @Test
  void nullMeansNull() {
    assertThat(mismatches("{\"a\":null}", "{\"a\":null}")).isEmpty();
    assertThat(mismatches("{\"a\":null}", "{\"a\":0}"))
        .containsExactly("$.a: expected null, found 0");
    assertThat(mismatches("{\"a\":0}", "{\"a\":null}"))
        .containsExactly("$.a: expected 0, found null");
  }

  @Test
  void numbersAreEqualByValue() {
    assertThat(mismatches("1.0", "1")).isEmpty();
    assertThat(mismatches("100", "1e2")).isEmpty();
    assertThat(mismatches("1", "2")).containsExactly("$: expected 1, found 2");
    assertThat(mismatches("1", "\"1\"")).containsExactly("$: expected 1, found \"1\"");
  }

  @Test
  void durationsAreEqualByValue() {
    assertThat(mismatches("\"PT60S\"", "\"PT1M\"")).isEmpty();
    assertThat(mismatches("\"PT1.50S\"", "\"PT1.5S\"")).isEmpty();
    assertThat(mismatches("\"PT61S\"", "\"PT1M\""))
        .containsExactly("$: expected \"PT61S\", found \"PT1M\"");
  }

  @Test
  void aWordThatOnlyLooksLikeADurationIsAWord() {
    assertThat(mismatches("\"PLUG_TIMEOUT\"", "\"PLUG_TIMEOUT\"")).isEmpty();
    assertThat(mismatches("\"PULL\"", "\"PT1M\"")).hasSize(1);
  }

  @Test
  void boundsAreInclusiveForNumbersAndDurations() {
    assertThat(mismatches("{\"atLeast\":1,\"atMost\":3}", "3")).isEmpty();
    assertThat(mismatches("{\"atLeast\":1}", "1")).isEmpty();
    assertThat(mismatches("{\"atLeast\":2}", "1"))
        .containsExactly("$: expected at least 2, found 1");
    assertThat(mismatches("{\"atMost\":2}", "3")).containsExactly("$: expected at most 2, found 3");
    assertThat(mismatches("{\"atLeast\":\"PT1M\",\"atMost\":\"PT2M\"}", "\"PT60S\"")).isEmpty();
    assertThat(mismatches("{\"atMost\":\"PT59S\"}", "\"PT1M\""))
        .containsExactly("$: expected at most \"PT59S\", found \"PT1M\"");
  }

  @Test
  void boundsDoNotMatchNullOrAnotherKindOfValue() {
    assertThat(mismatches("{\"atLeast\":0}", "null"))
        .containsExactly("$: expected at least 0, found null");
    assertThat(mismatches("{\"atLeast\":0}", "\"PT1S\"")).hasSize(1);
    assertThat(mismatches("{\"atLeast\":\"PT0S\"}", "5")).hasSize(1);
  }

  @Test
  void stringsMatchWholeOrByWhatTheyContain() {
    assertThat(mismatches("\"abc\"", "\"abc\"")).isEmpty();
    assertThat(mismatches("\"ab\"", "\"abc\"")).hasSize(1);
    assertThat(mismatches("{\"contains\":\"b\"}", "\"abc\"")).isEmpty();
    assertThat(mismatches("{\"contains\":\"d\"}", "\"abc\""))
        .containsExactly("$: expected a string that contains \"d\", found \"abc\"");
    assertThat(mismatches("{\"contains\":\"d\"}", "null")).hasSize(1);
    assertThat(mismatches("{\"contains\":\"d\"}", "[\"d\"]")).hasSize(1);
  }

  @Test
  void booleansMatchBooleansOnly() {
    assertThat(mismatches("true", "true")).isEmpty();
    assertThat(mismatches("true", "false")).hasSize(1);
    assertThat(mismatches("true", "\"true\"")).hasSize(1);
  }

  @Test
  void arraysMatchInOrderAndWholeWithElementsAsParts() {
    assertThat(mismatches("[{\"a\":1},2]", "[{\"a\":1,\"b\":2},2]")).isEmpty();
    assertThat(mismatches("[1,2]", "[2,1]"))
        .containsExactly("$[0]: expected 1, found 2", "$[1]: expected 2, found 1");
    assertThat(mismatches("[1]", "[1,2]"))
        .containsExactly("$: expected 1 element, found 2 elements: [1,2]");
    assertThat(mismatches("[]", "[1]")).hasSize(1);
    assertThat(mismatches("[]", "null")).containsExactly("$: expected [], found null");
  }

  @Test
  void inOrderMatchesASubsequence() {
    assertThat(mismatches("{\"inOrder\":[1,{\"a\":2}]}", "[0,1,5,{\"a\":2,\"b\":3},9]")).isEmpty();
    assertThat(mismatches("{\"inOrder\":[]}", "[0]")).isEmpty();
    assertThat(mismatches("{\"inOrder\":[1,1]}", "[1]")).hasSize(1);
    assertThat(mismatches("{\"inOrder\":[2,1]}", "[1,2]"))
        .singleElement()
        .asString()
        .contains("expected in this order [2,1]", "matches its element 1 1");
    assertThat(mismatches("{\"inOrder\":[1]}", "{\"a\":1}")).hasSize(1);
  }

  @Test
  void mismatchesCarryTheWholePathAndAllAreTold() {
    assertThat(
            mismatches(
                "{\"operations\":[{\"outcome\":\"READY\",\"ports\":{\"0-1\":{\"state\":\"X\"}}}]}",
                "{\"operations\":[{\"outcome\":\"FAILED\",\"ports\":{\"0-1\":{\"state\":\"Y\"}}}]}"))
        .containsExactly(
            "$.operations[0].outcome: expected \"READY\", found \"FAILED\"",
            "$.operations[0].ports['0-1'].state: expected \"X\", found \"Y\"");
  }

  @Test
  void anObjectDoesNotMatchAScalar() {
    assertThat(mismatches("{\"a\":1}", "1")).containsExactly("$: expected {\"a\":1}, found 1");
    assertThat(mismatches("1", "{\"a\":1}")).hasSize(1);
    assertThat(mismatches("{}", "1")).hasSize(1);
  }
}
