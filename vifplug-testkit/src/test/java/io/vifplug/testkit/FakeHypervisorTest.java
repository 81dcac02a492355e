package io.vifplug.testkit;

import static io.vifplug.testkit.TimelineAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vifplug.Guest;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.spi.HostException;
import io.vifplug.spi.Hypervisor;
import io.vifplug.testkit.FakeHypervisor.Pauser;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FakeHypervisorTest {
  private final FakeHost host = new FakeHost();
  private final FakeHypervisor hypervisor = host.hypervisor();
  private final Guest guest = Guest.of(UUID.randomUUID());
  private final Vif vif = Vif.builder(UUID.randomUUID()).build();

  @Nested
  class Contract extends HypervisorContract {
    @Override
    protected Hypervisor hypervisor() {
      return hypervisor;
    }

    @Override
    protected void pauseByOthers(Guest subject) {
      hypervisor.tell(subject.id(), GuestNews.Change.PAUSED);
    }

    @Override
    protected void stopByOthers(Guest subject) {
      hypervisor.tell(subject.id(), GuestNews.Change.GONE);
    }
  }

  @Test
  void aDestroyedGuestIsShutOffUntilItIsUndefined() throws HostException {
    hypervisor.createPaused(guest, List.of(vif));
    hypervisor.destroy(guest);
    assertThat(hypervisor.state(guest.id())).isEqualTo(State.SHUTOFF);
    hypervisor.undefine(guest);
    assertThat(hypervisor.state(guest.id())).isEqualTo(State.ABSENT);
    assertThat(hypervisor.guests()).isEmpty();
  }

  @Test
  void anActiveGuestCannotBeUndefined() throws HostException {
    hypervisor.createRunning(guest, List.of());
    assertThatThrownBy(() -> hypervisor.undefine(guest)).isInstanceOf(HostException.class);
  }

  @Test
  void aNameInUseIsRefused() throws HostException {
    hypervisor.createRunning(guest, List.of());
    Guest namesake = new Guest(UUID.randomUUID(), guest.name(), "");
    assertThatThrownBy(() -> hypervisor.createPaused(namesake, List.of()))
        .hasMessageContaining(guest.id().toString());
  }

  @Test
  void itsOwnNewsAreThoseOfDestroyAndResume() throws HostException {
    List<GuestNews> news = new ArrayList<>();
    var unused = hypervisor.onNews(news::add);
    String instance = hypervisor.createPaused(guest, List.of());
    hypervisor.resume(guest, instance);
    hypervisor.destroy(guest);
    hypervisor.destroy(guest);
    assertThat(news)
        .containsExactly(
            new GuestNews(guest.id(), GuestNews.Change.RUNNING, instance),
            new GuestNews(guest.id(), GuestNews.Change.GONE, instance));
  }

  @Test
  void whatOthersDoChangesTheStateAndIsTold() throws HostException {
    List<GuestNews.Change> news = new ArrayList<>();
    var unused = hypervisor.onNews(one -> news.add(one.change()));
    hypervisor.createPaused(guest, List.of());
    for (GuestNews.Change change :
        List.of(
            GuestNews.Change.RUNNING,
            GuestNews.Change.PAUSED,
            GuestNews.Change.CRASHED,
            GuestNews.Change.GONE)) {
      hypervisor.tell(guest.id(), change);
    }
    assertThat(news)
        .containsExactly(
            GuestNews.Change.RUNNING,
            GuestNews.Change.PAUSED,
            GuestNews.Change.CRASHED,
            GuestNews.Change.GONE);
    assertThat(hypervisor.state(guest.id())).isEqualTo(State.SHUTOFF);
    assertThat(host.timeline()).hasNoViolations();
  }

  @Test
  void initialStatesCanBeSet() throws HostException {
    hypervisor.put(guest, State.PAUSED, Pauser.LIBRARY, List.of(vif));
    assertThat(hypervisor.pausedByLibrary()).containsExactly(guest.id());
    assertThat(hypervisor.lookup(guest).pausedByUs()).isTrue();
    hypervisor.put(guest, State.SHUTOFF, null, List.of());
    assertThat(hypervisor.lookup(guest).instance()).isNull();
    assertThat(host.timeline().counted()).isEmpty();
    assertThatThrownBy(() -> hypervisor.put(guest, State.PAUSED, null, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void attachAndDetachChangeThePortsOfARunningGuest() throws HostException {
    assertThatThrownBy(() -> hypervisor.attach(guest, vif)).isInstanceOf(HostException.class);
    hypervisor.createRunning(guest, List.of());
    hypervisor.attach(guest, vif);
    assertThat(hypervisor.guests().values())
        .flatExtracting(FakeHypervisor.Domain::ports)
        .containsExactly(vif.port());
    hypervisor.detach(guest, vif);
    hypervisor.detach(guest, vif);
    assertThat(hypervisor.guests().values()).flatExtracting(FakeHypervisor.Domain::ports).isEmpty();
    hypervisor.refuseAttach();
    assertThat(hypervisor.canAttach()).isFalse();
    assertThatThrownBy(() -> hypervisor.attach(guest, vif)).hasMessageContaining("attach");
  }

  @Test
  void anUnplugUnderAGuestThatRunsIsMisuse() throws HostException {
    host.plugger().plug(guest, vif);
    hypervisor.createPaused(guest, List.of(vif));
    host.plugger().unplug(guest, vif);
    assertThat(host.timeline().violations())
        .singleElement()
        .asString()
        .contains(vif.port().toString())
        .contains("active guest");
  }

  @Test
  void anUnplugAfterDetachOrDestroyOrAFailedDestroyIsNone() throws HostException {
    host.plugger().plug(guest, vif);
    hypervisor.createPaused(guest, List.of(vif));
    hypervisor.detach(guest, vif);
    host.plugger().unplug(guest, vif);
    hypervisor.attach(guest, vif);
    var unused = host.script().fault(Fault.once("destroy", Fault.ErrorKind.GENERIC));
    assertThatThrownBy(() -> hypervisor.destroy(guest)).isInstanceOf(HostException.class);
    host.plugger().unplug(guest, vif);
    hypervisor.destroy(guest);
    host.plugger().unplug(guest, vif);
    assertThat(host.timeline()).hasNoViolations();
  }

  @Test
  void creatingAGuestThatIsActiveIsMisuseUnlessOthersStartedIt() throws HostException {
    hypervisor.put(guest, State.SHUTOFF, null, List.of());
    hypervisor.tell(guest.id(), GuestNews.Change.RUNNING);
    assertThatThrownBy(() -> hypervisor.createPaused(guest, List.of()))
        .isInstanceOf(HostException.class);
    assertThat(host.timeline()).hasNoViolations();
    hypervisor.destroy(guest);
    hypervisor.createPaused(guest, List.of());
    assertThatThrownBy(() -> hypervisor.createRunning(guest, List.of()))
        .isInstanceOf(HostException.class);
    assertThat(host.timeline().violations()).hasSize(1);
  }
}
