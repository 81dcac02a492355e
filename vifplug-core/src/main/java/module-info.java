/**
 * vifplug: from "this guest should run with these ports" to "it runs, and its network was ready
 * first".
 */
module io.vifplug.core {
  requires static transitive org.jspecify;
  requires org.slf4j;
  requires com.google.common;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires jdk.httpserver;

  exports io.vifplug;
  exports io.vifplug.backend;
  exports io.vifplug.event;
  exports io.vifplug.network;
  exports io.vifplug.spi;
}
