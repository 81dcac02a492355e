/** What is plugged: vifs as Nova and Neutron describe them. */
@NullMarked
package io.vifplug.network;

import org.jspecify.annotations.NullMarked;
