package io.vifplug.event;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.ExternalEvents.UnknownNames;
import io.vifplug.event.ExternalEventsHandler.Call;
import io.vifplug.internal.Payloads;
import io.vifplug.spi.Registration;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExternalEventsReceiverTest {
  private static final String PATH = "/v2.1/os-server-external-events";
  private static final Duration SHORT = Duration.ofMillis(300);

  private final FakeSink sink = FakeSink.thatAccepts();
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  private static ExternalEventsReceiver.Builder builder() {
    return ExternalEventsReceiver.builder().port(0);
  }

  private ExternalEventsReceiver started(ExternalEventsReceiver.Builder builder) {
    return started(builder, sink);
  }

  private ExternalEventsReceiver started(ExternalEventsReceiver.Builder builder, EventSink sink) {
    ExternalEventsReceiver receiver = builder.build();
    open.add(receiver.start(sink));
    return receiver;
  }

  private static HttpRequest.Builder request(ExternalEventsReceiver receiver, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + receiver.port() + path))
        .timeout(Duration.ofSeconds(10));
  }

  private static HttpRequest post(ExternalEventsReceiver receiver, String body) {
    return request(receiver, PATH).POST(HttpRequest.BodyPublishers.ofString(body)).build();
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }

  /** With short limits a good client may be cut off on a busy machine; it tries again. */
  private void assertServedInTheEnd(ExternalEventsReceiver receiver) {
    await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> send(post(receiver, Payloads.text("event-plugged"))).statusCode() == 200);
  }

  private Socket connect(ExternalEventsReceiver receiver) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), receiver.port());
    socket.setSoTimeout(10_000);
    open.add(socket);
    return socket;
  }

  private static Socket write(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(US_ASCII));
    out.flush();
    return socket;
  }

  private static String headers(int contentLength) {
    return "POST " + PATH + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + contentLength + "\r\n\r\n";
  }

  /** Reads until the server closes; a reset counts as closed. */
  private static String readAll(Socket socket) {
    StringBuilder text = new StringBuilder();
    try {
      InputStream in = socket.getInputStream();
      for (int b = in.read(); b >= 0; b = in.read()) {
        text.append((char) b);
      }
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("the server keeps the connection", e);
    } catch (IOException reset) {
      // closed, with data of ours unread
    }
    return text.toString();
  }

  @Test
  void itListensOnTheLoopbackAddressWhenStartReturns() throws Exception {
    ExternalEventsReceiver receiver = ExternalEventsReceiver.onPort(0);
    assertThat(receiver.health().listening()).isFalse();

    open.add(receiver.start(sink));

    assertThat(receiver.port()).isPositive();
    assertThat(receiver.address().getAddress().isLoopbackAddress()).isTrue();
    HttpResponse<String> response = send(post(receiver, Payloads.text("event-plugged")));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(response.body()).contains("\"code\":200");
    assertThat(sink.deliveries).hasSize(1);
    assertThat(receiver.health()).isEqualTo(new EventSource.Health(true, 1, 0));
  }

  @Test
  void anUnstartedReceiverNamesItsConfiguredPort() {
    assertThat(ExternalEventsReceiver.onPort(8774).port()).isEqualTo(8774);
    assertThat(ExternalEventsReceiver.builder().build().port()).isEqualTo(8774);
  }

  @Test
  void everyAnswerSaysThatItClosesItsConnectionAndDoesSo() throws Exception {
    ExternalEventsReceiver receiver = started(builder());
    String body = Payloads.text("event-plugged");

    assertThat(readAll(write(connect(receiver), headers(body.length()) + body)))
        .startsWith("HTTP/1.1 200")
        .containsIgnoringCase("Connection: close")
        .endsWith("\"code\":200}]}");
    assertThat(readAll(write(connect(receiver), headers(2) + "{}"))).startsWith("HTTP/1.1 400");
    assertThat(readAll(write(connect(receiver), "GET /v2.1/ HTTP/1.1\r\nHost: nova\r\n\r\n")))
        .startsWith("HTTP/1.1 200")
        .contains("\"href\":\"http://nova/v2.1/\"");
    assertThat(readAll(write(connect(receiver), "HEAD / HTTP/1.1\r\nHost: nova\r\n\r\n")))
        .startsWith("HTTP/1.1 200")
        .endsWith("\r\n\r\n");
  }

  @Test
  void aChunkedBodyIsRead() throws Exception {
    ExternalEventsReceiver receiver = started(builder());
    byte[] body = Payloads.text("event-burst-200").getBytes(UTF_8);
    HttpRequest request =
        request(receiver, PATH)
            .POST(
                HttpRequest.BodyPublishers.ofInputStream(
                    () -> new java.io.ByteArrayInputStream(body)))
            .build();

    assertThat(send(request).statusCode()).isEqualTo(200);
    assertThat(sink.deliveries.get(0)).hasSize(200);
  }

  @Test
  void statusesOfNovaGoOverTheWire() throws Exception {
    ExternalEventsReceiver receiver =
        started(builder().token("t0ken").unknownNames(UnknownNames.STRICT));
    String good = Payloads.text("event-plugged");

    assertThat(send(post(receiver, good)).statusCode()).isEqualTo(401);
    assertThat(
            send(HttpRequest.newBuilder(post(receiver, good), (n, v) -> true)
                    .header("X-Auth-Token", "t0ken")
                    .build())
                .statusCode())
        .isEqualTo(200);
    assertThat(
            send(HttpRequest.newBuilder(
                        post(receiver, Payloads.text("event-unknown-name")), (n, v) -> true)
                    .header("X-Auth-Token", "t0ken")
                    .build())
                .statusCode())
        .isEqualTo(400);
    assertThat(send(request(receiver, "/nowhere").build()).statusCode()).isEqualTo(404);
    HttpResponse<String> wrongMethod = send(request(receiver, PATH).DELETE().build());
    assertThat(wrongMethod.statusCode()).isEqualTo(405);
    assertThat(wrongMethod.headers().firstValue("Allow")).hasValue("POST");
    assertThat(receiver.health()).isEqualTo(new EventSource.Health(true, 3, 1));
  }

  @Test
  void aBodyOverTheLimitIs413WhateverItsForm() throws Exception {
    ExternalEventsReceiver receiver = started(builder().maxBodyBytes(1000));
    String big = " ".repeat(200_000);

    assertThat(send(post(receiver, big)).statusCode()).isEqualTo(413);
    HttpRequest chunked =
        request(receiver, PATH)
            .POST(
                HttpRequest.BodyPublishers.ofInputStream(
                    () -> new java.io.ByteArrayInputStream(big.getBytes(UTF_8))))
            .build();
    assertThat(send(chunked).statusCode()).isEqualTo(413);
    assertThat(sink.deliveries).isEmpty();
  }

  @Test
  void aClosedSinkIs503OnTheWire() throws Exception {
    ExternalEventsReceiver receiver = started(builder(), FakeSink.answering(Disposition.CLOSED));

    assertThat(send(post(receiver, Payloads.text("event-plugged"))).statusCode()).isEqualTo(503);
  }

  @Test
  void utf8NamesTravelUnharmed() throws Exception {
    ExternalEventsReceiver receiver = started(builder());
    String body =
        "{\"events\":[{\"name\":\"é\uD83D\uDE00\",\"server_uuid\":"
            + "\"00000001-aaaa-4aaa-8aaa-000000000001\"}]}";

    HttpResponse<String> response = send(post(receiver, body));

    assertThat(response.statusCode()).isEqualTo(207);
    assertThat(response.body()).contains("\"é\uD83D\uDE00\"");
  }

  @Test
  void theObserverSeesCalls() throws Exception {
    List<Call> calls = new CopyOnWriteArrayList<>();
    ExternalEventsReceiver receiver = started(builder().onCall(calls::add));

    send(post(receiver, "{}"));

    assertThat(calls).hasSize(1);
    assertThat(calls.get(0).path()).isEqualTo(PATH);
    assertThat(calls.get(0).status()).isEqualTo(400);
  }

  @Test
  void aClientThatIsSlowWithItsHeadersIsCutOff() throws Exception {
    ExternalEventsReceiver receiver = started(builder().headerTimeout(SHORT));
    Socket socket = write(connect(receiver), "POST " + PATH + " HTTP/1.1\r\nHost: x\r\n");

    assertThat(readAll(socket)).isEmpty();
    assertServedInTheEnd(receiver);
  }

  @Test
  void aClientThatDripsItsHeadersIsCutOffAllTheSame() throws Exception {
    ExternalEventsReceiver receiver = started(builder().headerTimeout(SHORT));
    Socket socket = write(connect(receiver), "POST " + PATH + " HTTP/1.1\r\n");

    await()
        .pollInterval(Duration.ofMillis(30))
        .atMost(Duration.ofSeconds(10))
        .until(() -> isBroken(socket));

    assertThat(sink.deliveries).isEmpty();
  }

  private static boolean isBroken(Socket socket) {
    try {
      write(socket, "X");
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void aClientThatIsSlowWithItsBodyIsCutOffAndNothingIsDelivered() throws Exception {
    ExternalEventsReceiver receiver = started(builder().bodyTimeout(SHORT));
    String body = Payloads.text("event-plugged");
    Socket socket = write(connect(receiver), headers(body.length() + 1) + body);

    assertThat(readAll(socket)).isEmpty();
    assertThat(sink.deliveries).isEmpty();
    assertServedInTheEnd(receiver);
  }

  @Test
  void aClientThatDoesNotTakeItsAnswerIsCutOff() throws Exception {
    ExternalEventsReceiver receiver =
        started(
            builder().bodyTimeout(Duration.ofSeconds(2)).maxConcurrent(1).maxBodyBytes(1 << 24));
    String event = "{\"name\":\"x\",\"server_uuid\":\"00000001-aaaa-4aaa-8aaa-000000000001\"}";
    String body = "{\"events\":[" + (event + ",").repeat(150_000) + event + "]}";
    Socket socket = new Socket();
    open.add(socket);
    socket.setReceiveBufferSize(4096);
    socket.connect(receiver.address());
    write(socket, headers(body.length()) + body);

    await().atMost(Duration.ofSeconds(10)).until(() -> receiver.health().calls() == 1);
    assertServedInTheEnd(receiver);
  }

  @Test
  void aWorkerServesTheNextClientAfterItCutOneOff() throws Exception {
    ExternalEventsReceiver receiver =
        started(builder().headerTimeout(SHORT).bodyTimeout(SHORT).maxConcurrent(1));

    for (int i = 0; i < 3; i++) {
      assertThat(readAll(write(connect(receiver), "POST"))).isEmpty();
      assertThat(readAll(write(connect(receiver), headers(10) + "{"))).isEmpty();
      assertServedInTheEnd(receiver);
    }
  }

  @Test
  void aSlowSinkIsNoSlowClient() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    ExternalEventsReceiver receiver =
        started(
            builder().headerTimeout(SHORT).bodyTimeout(SHORT),
            events -> {
              try {
                assertThat(slow.await(900, TimeUnit.MILLISECONDS)).isFalse();
              } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
              }
              return sink.deliver(events);
            });

    assertServedInTheEnd(receiver);
    assertThat(sink.deliveries).isNotEmpty();
  }

  @Test
  void connectionsOverTheLimitAreDroppedAndTheOthersServed() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(1);
    ExternalEventsReceiver receiver =
        started(
            builder().maxConcurrent(1),
            events -> {
              entered.countDown();
              awaitQuietly(gate);
              return sink.deliver(events);
            });
    String body = Payloads.text("event-plugged");
    CompletableFuture<HttpResponse<String>> running =
        client.sendAsync(post(receiver, body), BodyHandlers.ofString());
    awaitQuietly(entered);

    List<Socket> more = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      more.add(write(connect(receiver), headers(body.length()) + body));
    }
    ExecutorService readers = Executors.newCachedThreadPool();
    open.add(readers::shutdownNow);
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (Socket socket : more) {
      answers.add(CompletableFuture.supplyAsync(() -> readUntilAnswered(socket), readers));
    }
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> answers.stream().filter(CompletableFuture::isDone).count() == 4);
    gate.countDown();

    assertThat(running.get().statusCode()).isEqualTo(200);
    List<String> texts = answers.stream().map(CompletableFuture::join).toList();
    assertThat(texts).filteredOn(String::isEmpty).hasSize(4);
    assertThat(texts).filteredOn(text -> text.startsWith("HTTP/1.1 200")).hasSize(1);
    assertThat(sink.deliveries).hasSize(2);
    assertThat(send(post(receiver, body)).statusCode()).isEqualTo(200);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String readUntilAnswered(Socket socket) {
    StringBuilder text = new StringBuilder();
    try {
      InputStream in = socket.getInputStream();
      for (int b = in.read(); b >= 0 && b != '\r'; b = in.read()) {
        text.append((char) b);
      }
    } catch (IOException reset) {
      // dropped
    }
    return text.toString();
  }

  @Test
  void manyClientsAtOnceAreAllAnswered() {
    ExternalEventsReceiver receiver = started(builder().maxConcurrent(16));
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();

    for (int round = 0; round < 10; round++) {
      List<CompletableFuture<HttpResponse<String>>> wave = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        wave.add(
            client.sendAsync(
                post(receiver, Payloads.text("event-plugged")), BodyHandlers.ofString()));
      }
      wave.forEach(CompletableFuture::join);
      answers.addAll(wave);
    }

    assertThat(answers).hasSize(160).allMatch(answer -> answer.join().statusCode() == 200);
    assertThat(sink.deliveries).hasSize(160);
    assertThat(receiver.health().calls()).isEqualTo(160);
  }

  @Test
  void aBusyPortIsNamedWithTheCause() throws Exception {
    try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ExternalEventsReceiver receiver = ExternalEventsReceiver.onPort(busy.getLocalPort());

      assertThatThrownBy(() -> receiver.start(sink))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(":" + busy.getLocalPort())
          .hasMessageContaining("Address already in use")
          .hasCauseInstanceOf(IOException.class);
      assertThat(receiver.health().listening()).isFalse();
    }
  }

  @Test
  void itCanBeStartedAgainOnTheSamePortAfterClose() throws Exception {
    ExternalEventsReceiver first = ExternalEventsReceiver.onPort(0);
    Registration registration = first.start(sink);
    int port = first.port();
    ExternalEventsReceiver receiver = ExternalEventsReceiver.onPort(port);
    registration.close();

    for (int run = 1; run <= 3; run++) {
      Registration again = receiver.start(sink);
      assertThat(send(post(receiver, Payloads.text("event-plugged"))).statusCode()).isEqualTo(200);
      assertThat(receiver.health()).isEqualTo(new EventSource.Health(true, 1, 0));
      again.close();
      again.close();
      assertThat(receiver.health()).isEqualTo(new EventSource.Health(false, 1, 0));
    }
    assertThat(sink.deliveries).hasSize(3);
  }

  @Test
  void afterCloseNobodyListens() {
    ExternalEventsReceiver receiver = ExternalEventsReceiver.onPort(0);
    Registration registration = receiver.start(sink);
    HttpRequest request = post(receiver, "{}");

    registration.close();

    assertThatThrownBy(() -> send(request)).isInstanceOf(ConnectException.class);
  }

  @Test
  void closeDoesNotWaitForSlowClients() throws Exception {
    ExternalEventsReceiver receiver = ExternalEventsReceiver.onPort(0);
    Registration registration = receiver.start(sink);
    Socket silent = connect(receiver);
    Socket slow = write(connect(receiver), "POST");

    CompletableFuture<Void> closing = CompletableFuture.runAsync(registration::close);

    assertThat(closing).succeedsWithin(Duration.ofSeconds(5));
    assertThat(readAll(slow)).isEmpty();
    assertThat(readAll(silent)).isEmpty();
  }

  @Test
  void aSecondStartWhileListeningIsRefused() {
    ExternalEventsReceiver receiver = started(builder());

    assertThatThrownBy(() -> receiver.start(sink))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("already listening on");
  }

  @Test
  void itsThreadsAreDaemonsAndEndWithIt() throws Exception {
    ExternalEventsReceiver receiver = ExternalEventsReceiver.onPort(0);
    Registration registration = receiver.start(sink);
    send(post(receiver, Payloads.text("event-plugged")));

    assertThat(ownThreads()).isNotEmpty().allMatch(Thread::isDaemon);
    registration.close();
    await().atMost(Duration.ofSeconds(5)).until(() -> ownThreads().isEmpty());
  }

  private static List<Thread> ownThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread ->
                thread.getName().startsWith("vifplug-http-")
                    || thread.getName().startsWith("HTTP-Dispatcher"))
        .toList();
  }

  @Test
  void impossibleConfigurationIsRefused() {
    ExternalEventsReceiver.Builder builder = ExternalEventsReceiver.builder();

    assertThatThrownBy(() -> builder.headerTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("headerTimeout");
    assertThatThrownBy(() -> builder.bodyTimeout(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bodyTimeout");
    assertThatThrownBy(() -> builder.maxConcurrent(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.maxBodyBytes(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.token("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.bind(InetSocketAddress.createUnresolved("nowhere", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nowhere");
  }
}
