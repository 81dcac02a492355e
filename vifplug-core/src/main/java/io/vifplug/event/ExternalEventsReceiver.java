package io.vifplug.event;

import io.vifplug.event.ExternalEvents.UnknownNames;
import io.vifplug.event.ExternalEventsHandler.Call;
import io.vifplug.spi.Registration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Receives events over HTTP or HTTPS in the way Nova does, so that an unmodified Neutron can be
 * pointed at it. It listens when {@link #start} returns; after the registration is closed it can be
 * started again.
 *
 * <p>Nothing a client does holds a thread for long: the size of a body, the time to send headers
 * and body, and the number of requests at once are bounded. A client over a time limit, or one too
 * many, has its connection dropped without an answer, which Neutron answers by sending the body
 * again. Every answer closes its connection. Without a token it believes everybody who can reach
 * it: the default is to listen on the loopback address only.
 *
 * <p>Thread-safe. Its threads are daemons.
 */
public final class ExternalEventsReceiver implements EventSource {
  /** The port of Nova's API. */
  public static final int DEFAULT_PORT = 8774;

  private final Builder config;
  private final AtomicReference<@Nullable HttpListener> running = new AtomicReference<>();
  private volatile Health last = new Health(false, 0, 0);

  private ExternalEventsReceiver(Builder config) {
    this.config = config;
  }

  /**
   * A receiver on the loopback address, without a token.
   *
   * @param port the port; 0 for any free one
   * @return the receiver, not started
   */
  public static ExternalEventsReceiver onPort(int port) {
    return builder().port(port).build();
  }

  /**
   * Starts the configuration of a receiver.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Starts listening.
   *
   * @param sink where to deliver
   * @return stops listening, after requests under way had a second to end; idempotent
   * @throws IllegalStateException if it cannot listen (the message names the address and the
   *     cause), or if it is listening already
   */
  @Override
  public Registration start(EventSink sink) {
    Objects.requireNonNull(sink, "sink");
    HttpListener fresh = new HttpListener(config.handler(sink), config.limits(), this::stopped);
    if (!running.compareAndSet(null, fresh)) {
      throw new IllegalStateException("already listening on " + address());
    }
    try {
      fresh.start();
    } catch (IOException | RuntimeException e) {
      running.set(null);
      fresh.close();
      throw new IllegalStateException(
          "cannot listen on " + HttpListener.describe(config.address) + ": " + e.getMessage(), e);
    }
    return fresh;
  }

  private void stopped(HttpListener old) {
    Health counters = old.health();
    last = new Health(false, counters.calls(), counters.authFailures());
    running.compareAndSet(old, null);
  }

  /**
   * The counters since the last start.
   *
   * @return the counters
   */
  @Override
  public Health health() {
    HttpListener now = running.get();
    return now == null ? last : now.health();
  }

  /**
   * Where it listens.
   *
   * @return the address; with the actual port while it is listening, else as configured
   */
  public InetSocketAddress address() {
    HttpListener now = running.get();
    InetSocketAddress actual = now == null ? null : now.address();
    return actual == null ? config.address : actual;
  }

  /**
   * The port it listens on.
   *
   * @return the actual port while it is listening, else as configured
   */
  public int port() {
    return address().getPort();
  }

  /** Configures a receiver. Not thread-safe. */
  public static final class Builder {
    private InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), DEFAULT_PORT);
    private @Nullable String token;
    private @Nullable SSLContext sslContext;
    private int maxBodyBytes = ExternalEventsHandler.DEFAULT_MAX_BODY_BYTES;
    private Duration headerTimeout = Duration.ofSeconds(5);
    private Duration bodyTimeout = Duration.ofSeconds(10);
    private int maxConcurrent = 32;
    private UnknownNames unknownNames = UnknownNames.TOLERANT;
    private @Nullable Consumer<? super Call> observer;

    private Builder() {}

    private Builder(Builder other) {
      address = other.address;
      token = other.token;
      sslContext = other.sslContext;
      maxBodyBytes = other.maxBodyBytes;
      headerTimeout = other.headerTimeout;
      bodyTimeout = other.bodyTimeout;
      maxConcurrent = other.maxConcurrent;
      unknownNames = other.unknownNames;
      observer = other.observer;
    }

    private HttpListener.Limits limits() {
      return new HttpListener.Limits(
          address, sslContext, maxBodyBytes, headerTimeout, bodyTimeout, maxConcurrent);
    }

    private ExternalEventsHandler handler(EventSink sink) {
      ExternalEventsHandler.Builder builder =
          ExternalEventsHandler.builder(sink).maxBodyBytes(maxBodyBytes).unknownNames(unknownNames);
      if (token != null) {
        builder.token(token);
      }
      if (observer != null) {
        builder.onCall(observer);
      }
      return builder.build();
    }

    /**
     * Listens on this port and keeps the host.
     *
     * @param port the port; 0 for any free one; default 8774
     * @return this
     */
    public Builder port(int port) {
      return bind(new InetSocketAddress(address.getAddress(), port));
    }

    /**
     * Listens on this address.
     *
     * @param value the address and port; default loopback and 8774
     * @return this
     * @throws IllegalArgumentException if the host's name could not be resolved
     */
    public Builder bind(InetSocketAddress value) {
      if (value.isUnresolved()) {
        throw new IllegalArgumentException("unknown host " + value.getHostString());
      }
      address = value;
      return this;
    }

    /**
     * Asks every delivery for this X-Auth-Token. Default: none is asked for.
     *
     * @param value the token
     * @return this
     * @throws IllegalArgumentException if it is empty or not printable ASCII
     */
    public Builder token(String value) {
      token = ExternalEventsHandler.Builder.checkedToken(value);
      return this;
    }

    /**
     * Speaks TLS. Default: plain HTTP.
     *
     * @param value holds the certificate and key
     * @return this
     */
    public Builder sslContext(SSLContext value) {
      sslContext = Objects.requireNonNull(value, "sslContext");
      return this;
    }

    /**
     * Answers larger bodies with 413.
     *
     * @param bytes the limit in bytes, 1 to 1 GiB; default 1 MiB
     * @return this
     */
    public Builder maxBodyBytes(int bytes) {
      if (bytes < 1 || bytes > 1 << 30) {
        throw new IllegalArgumentException("maxBodyBytes must be 1 to 1 GiB, found " + bytes);
      }
      maxBodyBytes = bytes;
      return this;
    }

    /**
     * How long a client may take from its first byte to the end of the headers.
     *
     * @param value more than zero; default 5 s
     * @return this
     */
    public Builder headerTimeout(Duration value) {
      headerTimeout = positive("headerTimeout", value);
      return this;
    }

    /**
     * How long a client may take to send the body, and as long again to take the answer.
     *
     * @param value more than zero; default 10 s
     * @return this
     */
    public Builder bodyTimeout(Duration value) {
      bodyTimeout = positive("bodyTimeout", value);
      return this;
    }

    /**
     * How many requests are worked on at once; as many again may wait. Beyond that connections are
     * dropped.
     *
     * @param requests at least 1; default 32
     * @return this
     */
    public Builder maxConcurrent(int requests) {
      if (requests < 1) {
        throw new IllegalArgumentException("maxConcurrent must be at least 1, found " + requests);
      }
      maxConcurrent = requests;
      return this;
    }

    /**
     * What event names Nova does not know do.
     *
     * @param value default TOLERANT
     * @return this
     */
    public Builder unknownNames(UnknownNames value) {
      unknownNames = Objects.requireNonNull(value, "unknownNames");
      return this;
    }

    /**
     * Shows every call and its answer to an observer, before the answer is sent.
     *
     * @param value the observer; must be thread-safe and quick
     * @return this
     */
    public Builder onCall(Consumer<? super Call> value) {
      observer = Objects.requireNonNull(value, "observer");
      return this;
    }

    /**
     * Makes the receiver.
     *
     * @return the receiver, not started
     */
    public ExternalEventsReceiver build() {
      return new ExternalEventsReceiver(new Builder(this));
    }

    private static Duration positive(String name, Duration value) {
      if (value.isZero() || value.isNegative()) {
        throw new IllegalArgumentException(name + " must be more than zero, found " + value);
      }
      return value;
    }
  }
}
