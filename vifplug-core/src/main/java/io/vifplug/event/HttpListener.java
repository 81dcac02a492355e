package io.vifplug.event;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.vifplug.event.ExternalEventsHandler.Request;
import io.vifplug.event.ExternalEventsHandler.Response;
import io.vifplug.spi.Registration;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of the JDK's HTTP server in front of a handler, from start to close. */
final class HttpListener implements Registration {
  private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final int BACKLOG = 128;
  private static final int DRAINED_BYTES = 4 << 20;

  /** Where it listens and what a client may take. */
  record Limits(
      InetSocketAddress address,
      @Nullable SSLContext sslContext,
      int maxBodyBytes,
      Duration headerTimeout,
      Duration bodyTimeout,
      int maxConcurrent) {}

  private final ExternalEventsHandler handler;
  private final Limits limits;
  private final Consumer<HttpListener> onClosed;
  private final HttpWorkers workers;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable HttpServer server;

  HttpListener(ExternalEventsHandler handler, Limits limits, Consumer<HttpListener> onClosed) {
    this.handler = handler;
    this.limits = limits;
    this.onClosed = onClosed;
    workers = new HttpWorkers(limits.maxConcurrent, limits.headerTimeout);
  }

  void start() throws IOException {
    HttpServer fresh;
    if (limits.sslContext == null) {
      fresh = HttpServer.create(limits.address, BACKLOG);
    } else {
      HttpsServer https = HttpsServer.create(limits.address, BACKLOG);
      https.setHttpsConfigurator(new HttpsConfigurator(limits.sslContext));
      fresh = https;
    }
    fresh.setExecutor(workers);
    fresh.createContext("/", this::exchange);
    workers.startDaemon(fresh::start);
    server = fresh;
    LOG.info("receiving events on {}", describe(fresh.getAddress()));
  }

  /** The actual address, or null before the start. */
  @Nullable InetSocketAddress address() {
    HttpServer now = server;
    return now == null ? null : now.getAddress();
  }

  EventSource.Health health() {
    return handler.health();
  }

  static String describe(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  private void exchange(HttpExchange exchange) throws IOException {
    PhaseLimit limit = HttpWorkers.limitOfThisThread();
    try (exchange) {
      limit.begin(limits.bodyTimeout);
      Request request = read(exchange);
      limit.end();
      Response response = handler.handle(request);
      limit.begin(limits.bodyTimeout);
      write(exchange, response);
    } catch (IOException e) {
      LOG.debug("a client went away or was too slow: {}", e.toString());
      throw e;
    }
  }

  private Request read(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new HashMap<>();
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
    if (limits.sslContext != null) {
      headers.put("X-forwarded-proto", "https");
    }
    InputStream stream = exchange.getRequestBody();
    byte[] body = stream.readNBytes(limits.maxBodyBytes + 1);
    if (body.length > limits.maxBodyBytes) {
      drain(stream);
    }
    String path = exchange.getRequestURI().toString();
    return new Request(exchange.getRequestMethod(), path, headers, body);
  }

  /** A client that is still sending would see its connection reset instead of the answer. */
  private static void drain(InputStream stream) throws IOException {
    byte[] buffer = new byte[8192];
    int left = DRAINED_BYTES;
    int read = 0;
    while (left > 0 && read >= 0) {
      read = stream.read(buffer);
      left -= read;
    }
  }

  private static void write(HttpExchange exchange, Response response) throws IOException {
    byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
    Headers headers = exchange.getResponseHeaders();
    response.headers().forEach(headers::set);
    // The JDK's server sends headers and body in two segments and leaves Nagle's algorithm on: on a
    // connection that stays open the second one waits 40 ms for the client's delayed ACK. It also
    // spares clients the race with an idle connection that is closed just as they use it again.
    headers.set("Connection", "close");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(response.status(), -1);
    } else {
      exchange.sendResponseHeaders(response.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    handler.close();
    workers.drain(GRACE);
    HttpServer old = server;
    if (old != null) {
      old.stop(0);
    }
    workers.stop();
    onClosed.accept(this);
  }
}
