/** Which back end announces what, and when. */
@NullMarked
package io.vifplug.backend;

import org.jspecify.annotations.NullMarked;
