package io.vifplug.testkit.scenario;

import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.ExternalEventsReceiver;
import io.vifplug.spi.Registration;
import io.vifplug.testkit.NeutronRecording;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends what a real Neutron has sent, byte for byte, to the real receiver over a socket. */
final class Replay {
  private Replay() {}

  /**
   * What came of it.
   *
   * @param recording the recording
   * @param posts how many bodies were sent
   * @param events how many events arrived
   * @param answers how many answers there were of each status
   */
  record Result(NeutronRecording recording, int posts, int events, Map<Integer, Integer> answers) {
    boolean isGood() {
      return posts > 0 && events > 0 && answers.keySet().stream().allMatch(code -> code < 500);
    }

    Map<String, Object> values() {
      Map<String, Object> values = new LinkedHashMap<>();
      values.put("recording", recording.name());
      values.put("posts", posts);
      values.put("events", events);
      values.put("answers", answers);
      return values;
    }
  }

  static Result run(String name) throws IOException, InterruptedException {
    NeutronRecording recording = NeutronRecording.named(name);
    ExternalEventsReceiver receiver = ExternalEventsReceiver.onPort(0);
    AtomicInteger events = new AtomicInteger();
    Map<Integer, Integer> answers = new TreeMap<>();
    Registration running =
        receiver.start(
            batch -> {
              events.addAndGet(batch.size());
              return batch.stream()
                  .map(
                      event ->
                          recording.guests().contains(event.guest())
                              ? Disposition.ACCEPTED
                              : Disposition.UNKNOWN)
                  .toList();
            });
    try {
      HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
      URI target = URI.create("http://127.0.0.1:" + receiver.port() + NeutronRecording.PATH);
      for (NeutronRecording.Request request : recording.requests()) {
        HttpRequest post =
            HttpRequest.newBuilder(target)
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(request.body()))
                .build();
        HttpResponse<String> answer = client.send(post, HttpResponse.BodyHandlers.ofString());
        answers.merge(answer.statusCode(), 1, Integer::sum);
      }
    } finally {
      running.close();
    }
    return new Result(recording, recording.requests().size(), events.get(), answers);
  }
}
