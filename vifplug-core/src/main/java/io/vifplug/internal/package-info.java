/** Small helpers shared by the packages; not exported. */
@NullMarked
package io.vifplug.internal;

import org.jspecify.annotations.NullMarked;
