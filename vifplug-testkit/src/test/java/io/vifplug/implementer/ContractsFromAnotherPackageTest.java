package io.vifplug.implementer;

import io.vifplug.Guest;
import io.vifplug.event.EventSource;
import io.vifplug.event.NetworkEvent;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.Hypervisor;
import io.vifplug.spi.Journal;
import io.vifplug.testkit.EventSourceContract;
import io.vifplug.testkit.FakeHypervisor;
import io.vifplug.testkit.FakeNetworkBackend;
import io.vifplug.testkit.HostScript;
import io.vifplug.testkit.HypervisorContract;
import io.vifplug.testkit.JournalContract;
import io.vifplug.testkit.Timeline;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** The contracts as those see them who implement the SPIs: from a package of their own. */
class ContractsFromAnotherPackageTest {
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

  @Nested
  class TheFakeHypervisorWithoutVirtualTime extends HypervisorContract {
    private final FakeHypervisor hypervisor =
        new FakeHypervisor(new HostScript(Timeline.untimed()));

    @Override
    protected Hypervisor hypervisor() {
      return hypervisor;
    }

    @Override
    protected void pauseByOthers(Guest guest) {
      hypervisor.tell(guest.id(), GuestNews.Change.PAUSED);
    }

    @Override
    protected void stopByOthers(Guest guest) {
      hypervisor.tell(guest.id(), GuestNews.Change.GONE);
    }
  }
}
