/** The engine. Not exported. */
@NullMarked
package io.vifplug.engine;

import org.jspecify.annotations.NullMarked;
