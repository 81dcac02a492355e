package io.vifplug.internal;

import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads UUIDs in every form that OpenStack's services take for one. */
public final class Uuids {
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{32}");

  private Uuids() {}

  /**
   * Reads a UUID as Nova does (oslo {@code is_uuid_like}): {@code urn:} and {@code uuid:} are
   * dropped, then braces at both ends and all dashes; what is left must be 32 hexadecimal digits of
   * either case.
   *
   * @param text the text
   * @return the UUID, or null if the text is none
   */
  public static @Nullable UUID parse(String text) {
    String hex =
        stripBraces(text.replace("urn:", "").replace("uuid:", ""))
            .replace("-", "")
            .toLowerCase(Locale.ROOT);
    if (!HEX.matcher(hex).matches()) {
      return null;
    }
    return new UUID(
        Long.parseUnsignedLong(hex.substring(0, 16), 16),
        Long.parseUnsignedLong(hex.substring(16), 16));
  }

  private static String stripBraces(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isBrace(text.charAt(start))) {
      start++;
    }
    while (end > start && isBrace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isBrace(char c) {
    return c == '{' || c == '}';
  }
}
