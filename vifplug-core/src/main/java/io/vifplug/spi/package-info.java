/** What a host, a network back end and an application provide. */
@NullMarked
package io.vifplug.spi;

import org.jspecify.annotations.NullMarked;
