/** Scenario files, their runner and the command line. */
@NullMarked
package io.vifplug.testkit.scenario;

import org.jspecify.annotations.NullMarked;
