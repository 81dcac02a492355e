/** Test doubles, contract tests for implementers, the scenario runner and its command line. */
module io.vifplug.testkit {
  requires transitive io.vifplug.core;
  requires static org.jspecify;
  requires org.slf4j;
  requires info.picocli;
  requires java.net.http;
  requires com.fasterxml.jackson.databind;
  requires static transitive org.junit.jupiter.api;
  requires static transitive org.assertj.core;

  exports io.vifplug.testkit;
  exports io.vifplug.testkit.scenario;

  opens io.vifplug.testkit.scenario to
      info.picocli;
}
