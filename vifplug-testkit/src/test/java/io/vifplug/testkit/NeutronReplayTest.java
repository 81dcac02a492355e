package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.ExternalEventsReceiver;
import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.Registration;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a real Neutron sent, sent again over a real socket. */
@Timeout(120)
class NeutronReplayTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Set<UUID> known = ConcurrentHashMap.newKeySet();
  private final List<List<NetworkEvent>> delivered = new CopyOnWriteArrayList<>();

  private List<Disposition> deliver(List<NetworkEvent> events, Disposition otherwise) {
    delivered.add(events);
    return events.stream()
        .map(event -> known.contains(event.guest()) ? Disposition.ACCEPTED : otherwise)
        .toList();
  }

  private HttpResponse<String> post(int port, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + NeutronRecording.PATH))
            .headers(
                "Content-Type", "application/json",
                "Accept", "application/json",
                "User-Agent", "python-novaclient",
                "X-Auth-Token", "notused",
                "X-OpenStack-Nova-API-Version", "2.1")
            .timeout(Duration.ofSeconds(10))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  /** The same events in the same order with the same fields, each with this code. */
  private static int assertAnswered(String sent, HttpResponse<String> response, int code)
      throws Exception {
    assertThat(response.statusCode()).isEqualTo(code == 200 ? 200 : 207);
    JsonNode asked = MAPPER.readTree(sent).get("events");
    JsonNode answered = MAPPER.readTree(response.body()).get("events");
    assertThat(answered.size()).isEqualTo(asked.size());
    for (int i = 0; i < asked.size(); i++) {
      assertThat(answered.get(i).properties())
          .extracting(Map.Entry::getKey)
          .containsExactlyInAnyOrder("name", "server_uuid", "tag", "status", "code");
      for (String field : List.of("name", "server_uuid", "tag")) {
        assertThat(answered.get(i).get(field)).isEqualTo(asked.get(i).get(field));
      }
      assertThat(answered.get(i).get("code").intValue()).isEqualTo(code);
      assertThat(answered.get(i).get("status").textValue())
          .isEqualTo(code == 200 ? "completed" : "failed");
    }
    return asked.size();
  }

  @Test
  void everyRecordedConversationIsAcceptedWholeAndInOrder() throws Exception {
    int bodies = 0;
    int events = 0;
    List<NeutronRecording> recordings = NeutronRecording.all();
    List<List<NetworkEvent>> sent = new ArrayList<>();
    ExternalEventsReceiver receiver = ExternalEventsReceiver.onPort(0);
    try (Registration registration = receiver.start(batch -> deliver(batch, Disposition.UNKNOWN))) {
      assertThat(registration).isNotNull();
      for (NeutronRecording recording : recordings) {
        known.clear();
        known.addAll(recording.guests());
        for (NeutronRecording.Request request : recording.requests()) {
          HttpResponse<String> response = post(receiver.port(), request.body());
          events += assertAnswered(request.body(), response, 200);
          bodies++;
          sent.add(request.events());
        }
      }
    }

    System.out.printf(
        "replayed %d recordings: %d bodies, %d events%n", recordings.size(), bodies, events);
    assertThat(recordings).hasSize(87);
    assertThat(bodies).isEqualTo(548);
    assertThat(events).isEqualTo(660);
    assertThat(delivered).isEqualTo(sent);
    assertThat(receiver.health().calls()).isEqualTo(548);
  }

  @Test
  void guestsThatNobodyKnowsAre404InEveryConversation() throws Exception {
    assertThat(replayToStrangers(Disposition.UNKNOWN, 404)).isEqualTo(660);
  }

  @Test
  void guestsOfOtherHostsAre422InEveryConversation() throws Exception {
    assertThat(replayToStrangers(Disposition.ELSEWHERE, 422)).isEqualTo(660);
  }

  private int replayToStrangers(Disposition disposition, int code) throws Exception {
    int events = 0;
    ExternalEventsReceiver receiver = ExternalEventsReceiver.onPort(0);
    try (Registration registration = receiver.start(batch -> deliver(batch, disposition))) {
      assertThat(registration).isNotNull();
      for (NeutronRecording recording : NeutronRecording.all()) {
        for (NeutronRecording.Request request : recording.requests()) {
          HttpResponse<String> response = post(receiver.port(), request.body());
          events += assertAnswered(request.body(), response, code);
        }
      }
    }
    return events;
  }
}
