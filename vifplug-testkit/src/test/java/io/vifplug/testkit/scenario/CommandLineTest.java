package io.vifplug.testkit.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vifplug.event.ExternalEvents;
import io.vifplug.event.NetworkEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandLineTest {
  private static final UUID GUEST = UUID.fromString("11111111-0000-4000-8000-000000000001");
  private static final UUID PORT = UUID.fromString("22222222-0000-4000-8000-000000000001");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir Path folder;

  private int run(Object... args) {
    String[] texts = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      texts[i] = args[i].toString();
    }
    return CommandLine.run(
        texts, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  private List<String> lines() {
    return out.toString(UTF_8).lines().toList();
  }

  private Path scenario(String file, String name, String expectedOutcome) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(
        path,
        ("{'scenario':1,'name':'%s','guest':{'uuid':'%s','networkInfo':[{'id':'%s','type':'ovs','active':false,"
                + "'details':{'bound_drivers':{'0':'openvswitch'}}}]},'do':[{'at':'PT0S','operation':'SPAWN'}],"
                + "'events':[{'at':'PT1S','event':'network-vif-plugged'}],'expect':{'operations':[{'outcome':'%s'}]}}")
            .formatted(name, GUEST, PORT, expectedOutcome)
            .replace('\'', '"'));
  }

  @Test
  void everyScenarioIsOneLineAndTheCountsAreTheLast() throws IOException {
    scenario("b/two.json", "second", "READY");
    scenario("a.json", "first", "READY");
    Files.writeString(folder.resolve("notes.txt"), "nothing else is read");
    assertThat(run("run", folder)).isZero();
    assertThat(lines()).containsExactly("PASS first", "PASS second", "2 passed, 0 failed");
  }

  @Test
  void aFailureSaysWhatDiffersAndTheStatusIsOne() throws IOException {
    Path bad = scenario("bad.json", "bad one", "FAILED");
    Path good = scenario("good.json", "good one", "READY");
    assertThat(run("run", bad, good)).isEqualTo(1);
    assertThat(lines())
        .containsExactly(
            "FAIL bad one: $.operations[0].outcome: expected \"FAILED\", found \"READY\"",
            "PASS good one",
            "1 passed, 1 failed");
  }

  @Test
  void withJsonEveryResultIsOneLine() throws IOException {
    Path bad = scenario("bad.json", "bad one", "FAILED");
    assertThat(run("run", "--json", bad)).isEqualTo(1);
    assertThat(lines()).hasSize(2).last().isEqualTo("0 passed, 1 failed");
    assertThat(Json.plainOrNull(lines().get(0)))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
        .containsEntry("name", "bad one")
        .containsEntry("matched", false)
        .containsKeys(
            "mismatches",
            "operations",
            "timeline",
            "answers",
            "guests",
            "counts",
            "leaks",
            "health",
            "invariants");
  }

  @Test
  void anInvalidFileIsToldAndNothingIsRun() throws IOException {
    scenario("good.json", "good one", "READY");
    Files.writeString(folder.resolve("x.json"), "{\"scenario\":1,\"nam\":\"n\"}");
    Files.writeString(folder.resolve("y.json"), "not json");
    assertThat(run("run", folder)).isEqualTo(2);
    assertThat(lines()).isEmpty();
    assertThat(err.toString(UTF_8))
        .contains("x.json: /nam: unknown key; expected one of")
        .contains("y.json: (document): expected plain JSON");
  }

  @Test
  void wrongUseIsStatusTwo() throws IOException {
    assertThat(run()).isEqualTo(2);
    assertThat(run("run")).isEqualTo(2);
    assertThat(run("run", "--what", "x")).isEqualTo(2);
    assertThat(run("nonsense")).isEqualTo(2);
    assertThat(run("run", folder.resolve("missing.json"))).isEqualTo(2);
    assertThat(run("run", folder)).isEqualTo(2);
    assertThat(run("explain", folder.resolve("missing.json"))).isEqualTo(2);
    assertThat(run("receive")).isEqualTo(2);
    assertThat(run("receive", "--port", "70000")).isEqualTo(2);
    assertThat(run("receive", "--port", "0", "--known", "me")).isEqualTo(2);
    assertThat(run("receive", "--port", "0", "--token-file", folder.resolve("none"))).isEqualTo(2);
    assertThat(run("receive", "--port", "0", "--bind", "192.0.2.1")).isEqualTo(2);
    assertThat(lines()).isEmpty();
    assertThat(run("--help")).isZero();
    assertThat(run("run", "--help")).isZero();
  }

  @Test
  void explainShowsThePlanAndRunsNothing() throws IOException {
    Path file = scenario("s.json", "n", "READY");
    assertThat(run("explain", file)).isZero();
    assertThat(out.toString(UTF_8)).contains("createPaused", "AWAIT_PLUG_TIME", PORT.toString());
  }

  @Test
  void explainAsJsonHasStepsPortsAndRejection() throws IOException {
    Path file = scenario("s.json", "n", "READY");
    assertThat(run("explain", "--json", file)).isZero();
    assertThat(
            ExpectMatcher.mismatches(
                Map.of(
                    "steps",
                    Map.of("inOrder", List.of("plug " + PORT, "createPaused", "wait", "resume")),
                    "ports",
                    Map.of(PORT.toString(), Map.of("expectation", "AWAIT_PLUG_TIME"))),
                Json.plainOrNull(lines().get(lines().size() - 1))))
        .isEmpty();
    assertThat(lines()).hasSize(1).first().asString().contains("\"rejected\":null");
  }

  @Test
  void explainSaysWhyAnOperationIsRejected() throws IOException {
    Path file = folder.resolve("r.json");
    Files.writeString(
        file,
        "{'scenario':1,'name':'n','guest':{'uuid':'%s','networkInfo':[{'id':'%s','type':'binding_failed'}]},'do':[{'at':'PT0S','operation':'SPAWN'}]}"
            .formatted(GUEST, PORT)
            .replace('\'', '"'));
    assertThat(run("explain", "--json", file)).isZero();
    assertThat(lines().get(0)).contains("\"rejected\":{\"reason\":\"PORT_BINDING\"");
  }

  @Test
  void explainNeedsAnOperation() throws IOException {
    Path file = folder.resolve("e.json");
    Files.writeString(
        file,
        "{'scenario':1,'name':'n','guest':{'uuid':'%s'}}".formatted(GUEST).replace('\'', '"'));
    assertThat(run("explain", file)).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("e.json: /do: expected an operation");
  }

  @Test
  void receivePrintsEveryCallAndItsAnswerUntilInterrupted() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "secret\n");
    AtomicInteger status = new AtomicInteger(-1);
    Thread receiver =
        new Thread(
            () ->
                status.set(
                    run(
                        "receive",
                        "--port",
                        "0",
                        "--known",
                        GUEST,
                        "--token-file",
                        token,
                        "--json")));
    receiver.start();
    Pattern listening = Pattern.compile("http://127.0.0.1:(\\d+)/");
    await().until(() -> listening.matcher(err.toString(UTF_8)).find());
    Matcher place = listening.matcher(err.toString(UTF_8));
    assertThat(place.find()).isTrue();
    URI target =
        URI.create("http://127.0.0.1:" + place.group(1) + "/v2.1/os-server-external-events");
    String body =
        ExternalEvents.body(
            List.of(NetworkEvent.plugged(GUEST, PORT), NetworkEvent.plugged(PORT, PORT)));
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest.Builder post = HttpRequest.newBuilder(target).POST(BodyPublishers.ofString(body));
    assertThat(
            client
                .send(post.copy().header("X-Auth-Token", "secret").build(), BodyHandlers.ofString())
                .statusCode())
        .isEqualTo(207);
    assertThat(client.send(post.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(401);
    await().until(() -> lines().size() == 2);
    receiver.interrupt();
    receiver.join(10_000);
    assertThat(status).hasValue(0);
    assertThat(
            ExpectMatcher.mismatches(
                Json.plainOrNull(
                    "{\"method\":\"POST\",\"path\":\"/v2.1/os-server-external-events\",\"code\":207,"
                        + "\"body\":{\"events\":[{},{}]},\"answer\":{\"events\":[{\"code\":200},{\"code\":404}]}}"),
                Json.plainOrNull(lines().get(0))))
        .isEmpty();
    assertThat(lines().get(1)).contains("\"code\":401");
    assertThat(out.toString(UTF_8)).doesNotContain("secret");
  }

  @Test
  void theDemoShowsEarlyGuestsWithoutWaitingAndNoneWithVifplug() {
    assertThat(run("demo", "--json")).isZero();
    assertThat(
            ExpectMatcher.mismatches(
                Json.plainOrNull(
                    "{\"noWait\":{\"guests\":200,\"early\":{\"atLeast\":101},\"failed\":0,\"degraded\":0,\"makespan\":{\"atLeast\":\"PT0S\"}},"
                        + "\"vifPlug\":{\"guests\":200,\"early\":0,\"failed\":0,\"degraded\":0,\"makespan\":{\"atMost\":\"PT1M\"}},"
                        + "\"replay\":{\"posts\":{\"atLeast\":1},\"events\":{\"atLeast\":1}}}"),
                Json.plainOrNull(lines().get(lines().size() - 1))))
        .isEmpty();
  }

  @Test
  void theDemoIsATableForPeople() {
    assertThat(run("demo")).isZero();
    assertThat(out.toString(UTF_8))
        .contains("no wait", "vifplug", "makespan", "maxInFlight", "posts");
  }
}
