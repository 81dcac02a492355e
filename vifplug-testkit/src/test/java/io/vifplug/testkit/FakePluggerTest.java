package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vifplug.Guest;
import io.vifplug.network.Vif;
import io.vifplug.network.VifType;
import io.vifplug.spi.HostException;
import io.vifplug.spi.VifPlugger;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FakePluggerTest {
  private final FakeHost host = new FakeHost();
  private final FakePlugger plugger = host.plugger();
  private final Guest guest = Guest.of(UUID.randomUUID());
  private final Guest other = Guest.of(UUID.randomUUID());
  private final Vif first = Vif.builder(UUID.randomUUID()).build();
  private final Vif second = Vif.builder(UUID.randomUUID()).build();

  @Nested
  class Contract extends VifPluggerContract {
    @Override
    protected VifPlugger plugger() {
      return plugger;
    }

    @Override
    protected Vif vif(UUID port) {
      return Vif.builder(port).build();
    }

    @Override
    protected boolean isThere(Guest owner, Vif vif) {
      return owner.id().equals(plugger.owner(vif.port()));
    }

    @Override
    protected boolean breakNextPlug(Guest owner, Vif vif) {
      var unused = host.script().fault(Fault.once("plug", Fault.ErrorKind.GENERIC));
      return true;
    }
  }

  @Test
  void whatIsPluggedIsKnownInOrder() throws HostException {
    plugger.plug(guest, second);
    plugger.plug(guest, first);
    plugger.plug(guest, second);
    assertThat(plugger.plugged(guest.id())).containsExactly(second, first);
    plugger.unplug(guest, second);
    plugger.unplug(guest, first);
    assertThat(plugger.plugged()).isEmpty();
  }

  @Test
  void aPortOfAnotherGuestIsMisuseAndIsTakenOver() throws HostException {
    plugger.plug(guest, first);
    plugger.plug(other, first);
    assertThat(plugger.owner(first.port())).isEqualTo(other.id());
    assertThat(plugger.plugged(guest.id())).isEmpty();
    plugger.unplug(guest, first);
    assertThat(plugger.isPlugged(first.port())).isTrue();
    assertThat(host.timeline().violations()).hasSize(1);
  }

  @Test
  void aPortOfAnotherGuestCanBeRefused() throws HostException {
    plugger.refuseForeignPorts();
    plugger.plug(guest, first);
    assertThatThrownBy(() -> plugger.plug(other, first)).isInstanceOf(HostException.class);
    assertThat(plugger.owner(first.port())).isEqualTo(guest.id());
  }

  @Test
  void typesAndMomentsCanBeSet() {
    Vif vrouter = Vif.builder(UUID.randomUUID()).type(new VifType("vrouter")).build();
    assertThat(plugger.supports(vrouter)).isFalse();
    assertThatThrownBy(() -> plugger.plug(guest, vrouter)).hasMessageContaining("vrouter");
    plugger.supportOnly("vrouter");
    plugger.moment(new VifType("vrouter"), VifPlugger.Moment.AFTER_CREATE);
    assertThat(plugger.supports(vrouter)).isTrue();
    assertThat(plugger.supports(first)).isFalse();
    assertThat(plugger.moment(vrouter)).isEqualTo(VifPlugger.Moment.AFTER_CREATE);
    assertThat(plugger.moment(first)).isEqualTo(VifPlugger.Moment.BEFORE_CREATE);
  }

  @Test
  void anAdoptedVifIsPluggedWithoutARecord() {
    plugger.adopt(guest.id(), List.of(first, second));
    assertThat(plugger.plugged(guest.id())).containsExactly(first, second);
    assertThat(host.timeline().entries()).isEmpty();
  }
}
