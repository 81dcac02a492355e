package io.vifplug.testkit.scenario;

import io.vifplug.event.EventSink.Disposition;
import io.vifplug.event.ExternalEvents.UnknownNames;
import io.vifplug.event.ExternalEventsHandler;
import io.vifplug.event.ExternalEventsReceiver;
import io.vifplug.spi.Registration;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the real receiver alone: does Neutron reach us, and what do we answer? */
@Command(
    name = "receive",
    description = "Runs the event receiver alone and prints every call and its answer.")
final class ReceiveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--port",
      required = true,
      paramLabel = "P",
      description = "the port to listen on; 0 takes a free one")
  private int port;

  @Option(
      names = "--bind",
      defaultValue = "127.0.0.1",
      paramLabel = "ADDRESS",
      description = "the address to listen on (default: ${DEFAULT-VALUE})")
  private String address = "";

  @Option(names = "--known", paramLabel = "UUID", description = "a guest that is on this host")
  private Set<String> known = new LinkedHashSet<>();

  @Option(
      names = "--token-file",
      paramLabel = "F",
      description = "holds the X-Auth-Token every call must bring")
  private @Nullable Path tokenFile;

  @Option(names = "--strict", description = "refuse a body with an event name nobody knows")
  private boolean strict;

  @Option(names = "--json", description = "print one JSON object per call")
  private boolean json;

  @Override
  public Integer call() {
    Set<UUID> guests = guests();
    ExternalEventsReceiver receiver = receiver();
    try (Registration running =
        receiver.start(
            events ->
                events.stream()
                    .map(
                        event ->
                            guests.contains(event.guest())
                                ? Disposition.ACCEPTED
                                : Disposition.UNKNOWN)
                    .toList())) {
      announce(receiver, guests.size());
      waitUntilInterrupted(running);
    } catch (IllegalStateException cannotListen) {
      spec.commandLine().getErr().println(cannotListen.getMessage());
      return CommandLine.WRONG_USE;
    }
    return CommandLine.GOOD;
  }

  /** Returns when this thread is interrupted. A signal ends the process, which is no failure. */
  private void waitUntilInterrupted(Registration running) {
    Thread onSignal =
        new Thread(
            () -> {
              running.close();
              spec.commandLine().getOut().flush();
              Runtime.getRuntime().halt(CommandLine.GOOD);
            },
            "close the receiver");
    Runtime.getRuntime().addShutdownHook(onSignal);
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException interrupted) {
      Runtime.getRuntime().removeShutdownHook(onSignal);
    }
  }

  private void announce(ExternalEventsReceiver receiver, int guests) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        "listening on http://%s:%d/v2.1/os-server-external-events, %d known guest(s), %s; stop with Ctrl-C"
            .formatted(
                address,
                receiver.port(),
                guests,
                tokenFile == null ? "no token asked for" : "token asked for"));
  }

  private Set<UUID> guests() {
    Set<UUID> guests = new LinkedHashSet<>();
    for (String text : known) {
      if (!Place.isUuid(text)) {
        throw wrong("--known: expected a UUID, found '" + text + "'");
      }
      guests.add(UUID.fromString(text));
    }
    return guests;
  }

  private ExternalEventsReceiver receiver() {
    if (port < 0 || port > 65535) {
      throw wrong("--port: expected 0 to 65535, found " + port);
    }
    try {
      ExternalEventsReceiver.Builder builder =
          ExternalEventsReceiver.builder()
              .bind(new InetSocketAddress(InetAddress.getByName(address), port))
              .unknownNames(strict ? UnknownNames.STRICT : UnknownNames.TOLERANT)
              .onCall(this::print);
      String token = token();
      return (token == null ? builder : builder.token(token)).build();
    } catch (UnknownHostException unknown) {
      throw wrong("--bind: expected an address of this host, found '" + address + "'");
    }
  }

  private @Nullable String token() {
    if (tokenFile == null) {
      return null;
    }
    try {
      String token = Files.readString(tokenFile).strip();
      if (token.isEmpty()) {
        throw wrong("--token-file: expected a token in " + tokenFile + ", found none");
      }
      return token;
    } catch (IOException unreadable) {
      throw wrong("--token-file: expected a file that can be read: " + unreadable);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void print(ExternalEventsHandler.Call call) {
    String at = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    String text = json ? object(at, call) : lines(at, call);
    // One print per call: calls come on several threads.
    spec.commandLine().getOut().println(text);
  }

  private static String lines(String at, ExternalEventsHandler.Call call) {
    return "%s %s %s -> %d%n  called with %s%n  answered %s"
        .formatted(
            at, call.method(), call.path(), call.status(), call.requestBody(), call.responseBody());
  }

  private static String object(String at, ExternalEventsHandler.Call call) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("at", at);
    values.put("method", call.method());
    values.put("path", call.path());
    values.put("body", jsonOrText(call.requestBody()));
    values.put("code", call.status());
    values.put("answer", jsonOrText(call.responseBody()));
    return Json.write(values);
  }

  private static Object jsonOrText(String text) {
    Object json = Json.plainOrNull(text);
    return json == null ? text : json;
  }
}
