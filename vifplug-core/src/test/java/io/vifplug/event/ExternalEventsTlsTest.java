package io.vifplug.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.vifplug.internal.Payloads;
import io.vifplug.spi.Registration;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ExternalEventsTlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir static Path folder;
  private static SSLContext context;

  @BeforeAll
  static void makeACertificate() throws Exception {
    Path store = folder.resolve("store.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Process process =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "nova",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-validity",
                "3650",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(() -> read(folder.resolve("keytool.log"))).isZero();

    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore anchors = KeyStore.getInstance("PKCS12");
    anchors.load(null, null);
    anchors.setCertificateEntry("nova", keys.getCertificate("nova"));
    trusted.init(anchors);
    context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static HttpResponse<String> send(String method, int port, String path, String body)
      throws Exception {
    return HttpClient.newBuilder()
        .sslContext(context)
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .send(
            HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .timeout(Duration.ofSeconds(10))
                .build(),
            BodyHandlers.ofString());
  }

  @Test
  void eventsComeInOverTlsAndLinksAreHttps() throws Exception {
    FakeSink sink = FakeSink.thatAccepts();
    ExternalEventsReceiver receiver =
        ExternalEventsReceiver.builder().port(0).sslContext(context).build();
    try (Registration registration = receiver.start(sink)) {
      assertThat(registration).isNotNull();
      HttpResponse<String> posted =
          send(
              "POST",
              receiver.port(),
              "/v2.1/os-server-external-events",
              Payloads.text("event-burst-200"));
      HttpResponse<String> versions = send("GET", receiver.port(), "/", "");

      assertThat(posted.statusCode()).isEqualTo(200);
      assertThat(sink.deliveries).hasSize(1);
      assertThat(versions.body())
          .contains("\"href\":\"https://localhost:" + receiver.port() + "/v2.1/\"");
    }
  }

  @Test
  void aClientThatDoesNotFinishTheHandshakeIsCutOff() throws Exception {
    FakeSink sink = FakeSink.thatAccepts();
    ExternalEventsReceiver receiver =
        ExternalEventsReceiver.builder()
            .port(0)
            .sslContext(context)
            .headerTimeout(Duration.ofMillis(300))
            .maxConcurrent(1)
            .build();
    try (Registration registration = receiver.start(sink);
        Socket socket = new Socket("localhost", receiver.port())) {
      assertThat(registration).isNotNull();
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});

      assertThat(readUntilClosed(socket)).isTrue();
      // On a busy machine a good handshake may take longer than that short limit too.
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () ->
                  send(
                              "POST",
                              receiver.port(),
                              "/v2.1/os-server-external-events",
                              Payloads.text("event-plugged"))
                          .statusCode()
                      == 200);
    }
  }

  private static boolean readUntilClosed(Socket socket) throws IOException {
    try {
      while (socket.getInputStream().read() >= 0) {
        // an alert may come first
      }
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    }
  }

  @Test
  void aClientWithoutTlsGetsNoAnswer() throws Exception {
    ExternalEventsReceiver receiver =
        ExternalEventsReceiver.builder().port(0).sslContext(context).build();
    try (Registration registration = receiver.start(FakeSink.thatAccepts())) {
      assertThat(registration).isNotNull();
      HttpRequest plain =
          HttpRequest.newBuilder(URI.create("http://localhost:" + receiver.port() + "/"))
              .timeout(Duration.ofSeconds(10))
              .build();

      assertThatThrownBy(() -> HttpClient.newHttpClient().send(plain, BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
    }
  }
}
