package io.vifplug.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The sample documents of the tests. */
public final class Payloads {
  private Payloads() {}

  /** The text of {@code payloads/<name>.json}. */
  public static String text(String name) {
    try (InputStream stream = Payloads.class.getResourceAsStream("/payloads/" + name + ".json")) {
      if (stream == null) {
        throw new IllegalArgumentException("no payload " + name);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
