package io.vifplug.testkit.scenario;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The testkit's command line. Exit status: 0 good, 1 the check failed, 2 wrong use or unreadable
 * input. Results go to standard output, progress and logs to standard error.
 */
@Command(
    name = "vifplug-testkit",
    description = "Scenarios, demonstrations and checks of vifplug, without any cloud.",
    subcommands = {RunCommand.class, ExplainCommand.class, ReceiveCommand.class, DemoCommand.class})
public final class CommandLine implements Callable<Integer> {
  /** All is well. */
  static final int GOOD = 0;

  /** What was to be checked is not so. */
  static final int FAILED = 1;

  /** Wrong use, or input that cannot be read. */
  static final int WRONG_USE = 2;

  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "show this help")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean help;

  private CommandLine() {}

  /**
   * Runs a command and ends the JVM with its status.
   *
   * @param args the command and its arguments
   */
  public static void main(String[] args) {
    if (System.getProperty(LOG_LEVEL) == null) {
      System.setProperty(LOG_LEVEL, "warn");
    }
    int status = run(args, System.out, System.err);
    System.exit(status);
  }

  /**
   * Runs a command.
   *
   * @param args the command and its arguments
   * @param out takes results
   * @param err takes progress and messages
   * @return the exit status
   */
  public static int run(String[] args, PrintStream out, PrintStream err) {
    PrintWriter results = writer(out);
    PrintWriter messages = writer(err);
    try {
      return new picocli.CommandLine(new CommandLine())
          .setOut(results)
          .setErr(messages)
          .setExecutionExceptionHandler(
              (failure, command, parsed) -> {
                if (failure instanceof InvalidScenarioException) {
                  messages.println(failure.getMessage());
                } else {
                  failure.printStackTrace(messages);
                }
                return WRONG_USE;
              })
          .execute(args);
    } finally {
      results.flush();
      messages.flush();
    }
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "expected a command");
  }
}
