package io.vifplug.testkit;

import io.vifplug.event.EventSource;
import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.Journal;
import java.util.List;
import org.junit.jupiter.api.Nested;

class ContractsTest {
  @Nested
  class TheFakeNetworkBackend extends EventSourceContract {
    private final FakeNetworkBackend backend = new FakeNetworkBackend();

    @Override
    protected EventSource source() {
      return backend;
    }

    @Override
    protected void send(List<NetworkEvent> events) {
      var unused = backend.deliver(events);
    }
  }

  @Nested
  class TheJournalInMemory extends JournalContract {
    private final Journal journal = Journal.inMemory();

    @Override
    protected Journal journal() {
      return journal;
    }
  }
}
