package io.vifplug.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.ExternalEvents.UnknownNames;
import io.vifplug.event.ExternalEventsHandler.Call;
import io.vifplug.event.ExternalEventsHandler.Request;
import io.vifplug.event.ExternalEventsHandler.Response;
import io.vifplug.internal.Payloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalEventsHandlerTest {
  private static final String PATH = "/v2.1/os-server-external-events";
  private static final UUID GUEST = UUID.fromString("00000001-aaaa-4aaa-8aaa-000000000001");
  private static final UUID PORT = UUID.fromString("00000001-1111-4111-8111-000000000001");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final FakeSink sink = new FakeSink().place(GUEST, Disposition.ACCEPTED);
  private final ExternalEventsHandler handler = ExternalEventsHandler.builder(sink).build();

  private static Request post(String body) {
    return new Request("POST", PATH, Map.of(), body.getBytes(UTF_8));
  }

  private static Request get(String path) {
    return new Request("GET", path, Map.of("host", "nova:8774"), new byte[0]);
  }

  private static JsonNode json(String text) throws Exception {
    return MAPPER.readTree(text);
  }

  private static List<Integer> codes(Response response) throws Exception {
    List<Integer> codes = new ArrayList<>();
    json(response.body()).get("events").forEach(event -> codes.add(event.get("code").intValue()));
    return codes;
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // payload, status of the call, codes, what is delivered
        "event-all-unknown, 207, 404 404, network-vif-plugged network-vif-unplugged",
        "event-baremetal-owner, 207, 404, network-vif-plugged",
        "event-batch-one-server-without-host, 207, 200 422, network-vif-plugged network-vif-unplugged",
        "event-deleted, 200, 200, network-vif-deleted",
        "event-duplicate-in-one-body, 200, 200 200, network-vif-plugged network-vif-plugged",
        "event-empty-list, 400, -, -",
        "event-extra-property, 400, -, -",
        "event-mislabelled-on-unplug, 200, 200, network-vif-plugged",
        "event-network-changed-only, 200, 200, network-changed",
        "event-non-uuid-server, 400, -, -",
        "event-plugged-failed, 200, 200, network-vif-plugged",
        "event-plugged-in-progress, 200, 200, network-vif-plugged",
        "event-plugged-no-status, 200, 200, network-vif-plugged",
        "event-plugged-no-tag, 200, 200, network-vif-plugged",
        "event-plugged-wrong-server, 207, 404, network-vif-plugged",
        "event-plugged, 200, 200, network-vif-plugged",
        "event-unknown-name, 207, 400 200, network-vif-plugged",
        "event-unplugged, 200, 200, network-vif-unplugged"
      })
  void everySampleBodyIsAnsweredAsNovaDoes(
      String payload, int status, String codes, String delivered) throws Exception {
    sink.place(UUID.fromString("00000009-aaaa-4aaa-8aaa-000000000009"), Disposition.ELSEWHERE);

    Response response = handler.handle(post(Payloads.text(payload)));

    assertThat(response.status()).isEqualTo(status);
    if (codes == null) {
      assertThat(json(response.body()).at("/badRequest/code").intValue()).isEqualTo(400);
      assertThat(json(response.body()).at("/badRequest/message").textValue()).contains("/events");
      assertThat(sink.deliveries).isEmpty();
      return;
    }
    assertThat(codes(response)).map(String::valueOf).containsExactly(codes.split(" "));
    assertEchoed(json(Payloads.text(payload)), json(response.body()));
    assertThat(sink.deliveries).hasSize(1);
    assertThat(sink.deliveries.get(0))
        .extracting(event -> event.name().wire())
        .containsExactly(delivered.split(" "));
  }

  /** The same events in the same order, with code and status and nothing else added. */
  private static void assertEchoed(JsonNode request, JsonNode answer) {
    assertThat(answer.get("events").size()).isEqualTo(request.get("events").size());
    for (int i = 0; i < request.get("events").size(); i++) {
      JsonNode sent = request.get("events").get(i);
      JsonNode echoed = answer.get("events").get(i);
      for (String field : List.of("name", "server_uuid", "tag")) {
        assertThat(echoed.path(field)).isEqualTo(sent.path(field));
      }
      assertThat(echoed.get("status").textValue())
          .isEqualTo(echoed.get("code").intValue() == 200 ? "completed" : "failed");
      assertThat(echoed.size()).isEqualTo(sent.has("tag") ? 5 : 4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"event-all-unknown", "event-batch-one-server-without-host"})
  void theRecordedAnswersAreMet(String payload) throws Exception {
    sink.place(UUID.fromString("00000009-aaaa-4aaa-8aaa-000000000009"), Disposition.ELSEWHERE);
    JsonNode expected = json(Payloads.text(payload + ".response"));

    Response response = handler.handle(post(Payloads.text(payload)));

    assertThat(response.status()).isEqualTo(expected.get("http_status").intValue());
    assertThat(json(response.body())).isEqualTo(expected.get("body"));
  }

  @Test
  void aBurstIsDeliveredInOneCallInItsOrder() throws Exception {
    FakeSink accepting = FakeSink.thatAccepts();

    Response response =
        ExternalEventsHandler.builder(accepting)
            .build()
            .handle(post(Payloads.text("event-burst-200")));

    assertThat(response.status()).isEqualTo(200);
    assertThat(codes(response)).hasSize(200).containsOnly(200);
    assertThat(accepting.deliveries).hasSize(1);
    assertThat(accepting.deliveries.get(0))
        .extracting(event -> Integer.parseInt(event.guest().toString().substring(0, 8)))
        .hasSize(200)
        .isSorted();
  }

  @Test
  void aStrictHandlerRefusesTheCallForAnUnknownName() throws Exception {
    ExternalEventsHandler strict =
        ExternalEventsHandler.builder(sink).unknownNames(UnknownNames.STRICT).build();

    Response response = strict.handle(post(Payloads.text("event-unknown-name")));

    assertThat(response.status()).isEqualTo(400);
    assertThat(json(response.body()).at("/badRequest/message").textValue())
        .startsWith("Invalid input for field/attribute /events/0/name.");
    assertThat(sink.deliveries).isEmpty();
  }

  @Test
  void aBodyOfUnknownNamesAloneIsNotDelivered() throws Exception {
    Response response =
        handler.handle(
            post("{\"events\":[{\"name\":\"new-thing\",\"server_uuid\":\"" + GUEST + "\"}]}"));

    assertThat(response.status()).isEqualTo(207);
    assertThat(codes(response)).containsExactly(400);
    assertThat(sink.deliveries).isEmpty();
  }

  @Test
  void anExtendedVolumeWithoutATagIsRefusedOnceTheGuestIsKnown() throws Exception {
    String body = "{\"events\":[{\"name\":\"volume-extended\",\"server_uuid\":\"%s\"%s}]}";

    assertThat(codes(handler.handle(post(body.formatted(GUEST, ""))))).containsExactly(400);
    assertThat(codes(handler.handle(post(body.formatted(GUEST, ",\"tag\":\"vol\"")))))
        .containsExactly(200);
    assertThat(codes(handler.handle(post(body.formatted(PORT, ""))))).containsExactly(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v2.1/os-server-external-events",
        "/v2.1/os-server-external-events/",
        "/v2.1//os-server-external-events?x=1",
        "/v2/os-server-external-events",
        "/v2/0123456789abcdef/os-server-external-events",
        "/v2.1/0123456789abcdef/os-server-external-events"
      })
  void allOfNovasPathsAreServed(String path) {
    Request request =
        new Request("POST", path, Map.of(), Payloads.text("event-plugged").getBytes(UTF_8));

    assertThat(handler.handle(request).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v3/os-server-external-events",
        "/os-server-external-events",
        "/v2.1/a/b/os-server-external-events",
        "/v2.1/servers",
        "/v2.1/os-server-external-events/1",
        "/favicon.ico"
      })
  void otherPathsAreNotFound(String path) throws Exception {
    Response response = handler.handle(get(path));

    assertThat(response.status()).isEqualTo(404);
    assertThat(json(response.body()).at("/itemNotFound/code").intValue()).isEqualTo(404);
    assertThat(handler.health().calls()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET    | /v2.1/os-server-external-events | POST",
        "PUT    | /v2.1/os-server-external-events | POST",
        "DELETE | /v2.1/os-server-external-events | POST",
        "POST   | /                               | GET, HEAD",
        "POST   | /v2.1/                          | GET, HEAD",
        "OPTIONS | /v2/                           | GET, HEAD"
      })
  void otherMethodsAreNotAllowed(String method, String path, String allowed) throws Exception {
    Response response = handler.handle(new Request(method, path, Map.of(), new byte[0]));

    assertThat(response.status()).isEqualTo(405);
    assertThat(response.headers()).containsEntry("Allow", allowed);
    assertThat(json(response.body()).at("/badMethod/code").intValue()).isEqualTo(405);
  }

  @Test
  void clientsFindTheVersion() throws Exception {
    JsonNode all = json(handler.handle(get("/")).body());
    JsonNode one = json(handler.handle(get("/v2.1/")).body());

    assertThat(all.at("/versions/0")).isEqualTo(one.get("version"));
    assertThat(one.at("/version/id").textValue()).isEqualTo("v2.1");
    assertThat(one.at("/version/status").textValue()).isEqualTo("CURRENT");
    assertThat(one.at("/version/version").textValue()).isEqualTo("2.93");
    assertThat(one.at("/version/min_version").textValue()).isEqualTo("2.1");
    assertThat(one.at("/version/links/0/rel").textValue()).isEqualTo("self");
    assertThat(one.at("/version/links/0/href").textValue()).isEqualTo("http://nova:8774/v2.1/");
    assertThat(handler.health().calls()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nova:8774   | https | https://nova:8774/v2.1/",
        "[::1]:8774  | http  | http://[::1]:8774/v2.1/",
        "a\"b        | https | /v2.1/",
        "a/b         | https | /v2.1/"
      })
  void linksFollowTheHostThatTheClientUsed(String host, String scheme, String link)
      throws Exception {
    Request request =
        new Request("GET", "/", Map.of("HOST", host, "X-Forwarded-Proto", scheme), new byte[0]);

    assertThat(json(handler.handle(request).body()).at("/versions/0/links/0/href").textValue())
        .isEqualTo(link);
  }

  @Test
  void theMicroversionIsConfirmed() {
    Request request =
        new Request(
            "POST",
            PATH,
            Map.of("x-openstack-nova-api-version", "2.76"),
            Payloads.text("event-plugged").getBytes(UTF_8));

    assertThat(handler.handle(request).headers())
        .containsEntry("X-OpenStack-Nova-API-Version", "2.76")
        .containsEntry("OpenStack-API-Version", "compute 2.76")
        .containsEntry("Content-Type", "application/json");
    assertThat(handler.handle(post("{}")).headers())
        .containsEntry("X-OpenStack-Nova-API-Version", "2.1");
  }

  @Test
  void aWrongOrMissingTokenIsRefusedAndCounted() throws Exception {
    ExternalEventsHandler guarded = ExternalEventsHandler.builder(sink).token("s3cret").build();
    byte[] body = Payloads.text("event-plugged").getBytes(UTF_8);

    Response missing = guarded.handle(new Request("POST", PATH, Map.of(), body));
    Response wrong = guarded.handle(new Request("POST", PATH, Map.of("X-Auth-Token", "s"), body));
    Response longer =
        guarded.handle(new Request("POST", PATH, Map.of("X-Auth-Token", "s3cretx"), body));
    Response bad = guarded.handle(new Request("POST", PATH, Map.of(), new byte[0]));

    assertThat(List.of(missing, wrong, longer, bad)).containsOnly(missing);
    assertThat(missing.status()).isEqualTo(401);
    assertThat(json(missing.body()).at("/unauthorized/code").intValue()).isEqualTo(401);
    assertThat(sink.deliveries).isEmpty();
    assertThat(guarded.health()).isEqualTo(new EventSource.Health(true, 4, 4));

    Response right =
        guarded.handle(new Request("POST", PATH, Map.of("x-auth-token", "s3cret"), body));
    assertThat(right.status()).isEqualTo(200);
    assertThat(guarded.handle(get("/")).status()).isEqualTo(200);
    assertThat(guarded.health()).isEqualTo(new EventSource.Health(true, 5, 4));
  }

  @Test
  void withoutATokenAnyTokenIsAccepted() {
    Request request =
        new Request(
            "POST",
            PATH,
            Map.of("X-Auth-Token", "notused"),
            Payloads.text("event-plugged").getBytes(UTF_8));

    assertThat(handler.handle(request).status()).isEqualTo(200);
  }

  @Test
  void aBodyOverTheLimitIsRefused() throws Exception {
    String body = Payloads.text("event-plugged");
    int size = body.getBytes(UTF_8).length;

    Response over =
        ExternalEventsHandler.builder(sink).maxBodyBytes(size - 1).build().handle(post(body));
    Response fits =
        ExternalEventsHandler.builder(sink).maxBodyBytes(size).build().handle(post(body));

    assertThat(over.status()).isEqualTo(413);
    assertThat(json(over.body()).at("/overLimit/code").intValue()).isEqualTo(413);
    assertThat(fits.status()).isEqualTo(200);
  }

  @Test
  void afterCloseEveryDeliveryIs503() throws Exception {
    handler.close();
    handler.close();

    Response response = handler.handle(post(Payloads.text("event-plugged")));

    assertThat(response.status()).isEqualTo(503);
    assertThat(json(response.body()).at("/serviceUnavailable/code").intValue()).isEqualTo(503);
    assertThat(sink.deliveries).isEmpty();
    assertThat(handler.health()).isEqualTo(new EventSource.Health(false, 1, 0));
  }

  @Test
  void aClosedSinkMakesTheCall503() {
    ExternalEventsHandler closed =
        ExternalEventsHandler.builder(FakeSink.answering(Disposition.CLOSED)).build();

    assertThat(closed.handle(post(Payloads.text("event-plugged"))).status()).isEqualTo(503);
  }

  @Test
  void aSinkThatThrowsCostsItsEventsAndNeverTheCall() throws Exception {
    ExternalEventsHandler broken =
        ExternalEventsHandler.builder(
                events -> {
                  throw new IllegalStateException("boom");
                })
            .build();

    Response first = broken.handle(post(Payloads.text("event-unknown-name")));
    Response second = broken.handle(post(Payloads.text("event-plugged")));

    assertThat(first.status()).isEqualTo(207);
    assertThat(codes(first)).containsExactly(400, 422);
    assertThat(codes(second)).containsExactly(422);
  }

  @Test
  void aSinkThatAnswersTooLittleIsTreatedAsBroken() throws Exception {
    ExternalEventsHandler broken = ExternalEventsHandler.builder(events -> List.of()).build();

    assertThat(codes(broken.handle(post(Payloads.text("event-plugged"))))).containsExactly(422);
  }

  @Test
  void anObserverSeesEveryCallAndItsAnswerAndCannotDisturbIt() {
    List<Call> calls = new ArrayList<>();
    ExternalEventsHandler observed =
        ExternalEventsHandler.builder(sink)
            .onCall(
                call -> {
                  calls.add(call);
                  throw new IllegalStateException("boom");
                })
            .build();
    String body = "{\"events\":[{\"name\":\"é\",\"server_uuid\":\"" + GUEST + "\"}]}";

    Response response = observed.handle(post(body));
    observed.handle(get("/nowhere"));

    assertThat(calls)
        .hasSize(2)
        .first()
        .isEqualTo(new Call("POST", PATH, body, 207, response.body()));
    assertThat(calls.get(1).status()).isEqualTo(404);
    assertThat(response.body()).contains("\"é\"");
  }

  @Test
  void impossibleConfigurationIsRefused() {
    ExternalEventsHandler.Builder builder = ExternalEventsHandler.builder(sink);

    for (String token : List.of("", " ", "a b", "ü", "a\n")) {
      assertThatThrownBy(() -> builder.token(token)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> builder.maxBodyBytes(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
