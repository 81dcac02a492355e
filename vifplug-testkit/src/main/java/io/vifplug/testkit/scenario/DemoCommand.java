package io.vifplug.testkit.scenario;

import io.vifplug.PlugPolicy;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A host boot without waiting and one with vifplug, then a real Neutron's events over a socket. */
@Command(
    name = "demo",
    description = "Brings 200 guests back after a host boot: without waiting, and with vifplug.")
final class DemoCommand implements Callable<Integer> {
  private static final String RECORDING = "ovs-batch";
  private static final int BAR = 40;
  private static final long FRAME_MILLIS = 15;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--json", description = "print one JSON object as the last line")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    Demo.Result noWait = run("no wait", Demo.noWait());
    Demo.Result vifPlug = run("vifplug", PlugPolicy.defaults());
    Replay.Result replay = Replay.run(RECORDING);
    if (json) {
      Map<String, Object> values = new LinkedHashMap<>();
      values.put("noWait", noWait.values());
      values.put("vifPlug", vifPlug.values());
      values.put("replay", replay.values());
      out.println(Json.write(values));
    } else {
      table(out, noWait, vifPlug);
      replay(out, replay);
    }
    boolean good =
        noWait.early() > noWait.guests() / 2
            && vifPlug.early() == 0
            && vifPlug.failed() == 0
            && replay.isGood();
    return good ? CommandLine.GOOD : CommandLine.FAILED;
  }

  private Demo.Result run(String name, PlugPolicy policy) {
    PrintWriter err = spec.commandLine().getErr();
    // Virtual time needs no time; only where somebody watches is it slowed down to be seen.
    boolean watched = !json && Ansi.AUTO.enabled() && System.getenv("CI") == null;
    if (!watched) {
      return Demo.run(policy, (done, all, elapsed) -> {});
    }
    Demo.Result result =
        Demo.run(
            policy,
            (done, all, elapsed) -> {
              err.print("\r" + bar(name, done, all, elapsed));
              err.flush();
              pause();
            });
    err.println();
    return result;
  }

  private static String bar(String name, int done, int all, Duration elapsed) {
    int filled = done * BAR / all;
    return "%-8s [%s%s] %3d/%d  t=%.1f s "
        .formatted(
            name,
            "#".repeat(filled),
            ".".repeat(BAR - filled),
            done,
            all,
            elapsed.toMillis() / 1000.0);
  }

  private static void pause() {
    try {
      var unused = new CountDownLatch(1).await(FRAME_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void table(PrintWriter out, Demo.Result noWait, Demo.Result vifPlug) {
    out.println("A host boots and brings its guests back (ml2/ovs, virtual time)");
    out.println();
    out.println("           guests   early  failed  degraded  makespan");
    row(out, "no wait", noWait);
    row(out, "vifplug", vifPlug);
    out.println();
    out.println("early: the guest ran before its port was wired; its first DHCP request is lost.");
    out.println(
        "Both runs: one port per guest, the agent polls every 2 s and wires "
            + Demo.PORTS_PER_SECOND
            + " ports/s,");
    out.println(
        "same seed. maxInFlight is "
            + Demo.GUESTS
            + ", so that the agent and not admission sets the pace.");
  }

  private static void row(PrintWriter out, String name, Demo.Result result) {
    out.println(
        "%-9s  %6d  %6d  %6d  %8d  %6.1f s"
            .formatted(
                name,
                result.guests(),
                result.early(),
                result.failed(),
                result.degraded(),
                result.makespan().toMillis() / 1000.0));
  }

  private static void replay(PrintWriter out, Replay.Result replay) {
    out.println();
    out.println(
        "Replayed to the receiver over a socket: recording %s of Neutron %s"
            .formatted(replay.recording().name(), replay.recording().neutron()));
    out.println(
        "%d posts, %d events, answers %s"
            .formatted(replay.posts(), replay.events(), replay.answers()));
  }
}
