package io.vifplug.event;

import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.ExternalEvents.Answer;
import io.vifplug.event.ExternalEvents.Batch;
import io.vifplug.event.ExternalEvents.Item;
import io.vifplug.event.ExternalEvents.Parsed;
import io.vifplug.event.ExternalEvents.Rejected;
import io.vifplug.event.ExternalEvents.UnknownNames;
import io.vifplug.spi.Registration;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers Neutron's calls as Nova does, without any server of its own: {@code POST
 * …/os-server-external-events} and the version documents that OpenStack clients ask for. Put it
 * behind the HTTP server an agent already has, or use {@link ExternalEventsReceiver}.
 *
 * <p>A body's events reach the sink in one call, whole and in order. The answer never has status
 * 5xx for anything a body contains; 503 says that vifplug is closed.
 *
 * <p>Thread-safe; {@code handle} may be called by many threads at once and blocks no longer than
 * the sink does.
 */
public final class ExternalEventsHandler implements Registration {
  /** The largest body that is read, unless set otherwise: 1 MiB. */
  public static final int DEFAULT_MAX_BODY_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(ExternalEventsHandler.class);
  private static final String NEEDS_TAG = "volume-extended";

  private final EventSink sink;
  private final byte @Nullable [] token;
  private final int maxBodyBytes;
  private final UnknownNames unknownNames;
  private final @Nullable Consumer<? super Call> observer;
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong authFailures = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean sinkFailed = new AtomicBoolean();

  private ExternalEventsHandler(Builder builder) {
    sink = builder.sink;
    token = builder.token == null ? null : builder.token.getBytes(StandardCharsets.UTF_8);
    maxBodyBytes = builder.maxBodyBytes;
    unknownNames = builder.unknownNames;
    observer = builder.observer;
  }

  /**
   * Starts the configuration of a handler.
   *
   * @param sink where events go
   * @return a builder
   */
  public static Builder builder(EventSink sink) {
    return new Builder(sink);
  }

  /**
   * Answers one request. Never throws for a bad one.
   *
   * @param request the request
   * @return the answer
   */
  public Response handle(Request request) {
    Response response = answer(request);
    if (observer != null) {
      report(observer, request, response);
    }
    return response;
  }

  private Response answer(Request request) {
    Route route = Route.of(request.path());
    if (route == Route.NONE) {
      return Response.fault(404, "The resource could not be found.");
    }
    if (!route.allows(request.method())) {
      return Response.fault(405, "The method " + request.method() + " is not allowed here.")
          .with("Allow", route.allowed());
    }
    if (route != Route.EVENTS) {
      return Versions.document(route, request);
    }
    calls.incrementAndGet();
    return Versions.markMicroversion(events(request), request);
  }

  private Response events(Request request) {
    if (!authorised(request)) {
      return Response.fault(401, "The token is missing or wrong.");
    }
    if (closed.get()) {
      return closedAnswer();
    }
    if (request.body().length > maxBodyBytes) {
      return Response.fault(413, "The request body is larger than " + maxBodyBytes + " bytes.");
    }
    Parsed parsed = ExternalEvents.parse(request.body(), unknownNames);
    if (parsed instanceof Rejected rejected) {
      LOG.debug("refused a body: {}", rejected.message());
      return Response.fault(400, rejected.message());
    }
    return dispatch(((Batch) parsed).items());
  }

  /** Takes the same time whatever part of the token is right. */
  private boolean authorised(Request request) {
    if (token == null) {
      return true;
    }
    String given = request.header("X-Auth-Token");
    byte[] bytes = given == null ? new byte[0] : given.getBytes(StandardCharsets.UTF_8);
    if (MessageDigest.isEqual(token, bytes)) {
      return true;
    }
    if (authFailures.incrementAndGet() == 1) {
      LOG.warn(
          "an event was refused: its X-Auth-Token is {}; check the token in Neutron's [nova]"
              + " section. Further ones are counted and logged at DEBUG",
          given == null ? "missing" : "wrong");
    } else {
      LOG.debug("refused a call: its X-Auth-Token is {}", given == null ? "missing" : "wrong");
    }
    return false;
  }

  private Response dispatch(List<Item> items) {
    List<NetworkEvent> events = new ArrayList<>();
    for (Item item : items) {
      if (item.event() != null) {
        events.add(item.event());
      }
    }
    List<Disposition> dispositions = events.isEmpty() ? List.of() : deliver(events);
    if (dispositions.contains(Disposition.CLOSED)) {
      return closedAnswer();
    }
    List<Answer> answers = new ArrayList<>();
    int next = 0;
    for (Item item : items) {
      Answer answer =
          new Answer(item, item.event() == null ? 400 : code(item, dispositions.get(next++)));
      LOG.debug(
          "event {} of guest {}, tag {}, status {}: {}",
          item.name(),
          item.serverUuid(),
          item.tag(),
          item.status(),
          answer.code());
      answers.add(answer);
    }
    boolean all = answers.stream().allMatch(Answer::accepted);
    return Response.json(all ? 200 : 207, ExternalEvents.write(answers));
  }

  /** A sink that fails costs its own events, which Neutron then drops, and never the call. */
  private List<Disposition> deliver(List<NetworkEvent> events) {
    String fault;
    try {
      List<Disposition> dispositions = List.copyOf(sink.deliver(List.copyOf(events)));
      if (dispositions.size() == events.size()) {
        return dispositions;
      }
      fault = dispositions.size() + " answers for " + events.size() + " events";
      logSinkFault(fault, null);
    } catch (RuntimeException e) {
      logSinkFault("an exception", e);
    }
    return events.stream().map(event -> Disposition.ELSEWHERE).toList();
  }

  private void logSinkFault(String fault, @Nullable RuntimeException e) {
    if (sinkFailed.compareAndSet(false, true)) {
      LOG.error("the event sink failed ({}); its events are answered 422", fault, e);
    } else {
      LOG.debug("the event sink failed again ({})", fault, e);
    }
  }

  private static int code(Item item, Disposition disposition) {
    return switch (disposition) {
      // Nova refuses this one only once it knows the guest.
      case ACCEPTED -> item.name().equals(NEEDS_TAG) && item.tag() == null ? 400 : 200;
      case ELSEWHERE -> 422;
      case UNKNOWN -> 404;
      case CLOSED -> 503;
    };
  }

  private static Response closedAnswer() {
    return Response.fault(503, "vifplug is closed on this host.");
  }

  private static void report(Consumer<? super Call> observer, Request request, Response response) {
    try {
      observer.accept(
          new Call(
              request.method(),
              request.path(),
              new String(request.body(), StandardCharsets.UTF_8),
              response.status(),
              response.body()));
    } catch (RuntimeException e) {
      LOG.debug("the observer of calls failed", e);
    }
  }

  /** From now on every delivery is answered 503. Idempotent. */
  @Override
  public void close() {
    closed.set(true);
  }

  /**
   * What it has seen.
   *
   * @return the counters; listening until {@link #close}
   */
  public EventSource.Health health() {
    return new EventSource.Health(!closed.get(), calls.get(), authFailures.get());
  }

  /**
   * One HTTP request. Not copied: the body must not change while it is handled.
   *
   * @param method for example {@code POST}
   * @param path the path and query as sent, for example {@code /v2.1/os-server-external-events}
   * @param headers one value per header; the case of names does not matter. {@code Host} and {@code
   *     X-Forwarded-Proto: https} shape the links of the version documents
   * @param body the body, empty if there is none
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Request(String method, String path, Map<String, String> headers, byte[] body) {
    /** Copies the headers. */
    public Request {
      Objects.requireNonNull(method, "method");
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(body, "body");
      Map<String, String> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      copy.putAll(headers);
      headers = Collections.unmodifiableMap(copy);
    }

    /**
     * One header.
     *
     * @param name its name in any case
     * @return its value, or null
     */
    public @Nullable String header(String name) {
      return headers.get(name);
    }
  }

  /**
   * One HTTP answer.
   *
   * @param status the status
   * @param headers its headers without Content-Length
   * @param body JSON, to be sent in UTF-8
   */
  public record Response(int status, Map<String, String> headers, String body) {
    /** Copies the headers. */
    public Response {
      headers = Map.copyOf(headers);
      Objects.requireNonNull(body, "body");
    }

    static Response json(int status, String body) {
      return new Response(status, Map.of("Content-Type", "application/json"), body);
    }

    static Response fault(int status, String message) {
      return json(status, Versions.fault(status, message));
    }

    Response with(String header, String value) {
      Map<String, String> more = new TreeMap<>(headers);
      more.put(header, value);
      return new Response(status, more, body);
    }
  }

  /**
   * A call and its answer, for people to look at. Holds no token.
   *
   * @param method the method
   * @param path the path as sent
   * @param requestBody the body as text
   * @param status the answer's status
   * @param responseBody the answer's body
   */
  public record Call(
      String method, String path, String requestBody, int status, String responseBody) {}

  /** Configures a handler. Not thread-safe. */
  public static final class Builder {
    private final EventSink sink;
    private @Nullable String token;
    private int maxBodyBytes = DEFAULT_MAX_BODY_BYTES;
    private UnknownNames unknownNames = UnknownNames.TOLERANT;
    private @Nullable Consumer<? super Call> observer;

    private Builder(EventSink sink) {
      this.sink = Objects.requireNonNull(sink, "sink");
    }

    static String checkedToken(String value) {
      if (value.isEmpty() || !value.chars().allMatch(c -> c > ' ' && c < 127)) {
        throw new IllegalArgumentException("the token is empty or not printable ASCII");
      }
      return value;
    }

    /**
     * Asks every delivery for this X-Auth-Token. Default: none is asked for.
     *
     * @param value the token
     * @return this
     * @throws IllegalArgumentException if it is empty or not printable ASCII: nothing else survives
     *     in a header
     */
    public Builder token(String value) {
      token = checkedToken(value);
      return this;
    }

    /**
     * Refuses larger bodies with 413.
     *
     * @param bytes the limit in bytes, at least 1; default 1 MiB
     * @return this
     */
    public Builder maxBodyBytes(int bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("maxBodyBytes must be at least 1, found " + bytes);
      }
      maxBodyBytes = bytes;
      return this;
    }

    /**
     * What names Nova does not know do.
     *
     * @param value default TOLERANT
     * @return this
     */
    public Builder unknownNames(UnknownNames value) {
      unknownNames = Objects.requireNonNull(value, "unknownNames");
      return this;
    }

    /**
     * Shows every call and its answer to an observer, on the thread of the call and before the
     * answer is sent. What it throws is logged at DEBUG.
     *
     * @param value the observer; must be thread-safe and quick
     * @return this
     */
    public Builder onCall(Consumer<? super Call> value) {
      observer = Objects.requireNonNull(value, "observer");
      return this;
    }

    /**
     * Makes the handler.
     *
     * @return the handler, open
     */
    public ExternalEventsHandler build() {
      return new ExternalEventsHandler(this);
    }
  }
}
