package io.vifplug.event;

import java.util.Arrays;
import java.util.List;

/** The paths that are answered. */
enum Route {
  /** {@code /}: all versions. */
  VERSIONS("GET, HEAD"),
  /** {@code /v2.1}: the version that is spoken. */
  VERSION("GET, HEAD"),
  /** {@code /v2.1/os-server-external-events}, with or without a project before the last part. */
  EVENTS("POST"),
  /** Anything else. */
  NONE("");

  private static final List<String> ROOTS = List.of("v2.1", "v2");
  private static final String RESOURCE = "os-server-external-events";

  private final String allowed;

  Route(String allowed) {
    this.allowed = allowed;
  }

  static Route of(String pathAndQuery) {
    int query = pathAndQuery.indexOf('?');
    String path = query < 0 ? pathAndQuery : pathAndQuery.substring(0, query);
    List<String> parts = Arrays.stream(path.split("/", -1)).filter(p -> !p.isEmpty()).toList();
    if (parts.isEmpty()) {
      return VERSIONS;
    }
    if (!ROOTS.contains(parts.get(0)) || parts.size() > 3) {
      return NONE;
    }
    if (parts.size() == 1) {
      return VERSION;
    }
    return parts.get(parts.size() - 1).equals(RESOURCE) ? EVENTS : NONE;
  }

  boolean allows(String method) {
    return List.of(allowed.split(", ")).contains(method);
  }

  /** The methods as the Allow header has them. */
  String allowed() {
    return allowed;
  }
}
