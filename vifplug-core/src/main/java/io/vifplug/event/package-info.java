/** Events of the network back end and the ways they come in. */
@NullMarked
package io.vifplug.event;

import org.jspecify.annotations.NullMarked;
