package io.vifplug.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vifplug.Guest;
import io.vifplug.network.Vif;
import io.vifplug.network.VifType;
import io.vifplug.spi.HostException;
import io.vifplug.spi.VifPlugger;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What every {@link VifPlugger} keeps. Implementers extend this class and say how to get at theirs.
 * Vifs are unplugged after each test, and after the implementer's own {@code @AfterEach}: close a
 * connection in {@code @AfterAll}.
 */
public abstract class VifPluggerContract {
  private final Guest guest = Guest.of(UUID.randomUUID());
  private final List<Vif> made = new ArrayList<>();

  /** For subclasses. */
  protected VifPluggerContract() {}

  /**
   * The plugger under test; the same one within a test.
   *
   * @return the plugger
   */
  protected abstract VifPlugger plugger();

  /**
   * A vif that the plugger supports.
   *
   * @param port its port
   * @return the vif
   */
  protected abstract Vif vif(UUID port);

  /**
   * Looks at the host itself, past the plugger.
   *
   * @param guest the guest
   * @param vif the vif
   * @return whether anything of the vif is there
   * @throws Exception if it cannot be looked at
   */
  protected abstract boolean isThere(Guest guest, Vif vif) throws Exception;

  /**
   * Makes the next plug of a vif fail half-way.
   *
   * @param guest the guest
   * @param vif the vif
   * @return false if the implementer cannot: the test is skipped
   * @throws Exception if it went wrong
   */
  protected abstract boolean breakNextPlug(Guest guest, Vif vif) throws Exception;

  @AfterEach
  final void unplugAll() throws HostException {
    for (Vif vif : made) {
      plugger().unplug(guest, vif);
    }
  }

  @Test
  @DisplayName("whether a vif is supported is said without touching the host")
  final void supportsIsPure() throws Exception {
    Vif vif = newVif();
    assertThat(plugger().supports(vif)).isTrue();
    assertThat(plugger().moment(vif)).isNotNull();
    assertThat(isThere(guest, vif)).isFalse();
  }

  @Test
  @DisplayName("a vif type nobody knows is not supported")
  final void unknownTypeIsNotSupported() {
    Vif vif = Vif.builder(UUID.randomUUID()).type(new VifType("no-such-type")).build();
    assertThat(plugger().supports(vif)).isFalse();
  }

  @Test
  @DisplayName("plug plugs and unplug unplugs")
  final void plugAndUnplug() throws Exception {
    Vif vif = newVif();
    plugger().plug(guest, vif);
    assertThat(isThere(guest, vif)).isTrue();
    plugger().unplug(guest, vif);
    assertThat(isThere(guest, vif)).isFalse();
  }

  @Test
  @DisplayName("plugging a healthy port of the same owner again changes nothing")
  final void plugIsIdempotent() throws Exception {
    Vif vif = newVif();
    plugger().plug(guest, vif);
    plugger().plug(guest, vif);
    assertThat(isThere(guest, vif)).isTrue();
    plugger().unplug(guest, vif);
    assertThat(isThere(guest, vif)).isFalse();
  }

  @Test
  @DisplayName("unplug of a vif that is not plugged is success")
  final void unplugOfTheAbsent() throws Exception {
    Vif vif = newVif();
    assertThatCode(() -> plugger().unplug(guest, vif)).doesNotThrowAnyException();
    plugger().plug(guest, vif);
    plugger().unplug(guest, vif);
    assertThatCode(() -> plugger().unplug(guest, vif)).doesNotThrowAnyException();
  }

  @Test
  @DisplayName("a vif can be plugged again after an unplug")
  final void replug() throws Exception {
    Vif vif = newVif();
    plugger().plug(guest, vif);
    plugger().unplug(guest, vif);
    plugger().plug(guest, vif);
    assertThat(isThere(guest, vif)).isTrue();
  }

  @Test
  @DisplayName("one vif's unplug leaves the others alone")
  final void unplugTouchesOneVif() throws Exception {
    Vif first = newVif();
    Vif second = newVif();
    plugger().plug(guest, first);
    plugger().plug(guest, second);
    plugger().unplug(guest, first);
    assertThat(isThere(guest, first)).isFalse();
    assertThat(isThere(guest, second)).isTrue();
  }

  @Test
  @DisplayName("a plug that threw has changed nothing, and can be tried again")
  final void failedPlugChangesNothing() throws Exception {
    Vif vif = newVif();
    assumeTrue(breakNextPlug(guest, vif), "a plug cannot be made to fail here");
    assertThatThrownBy(() -> plugger().plug(guest, vif)).isInstanceOf(HostException.class);
    assertThat(isThere(guest, vif)).isFalse();
    plugger().plug(guest, vif);
    assertThat(isThere(guest, vif)).isTrue();
  }

  private Vif newVif() {
    Vif vif = vif(UUID.randomUUID());
    made.add(vif);
    return vif;
  }
}
