package io.vifplug.testkit.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vifplug.Guest;
import io.vifplug.Outcome;
import io.vifplug.event.ExternalEvents;
import io.vifplug.event.NetworkEvent;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.testkit.FakeHypervisor;
import io.vifplug.testkit.FakePlugger;
import io.vifplug.testkit.HostScript;
import io.vifplug.testkit.Timeline;
import io.vifplug.testkit.scenario.Scenario;
import io.vifplug.testkit.scenario.ScenarioResult;
import io.vifplug.testkit.scenario.ScenarioRunner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The README shows code that compiles and does what it says. */
class ReadmeExamplesTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
  private static final Path SOURCES =
      MODULE.resolve("src/test/java").resolve("io/vifplug/testkit/readme");
  private static final int PORT = 8774;

  @ParameterizedTest
  @CsvSource({"embedding, EmbeddingExample.java, 0", "test, AgentExampleTest.java, 1"})
  void theReadmeShowsTheSourceThatIsCompiled(String name, String file, int block)
      throws IOException {
    assertThat(blocks("java").get(block)).isEqualTo(region(SOURCES.resolve(file), name));
  }

  @Test
  void theReadmeShowsNoOtherJava() throws IOException {
    assertThat(blocks("java")).hasSize(2);
  }

  @Test
  void theScenarioOfTheReadmePasses() throws IOException {
    ScenarioResult result = ScenarioRunner.run(Scenario.parse(blocks("json").get(0)));
    assertThat(result.mismatches()).isEmpty();
  }

  /** What runs here is the first block; the second one is a test and runs by itself. */
  @Test
  void theEmbeddingExampleStartsAGuestOnceItsPortIsAnnounced() throws Exception {
    FakeHypervisor hypervisor = new FakeHypervisor(new HostScript(Timeline.untimed()));
    FakePlugger plugger = new FakePlugger(new HostScript(Timeline.untimed()));
    CompletableFuture<HttpResponse<String>> answer = new CompletableFuture<>();
    var unused =
        plugger.onWiring(
            new FakePlugger.WiringListener() {
              @Override
              public void plugged(UUID guest, Vif vif) {
                answer.complete(send(NetworkEvent.plugged(guest, vif.port())).join());
              }

              @Override
              public void unplugged(UUID guest, Vif vif) {}
            });
    Guest guest = Guest.of(UUID.randomUUID());
    String networkInfo =
        """
        [{"id": "%s", "type": "ovs", "vnic_type": "normal", "active": false,
          "details": {"bound_drivers": {"0": "openvswitch"}}}]
        """
            .formatted(UUID.randomUUID());
    await("port " + PORT + " is free").ignoreExceptions().until(ReadmeExamplesTest::isPortFree);
    try (EmbeddingExample agent = new EmbeddingExample(hypervisor, plugger)) {
      Outcome outcome = agent.start(guest, networkInfo);
      assertThat(outcome.isReady()).as(outcome.message()).isTrue();
      assertThat(hypervisor.state(guest.id())).isEqualTo(State.RUNNING);
      assertThat(answer.get().statusCode()).isEqualTo(200);
    }
  }

  private static boolean isPortFree() throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT));
      return true;
    }
  }

  private static CompletableFuture<HttpResponse<String>> send(NetworkEvent event) {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + PORT + "/v2.1/os-server-external-events"))
            .timeout(Duration.ofSeconds(10))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(ExternalEvents.body(List.of(event))))
            .build();
    return HttpClient.newHttpClient().sendAsync(request, BodyHandlers.ofString());
  }

  /** The fenced blocks of one language, in order. */
  private static List<String> blocks(String language) throws IOException {
    Matcher matcher =
        Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$")
            .matcher(Files.readString(MODULE.resolve("../README.md")));
    List<String> blocks = new ArrayList<>();
    while (matcher.find()) {
      blocks.add(matcher.group(1));
    }
    return blocks;
  }

  private static String region(Path source, String name) throws IOException {
    String text = Files.readString(source);
    String begin = "// README: " + name + "\n";
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf("// README: end", from);
    assertThat(from).as("'%s' in %s", begin.strip(), source).isGreaterThanOrEqualTo(begin.length());
    assertThat(to).as("the end of region '%s' in %s", name, source).isGreaterThan(from);
    return text.substring(from, to);
  }
}
