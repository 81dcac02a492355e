package io.vifplug.testkit;

import io.vifplug.VifPlug;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a JUnit 5 test method a {@link FakeHost} of its own: as parameters a {@link VirtualTime},
 * {@link FakeHypervisor}, {@link FakePlugger}, {@link FakeNetworkBackend}, {@link Timeline}, {@link
 * HostScript}, the {@link FakeHost}, or a {@link VifPlug} over them with default policy.
 *
 * <p>After the test the VifPlug is closed. A test that failed prints its timeline to standard
 * error. A test that succeeded fails all the same if the host was misused or if a guest is left
 * paused by the library.
 */
public final class VifPlugExtension implements ParameterResolver, AfterEachCallback {
  private static final Namespace NAMESPACE = Namespace.create(VifPlugExtension.class);
  // close() gives up after ten seconds.
  private static final Duration CLOSING = Duration.ofSeconds(11);

  private static final Map<Class<?>, Function<Fixture, Object>> PARAMETERS =
      Map.of(
          VirtualTime.class, fixture -> fixture.host.time(),
          Timeline.class, fixture -> fixture.host.timeline(),
          HostScript.class, fixture -> fixture.host.script(),
          FakeHypervisor.class, fixture -> fixture.host.hypervisor(),
          FakePlugger.class, fixture -> fixture.host.plugger(),
          FakeNetworkBackend.class, fixture -> fixture.host.network(),
          FakeHost.class, fixture -> fixture.host,
          VifPlug.class, Fixture::vifPlug);

  /** Made by JUnit. */
  public VifPlugExtension() {}

  private static final class Fixture {
    final FakeHost host = new FakeHost();
    @Nullable VifPlug vifPlug;

    VifPlug vifPlug() {
      VifPlug built = vifPlug;
      if (built == null) {
        built = host.vifPlug().build();
        vifPlug = built;
      }
      return built;
    }

    void close() {
      if (vifPlug != null) {
        var closed = vifPlug.closeAsync().toCompletableFuture();
        host.time().advance(Duration.ZERO);
        if (!closed.isDone()) {
          host.time().advance(CLOSING);
        }
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    // A host is for one test: not for constructors and @BeforeAll, which many tests share.
    return context.getTestMethod().isPresent()
        && PARAMETERS.containsKey(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Fixture fixture =
        context
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent(Fixture.class, unused -> new Fixture(), Fixture.class);
    Function<Fixture, Object> resolver = PARAMETERS.get(parameter.getParameter().getType());
    if (resolver == null) {
      throw new IllegalArgumentException("no parameter of this extension: " + parameter);
    }
    return resolver.apply(fixture);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Fixture fixture = context.getStore(NAMESPACE).get(Fixture.class, Fixture.class);
    if (fixture == null) {
      return;
    }
    String title = "timeline of " + context.getDisplayName() + ":\n";
    Optional<Throwable> failure = context.getExecutionException();
    if (failure.isPresent()) {
      System.err.println(title + fixture.host.timeline());
      return;
    }
    fixture.close();
    List<String> faults = new ArrayList<>(fixture.host.timeline().violations());
    for (UUID guest : fixture.host.hypervisor().pausedByLibrary()) {
      faults.add("guest " + guest + " is left paused by the library");
    }
    if (!faults.isEmpty()) {
      throw new AssertionError(String.join("\n", faults) + "\n" + title + fixture.host.timeline());
    }
  }
}
