package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vifplug.Guest;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.GuestStatus.State;
import io.vifplug.spi.HostException;
import io.vifplug.spi.Hypervisor;
import io.vifplug.spi.Hypervisor.Resumed;
import io.vifplug.spi.Registration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Hypervisor} keeps. Implementers extend this class and say how to get at theirs.
 * Guests are destroyed and undefined after each test, and after the implementer's own
 * {@code @AfterEach}: close a connection in {@code @AfterAll}.
 */
@SuppressWarnings("try") // registrations are held, not used
public abstract class HypervisorContract {
  private final List<Guest> made = new ArrayList<>();

  /** For subclasses. */
  protected HypervisorContract() {}

  /**
   * The hypervisor under test; the same one within a test.
   *
   * @return the hypervisor
   */
  protected abstract Hypervisor hypervisor();

  /**
   * Somebody else pauses a running guest.
   *
   * @param guest the guest
   * @throws Exception if it cannot
   */
  protected abstract void pauseByOthers(Guest guest) throws Exception;

  /**
   * Somebody else stops an active guest, or its process dies.
   *
   * @param guest the guest
   * @throws Exception if it cannot
   */
  protected abstract void stopByOthers(Guest guest) throws Exception;

  /**
   * A definition for guests of the test.
   *
   * @return what {@link Guest#definition} is to be; empty unless overridden
   */
  protected String definition() {
    return "";
  }

  /**
   * Vifs for guests of the test, plugged already if they need to be.
   *
   * @return none unless overridden
   */
  protected List<Vif> vifs() {
    return List.of();
  }

  /**
   * How long news may take.
   *
   * @return 10 s unless overridden
   */
  protected Duration patience() {
    return Duration.ofSeconds(10);
  }

  @AfterEach
  final void removeGuests() throws HostException {
    for (Guest guest : made) {
      hypervisor().destroy(guest);
      hypervisor().undefine(guest);
    }
  }

  @Test
  @DisplayName("a guest nobody made is absent")
  final void unknownGuestIsAbsent() throws HostException {
    assertThat(hypervisor().lookup(guest()).state()).isEqualTo(State.ABSENT);
  }

  @Test
  @DisplayName("a lookup has no effect")
  final void lookupHasNoEffect() throws HostException {
    Guest guest = guest();
    assertThat(hypervisor().lookup(guest)).isEqualTo(hypervisor().lookup(guest));
    String instance = hypervisor().createPaused(guest, vifs());
    assertThat(hypervisor().lookup(guest)).isEqualTo(hypervisor().lookup(guest));
    assertThat(hypervisor().lookup(guest).instance()).isEqualTo(instance);
  }

  @Test
  @DisplayName("createPaused makes a guest that is paused and carries our mark")
  final void createPausedMarks() throws HostException {
    Guest guest = guest();
    String instance = hypervisor().createPaused(guest, vifs());
    var status = hypervisor().lookup(guest);
    assertThat(status.state()).isEqualTo(State.PAUSED);
    assertThat(status.pausedByUs()).isTrue();
    assertThat(status.instance()).isEqualTo(instance);
  }

  @Test
  @DisplayName("createRunning makes a guest that runs, without a mark")
  final void createRunningRuns() throws HostException {
    Guest guest = guest();
    String instance = hypervisor().createRunning(guest, vifs());
    var status = hypervisor().lookup(guest);
    assertThat(status.state()).isEqualTo(State.RUNNING);
    assertThat(status.pausedByUs()).isFalse();
    assertThat(status.instance()).isEqualTo(instance);
  }

  @Test
  @DisplayName("creating a guest that is active is refused and leaves it alone")
  final void createOfAnActiveGuestIsRefused() throws HostException {
    Guest guest = guest();
    String instance = hypervisor().createRunning(guest, vifs());
    assertThatThrownBy(() -> hypervisor().createPaused(guest, vifs()))
        .isInstanceOf(HostException.class);
    assertThat(hypervisor().lookup(guest).state()).isEqualTo(State.RUNNING);
    assertThat(hypervisor().lookup(guest).instance()).isEqualTo(instance);
  }

  @Test
  @DisplayName("resume resumes a guest that we paused, and takes the mark away")
  final void resumeResumes() throws HostException {
    Guest guest = guest();
    String instance = hypervisor().createPaused(guest, vifs());
    assertThat(hypervisor().resume(guest, instance)).isEqualTo(Resumed.RESUMED);
    assertThat(hypervisor().lookup(guest).state()).isEqualTo(State.RUNNING);
    assertThat(hypervisor().lookup(guest).pausedByUs()).isFalse();
  }

  @Test
  @DisplayName("resume of a guest that runs does nothing and says so")
  final void resumeOfARunningGuest() throws HostException {
    Guest guest = guest();
    String instance = hypervisor().createPaused(guest, vifs());
    hypervisor().resume(guest, instance);
    assertThat(hypervisor().resume(guest, instance)).isEqualTo(Resumed.RAN_ALREADY);
  }

  @Test
  @DisplayName("resume leaves a guest paused that others have paused")
  final void resumeLeavesTheUsersPause() throws Exception {
    Guest guest = guest();
    String instance = hypervisor().createRunning(guest, vifs());
    pauseByOthers(guest);
    assertThat(hypervisor().lookup(guest).pausedByUs()).isFalse();
    assertThat(hypervisor().resume(guest, instance)).isEqualTo(Resumed.PAUSED_BY_OTHERS);
    assertThat(hypervisor().lookup(guest).state()).isEqualTo(State.PAUSED);
  }

  @Test
  @DisplayName("resume of a run that is gone says GONE, even if the guest runs anew")
  final void resumeOfAGoneRun() throws HostException {
    Guest guest = guest();
    String first = hypervisor().createPaused(guest, vifs());
    hypervisor().destroy(guest);
    assertGone(guest, first);
    hypervisor().createPaused(guest, vifs());
    assertGone(guest, first);
    assertThat(hypervisor().lookup(guest).state()).isEqualTo(State.PAUSED);
  }

  @Test
  @DisplayName("destroy stops a guest, paused or running")
  final void destroyStops() throws HostException {
    Guest paused = guest();
    Guest running = guest();
    hypervisor().createPaused(paused, vifs());
    hypervisor().createRunning(running, List.of());
    hypervisor().destroy(paused);
    hypervisor().destroy(running);
    assertThat(hypervisor().lookup(paused).state().isActive()).isFalse();
    assertThat(hypervisor().lookup(running).state().isActive()).isFalse();
    assertThat(hypervisor().lookup(paused).instance()).isNull();
  }

  @Test
  @DisplayName("destroy of a guest that is gone or was never there is success")
  final void destroyOfAGoneGuest() throws HostException {
    Guest guest = guest();
    assertThatCode(() -> hypervisor().destroy(guest)).doesNotThrowAnyException();
    hypervisor().createPaused(guest, vifs());
    hypervisor().destroy(guest);
    assertThatCode(() -> hypervisor().destroy(guest)).doesNotThrowAnyException();
  }

  @Test
  @DisplayName("each run of a guest has a name of its own")
  final void instancesDiffer() throws HostException {
    Guest guest = guest();
    String first = hypervisor().createPaused(guest, vifs());
    hypervisor().destroy(guest);
    String second = hypervisor().createRunning(guest, vifs());
    assertThat(second).isNotEqualTo(first);
  }

  @Test
  @DisplayName("undefine makes a stopped guest absent, and is idempotent")
  final void undefineIsIdempotent() throws HostException {
    Guest guest = guest();
    hypervisor().undefine(guest);
    hypervisor().createPaused(guest, vifs());
    hypervisor().destroy(guest);
    hypervisor().undefine(guest);
    hypervisor().undefine(guest);
    assertThat(hypervisor().lookup(guest).state()).isEqualTo(State.ABSENT);
    assertThat(hypervisor().lookup(guest).defined()).isFalse();
  }

  @Test
  @DisplayName("a lookup names another guest that has the same name")
  final void lookupNamesTheOwnerOfTheName() throws HostException {
    Guest owner = guest();
    Guest other = new Guest(UUID.randomUUID(), owner.name(), definition());
    assertThat(hypervisor().lookup(other).nameOwner()).isNull();
    hypervisor().createPaused(owner, vifs());
    assertThat(hypervisor().lookup(other).nameOwner()).isEqualTo(owner.id());
    assertThat(hypervisor().lookup(owner).nameOwner()).isNull();
  }

  @Test
  @DisplayName("news of a guest that stopped name the run it happened to")
  final void newsNameTheRun() throws Exception {
    BlockingQueue<GuestNews> news = new LinkedBlockingQueue<>();
    try (Registration unused = hypervisor().onNews(news::add)) {
      Guest guest = guest();
      String instance = hypervisor().createPaused(guest, vifs());
      stopByOthers(guest);
      GuestNews gone = next(news, guest, GuestNews.Change.GONE);
      assertThat(gone).as("news of the stop").isNotNull();
      assertThat(gone).extracting(GuestNews::instance).isEqualTo(instance);
    }
  }

  @Test
  @DisplayName("a closed registration hears nothing more")
  final void closedRegistrationIsSilent() throws Exception {
    BlockingQueue<GuestNews> closed = new LinkedBlockingQueue<>();
    BlockingQueue<GuestNews> open = new LinkedBlockingQueue<>();
    Registration registration = hypervisor().onNews(closed::add);
    registration.close();
    registration.close();
    try (Registration unused = hypervisor().onNews(open::add)) {
      Guest guest = guest();
      hypervisor().createPaused(guest, vifs());
      stopByOthers(guest);
      assertThat(next(open, guest, GuestNews.Change.GONE)).isNotNull();
      assertThat(closed).isEmpty();
    }
  }

  private void assertGone(Guest guest, String instance) {
    assertThatThrownBy(() -> hypervisor().resume(guest, instance))
        .asInstanceOf(InstanceOfAssertFactories.type(HostException.class))
        .extracting(HostException::kind)
        .isEqualTo(HostException.Kind.GONE);
  }

  private @Nullable GuestNews next(
      BlockingQueue<GuestNews> news, Guest guest, GuestNews.Change change)
      throws InterruptedException {
    GuestNews one;
    while ((one = news.poll(patience().toMillis(), TimeUnit.MILLISECONDS)) != null) {
      if (one.guest().equals(guest.id()) && one.change() == change) {
        return one;
      }
    }
    return null;
  }

  private Guest guest() {
    UUID id = UUID.randomUUID();
    Guest guest = new Guest(id, Hypervisor.defaultName(id), definition());
    made.add(guest);
    return guest;
  }
}
