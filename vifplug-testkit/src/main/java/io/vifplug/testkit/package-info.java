/**
 * Test doubles for agents that embed vifplug, and contract tests for those who implement its SPIs.
 */
@NullMarked
package io.vifplug.testkit;

import org.jspecify.annotations.NullMarked;
