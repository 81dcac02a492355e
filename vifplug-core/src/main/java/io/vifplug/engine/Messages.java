package io.vifplug.engine;

import io.vifplug.network.Vif;
import io.vifplug.spi.HostException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Words for operators: port, expected, observed, since when, what to do. */
final class Messages {
  private Messages() {}

  static String port(Vif vif) {
    String driver = vif.boundDriver();
    Object mode = vif.details().get("vhostuser_mode");
    return "port "
        + vif.port()
        + " (vif type "
        + vif.type()
        + (mode == null ? "" : ", mode " + mode)
        + ", vnic type "
        + vif.vnicType()
        + (driver == null ? "" : ", driver " + driver)
        + ", device "
        + vif.deviceName()
        + ")";
  }

  static String cause(@Nullable Throwable failure) {
    if (failure == null) {
      return "no answer";
    }
    if (failure instanceof HostException host) {
      return host.kind() + ": " + host.getMessage() + inner(failure.getCause());
    }
    return failure + inner(failure.getCause());
  }

  private static String inner(@Nullable Throwable cause) {
    return cause == null ? "" : " (" + cause + ")";
  }

  /** What is known of ports that are outstanding, one after the other. */
  static String outstanding(Attempt attempt, List<PortTracker> ports, Duration waited) {
    return ports.stream()
        .map(port -> outstanding(attempt, port, waited))
        .collect(Collectors.joining("; "));
  }

  private static String outstanding(Attempt attempt, PortTracker port, Duration waited) {
    StringBuilder text = new StringBuilder();
    text.append(port(port.plan().vif()))
        .append(": expected ")
        .append(port.missing())
        .append(" during ")
        .append(attempt.operation())
        .append(" since ")
        .append(attempt.context().timing().now().minus(waited))
        .append(" (waited ")
        .append(waited)
        .append("), observed ")
        .append(port.failed() ? "failure" : "none");
    if (!port.detail().isEmpty()) {
      text.append(" (").append(port.detail()).append(')');
    }
    if (port.earlyEvents() > 0) {
      text.append(", ").append(port.earlyEvents()).append(" plugged event(s) before plug");
    }
    if (port.lastStatus() != null) {
      text.append(", status=").append(port.lastStatus());
    }
    if (port.handshakeDue()) {
      text.append(
          port.acknowledged()
              ? ", unplug was acknowledged"
              : ", unplug was not acknowledged (unplugAcked=false): an agent that polls may have"
                  + " seen no transition and then never announces the plug");
    }
    return text.toString();
  }

  /** What else was seen, and where to look. */
  static String circumstances(Attempt attempt) {
    StringBuilder text = new StringBuilder("; seen: ");
    var seen = attempt.book().eventsSeen();
    text.append(
        seen.isEmpty()
            ? "no event of this guest"
            : seen.entrySet().stream()
                .map(entry -> entry.getKey() + " x" + entry.getValue())
                .collect(Collectors.joining(", ")));
    HealthBook health = attempt.context().health();
    if (health.hasSources() && health.calls() == 0) {
      text.append(
              "; the receiver has seen 0 calls since start: check that the network back end can")
          .append(" reach it and has credentials");
    } else {
      text.append(
          "; look at the network agent of this host and at the port in the network service");
    }
    return text.toString();
  }
}
