package io.vifplug.event;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what was delivered; guests are unknown unless placed. */
final class FakeSink implements EventSink {
  final List<List<NetworkEvent>> deliveries = new CopyOnWriteArrayList<>();
  private final Map<UUID, Disposition> places = new ConcurrentHashMap<>();
  private volatile Disposition otherwise = Disposition.UNKNOWN;

  static FakeSink thatAccepts() {
    return answering(Disposition.ACCEPTED);
  }

  static FakeSink answering(Disposition disposition) {
    FakeSink sink = new FakeSink();
    sink.otherwise = disposition;
    return sink;
  }

  FakeSink place(UUID guest, Disposition disposition) {
    places.put(guest, disposition);
    return this;
  }

  @Override
  public List<Disposition> deliver(List<NetworkEvent> events) {
    deliveries.add(events);
    return events.stream().map(event -> places.getOrDefault(event.guest(), otherwise)).toList();
  }
}
