package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.event.EventName;
import io.vifplug.event.EventSink;
import io.vifplug.event.EventSource;
import io.vifplug.event.EventStatus;
import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.Registration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What every {@link EventSource} keeps. Implementers extend this class and say how to send. */
@SuppressWarnings("try") // registrations are held, not used
public abstract class EventSourceContract {
  private final UUID guest = UUID.randomUUID();
  private final UUID port = UUID.randomUUID();

  /** For subclasses. */
  protected EventSourceContract() {}

  /**
   * The source under test, not started; the same one within a test.
   *
   * @return the source
   */
  protected abstract EventSource source();

  /**
   * Sends one body from outside, and returns when it has been answered or refused.
   *
   * @param events its events in order
   * @throws Exception if it cannot be sent, other than for nobody listening
   */
  protected abstract void send(List<NetworkEvent> events) throws Exception;

  @Test
  @DisplayName("a source that was not started does not listen")
  final void notListeningBeforeStart() {
    assertThat(source().health().listening()).isFalse();
  }

  @Test
  @DisplayName("a source listens when start returns")
  final void listensWhenStartReturns() throws Exception {
    RecordingSink sink = new RecordingSink(EventSink.Disposition.ACCEPTED);
    try (Registration unused = source().start(sink)) {
      assertThat(source().health().listening()).isTrue();
      send(List.of(NetworkEvent.plugged(guest, port)));
      assertThat(sink.bodies).containsExactly(List.of(NetworkEvent.plugged(guest, port)));
    }
  }

  @Test
  @DisplayName("one body is delivered whole, in order, in one piece")
  final void bodiesAreWhole() throws Exception {
    RecordingSink sink = new RecordingSink(EventSink.Disposition.ACCEPTED);
    List<NetworkEvent> body =
        List.of(
            NetworkEvent.unplugged(guest, port),
            new NetworkEvent(EventName.NETWORK_CHANGED, guest, null, EventStatus.COMPLETED),
            new NetworkEvent(EventName.VIF_PLUGGED, guest, port, EventStatus.FAILED),
            NetworkEvent.plugged(guest, port));
    try (Registration unused = source().start(sink)) {
      send(body);
      send(List.of(NetworkEvent.plugged(guest, port)));
    }
    assertThat(sink.bodies).containsExactly(body, List.of(NetworkEvent.plugged(guest, port)));
  }

  @Test
  @DisplayName("deliveries are counted, whatever becomes of their events")
  final void deliveriesAreCounted() throws Exception {
    try (Registration unused = source().start(new RecordingSink(EventSink.Disposition.UNKNOWN))) {
      send(List.of(NetworkEvent.plugged(guest, port)));
      send(List.of(NetworkEvent.plugged(guest, port), NetworkEvent.unplugged(guest, port)));
      assertThat(source().health().calls()).isEqualTo(2);
      assertThat(source().health().authFailures()).isZero();
    }
  }

  @Test
  @DisplayName("a closed source delivers nothing; closing twice is harmless")
  final void closedSourceIsSilent() throws Exception {
    RecordingSink sink = new RecordingSink(EventSink.Disposition.ACCEPTED);
    Registration registration = source().start(sink);
    registration.close();
    registration.close();
    assertThat(source().health().listening()).isFalse();
    send(List.of(NetworkEvent.plugged(guest, port)));
    assertThat(sink.bodies).isEmpty();
  }

  @Test
  @DisplayName("a closed source can be started again")
  final void canBeStartedAgain() throws Exception {
    source().start(new RecordingSink(EventSink.Disposition.ACCEPTED)).close();
    RecordingSink sink = new RecordingSink(EventSink.Disposition.ACCEPTED);
    try (Registration unused = source().start(sink)) {
      send(List.of(NetworkEvent.plugged(guest, port)));
    }
    assertThat(sink.bodies).hasSize(1);
  }

  private static final class RecordingSink implements EventSink {
    final List<List<NetworkEvent>> bodies = new CopyOnWriteArrayList<>();
    private final Disposition answer;

    RecordingSink(Disposition answer) {
      this.answer = answer;
    }

    @Override
    public List<Disposition> deliver(List<NetworkEvent> events) {
      bodies.add(List.copyOf(events));
      return Collections.nCopies(events.size(), answer);
    }
  }
}
