/** The entry point of vifplug and the values it takes and returns. */
@NullMarked
package io.vifplug;

import org.jspecify.annotations.NullMarked;
