/** The Linux host: libvirt, Open vSwitch, Linux bridge and tap. */
@NullMarked
package io.vifplug.libvirt;

import org.jspecify.annotations.NullMarked;
