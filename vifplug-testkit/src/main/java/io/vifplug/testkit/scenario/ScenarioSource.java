package io.vifplug.testkit.scenario;

import io.vifplug.event.EventSink;
import io.vifplug.event.EventSource;
import io.vifplug.event.ExternalEvents.UnknownNames;
import io.vifplug.event.ExternalEventsHandler;
import io.vifplug.event.ExternalEventsHandler.Request;
import io.vifplug.event.ExternalEventsHandler.Response;
import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.Registration;
import io.vifplug.testkit.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Brings in the events of a scenario: single ones as they are, bodies through the real handler. */
final class ScenarioSource implements EventSource {
  private static final String PATH = "/v2.1/os-server-external-events";

  private final VirtualTime time;
  private final UnknownNames unknownNames;
  private final List<Map<String, Object>> answers = new ArrayList<>();
  private @Nullable EventSink sink;
  private @Nullable ExternalEventsHandler handler;
  private long single;
  private long earlierCalls;
  private long earlierAuthFailures;

  ScenarioSource(VirtualTime time, boolean strict) {
    this.time = time;
    this.unknownNames = strict ? UnknownNames.STRICT : UnknownNames.TOLERANT;
  }

  @Override
  public Registration start(EventSink aSink) {
    if (handler != null) {
      earlierCalls += handler.health().calls();
      earlierAuthFailures += handler.health().authFailures();
    }
    ExternalEventsHandler fresh =
        ExternalEventsHandler.builder(aSink).unknownNames(unknownNames).build();
    handler = fresh;
    sink = aSink;
    return () -> {
      fresh.close();
      if (handler == fresh) {
        sink = null;
      }
    };
  }

  @Override
  public Health health() {
    long calls = handler == null ? 0 : handler.health().calls();
    long authFailures = handler == null ? 0 : handler.health().authFailures();
    return new Health(
        sink != null, earlierCalls + calls + single, earlierAuthFailures + authFailures);
  }

  /** Delivers one event; nobody hears it while vifplug is closed. */
  void send(NetworkEvent event) {
    if (sink != null) {
      single++;
      var unused = sink.deliver(List.of(event));
    }
  }

  /** Delivers a body and keeps its answer. */
  void post(String body) {
    if (handler == null) {
      return;
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    Response response =
        handler.handle(
            new Request("POST", PATH, Map.of("Content-Type", "application/json"), bytes));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("at", time.elapsed().toString());
    answer.put("code", response.status());
    Object json = Json.plainOrNull(response.body());
    answer.put("body", json == null ? response.body() : json);
    answers.add(answer);
  }

  List<Map<String, Object>> answers() {
    return answers;
  }
}
