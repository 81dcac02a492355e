package io.vifplug.event;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.vifplug.event.ExternalEventsHandler.Request;
import io.vifplug.event.ExternalEventsHandler.Response;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of Nova's API around the events: version documents as keystoneauth and novaclient look
 * for them, the microversion headers and the shape of faults.
 */
final class Versions {
  private static final String LEGACY_HEADER = "X-OpenStack-Nova-API-Version";
  private static final String HEADER = "OpenStack-API-Version";
  private static final Pattern MICROVERSION = Pattern.compile("[0-9]{1,4}\\.[0-9]{1,4}");
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:_\\[\\]-]{1,255}");
  private static final Map<Integer, String> FAULTS =
      Map.of(
          400, "badRequest",
          401, "unauthorized",
          404, "itemNotFound",
          405, "badMethod",
          413, "overLimit",
          503, "serviceUnavailable");

  private Versions() {}

  static Response document(Route route, Request request) {
    String version =
        """
        {"id":"v2.1","status":"CURRENT","version":"2.93","min_version":"2.1",\
        "updated":"2013-07-23T11:33:21Z","links":[{"rel":"self","href":"%s/v2.1/"}],\
        "media-types":[{"base":"application/json",\
        "type":"application/vnd.openstack.compute+json;version=2.1"}]}"""
            .formatted(baseUrl(request));
    return Response.json(
        200,
        route == Route.VERSIONS
            ? "{\"versions\":[" + version + "]}"
            : "{\"version\":" + version + "}");
  }

  /** Links are as the client sees us; without a usable Host header they are relative. */
  private static String baseUrl(Request request) {
    String host = request.header("Host");
    if (host == null || !HOST.matcher(host).matches()) {
      return "";
    }
    return ("https".equals(request.header("X-Forwarded-Proto")) ? "https://" : "http://") + host;
  }

  /** novaclient warns when the version it asked for is not confirmed. */
  static Response markMicroversion(Response response, Request request) {
    String asked = request.header(LEGACY_HEADER);
    String version = asked != null && MICROVERSION.matcher(asked).matches() ? asked : "2.1";
    return response.with(LEGACY_HEADER, version).with(HEADER, "compute " + version);
  }

  static String fault(int status, String message) {
    return "{\"%s\":{\"code\":%d,\"message\":\"%s\"}}"
        .formatted(name(status), status, quote(message));
  }

  private static String name(int status) {
    @Nullable String name = FAULTS.get(status);
    return name == null ? "computeFault" : name;
  }

  private static String quote(String text) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(text));
  }
}
