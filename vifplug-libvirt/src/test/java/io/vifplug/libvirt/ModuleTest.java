package io.vifplug.libvirt;

import static org.assertj.core.api.Assertions.assertThat;

import io.vifplug.spi.Hypervisor;
import io.vifplug.spi.VifPlugger;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** What the adapters of this module will rest on: the core's SPIs, and a null contract. */
class ModuleTest {
  @Test
  void thePackageIsNullMarked() throws ClassNotFoundException {
    assertThat(Class.forName("io.vifplug.libvirt.package-info")).hasAnnotation(NullMarked.class);
  }

  @Test
  void theSpisOfTheCoreAreInReach() {
    assertThat(Hypervisor.class).isInterface();
    assertThat(VifPlugger.class).isInterface();
  }
}
