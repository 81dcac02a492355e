package io.vifplug.network;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.vifplug.internal.Uuids;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads Nova's and Neutron's JSON; no Jackson type leaves this package. What can be read but makes
 * no sense (no vif type, a blank device name, the same port twice) is kept as it is: the planner
 * refuses it with a reason of its own.
 */
final class NetworkInfoReader {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private NetworkInfoReader() {}

  static NetworkInfo nova(String json) {
    return new NetworkInfo(
        readAll(root(json), "an array of vifs or one vif", NetworkInfoReader::novaVif));
  }

  static NetworkInfo neutron(String json) {
    JsonPlace root = root(json);
    JsonPlace ports = root.isObject() ? root.get("ports") : root;
    if (root.isObject() && ports.isAbsent()) {
      JsonPlace port = root.get("port");
      ports = port.isAbsent() ? root : port;
    }
    return new NetworkInfo(
        readAll(ports, "an array of ports or one port", NetworkInfoReader::neutronVif));
  }

  private static JsonPlace root(String json) {
    Objects.requireNonNull(json, "json");
    try {
      return new JsonPlace("", MAPPER.readTree(json));
    } catch (JsonProcessingException e) {
      throw new InvalidNetworkInfoException("", "expected JSON, found none: " + describe(e));
    }
  }

  /** The parser's own words without the excerpt of the source that Jackson adds. */
  private static String describe(JsonProcessingException e) {
    var where = e.getLocation();
    return e.getOriginalMessage()
        + (where == null
            ? ""
            : " (line " + where.getLineNr() + ", column " + where.getColumnNr() + ")");
  }

  private static List<Vif> readAll(
      JsonPlace place, String expected, Function<JsonPlace, Vif> reader) {
    if (place.isObject()) {
      return List.of(reader.apply(place));
    }
    List<Vif> vifs = new ArrayList<>();
    for (JsonPlace element : place.elements(expected)) {
      vifs.add(reader.apply(element));
    }
    return vifs;
  }

  private static Vif novaVif(JsonPlace vif) {
    vif.requireObject("a vif");
    UUID port = portId(vif);
    JsonPlace network = vif.get("network").orEmptyObject("the vif's network");
    JsonPlace details = vif.get("details").orEmptyObject("the binding details");
    String deviceName = vif.get("devname").textOrNull("the device's name");
    return new Vif(
        port,
        vifType(vif.get("type")),
        vnicType(vif.get("vnic_type")),
        vif.get("address").text("the MAC address"),
        network.get("id").text("the network's id"),
        bridge(details, network.get("bridge").textOrNull("the bridge's name")),
        // A name that is given is kept, however bad: a silent correction would plug another device.
        deviceName == null ? Vif.defaultDeviceName(port) : deviceName,
        vif.get("active").bool("true or false", true),
        vif.get("admin_state_up").bool("true or false", true),
        details.toMap(),
        vif.get("profile").orEmptyObject("the binding profile").toMap());
  }

  private static Vif neutronVif(JsonPlace port) {
    port.requireObject("a port");
    UUID id = portId(port);
    JsonPlace details = port.get("binding:vif_details").orEmptyObject("the binding details");
    return new Vif(
        id,
        vifType(port.get("binding:vif_type")),
        vnicType(port.get("binding:vnic_type")),
        port.get("mac_address").text("the MAC address"),
        port.get("network_id").text("the network's id"),
        bridge(details, null),
        Vif.defaultDeviceName(id),
        port.get("status").text("the port's status").equals("ACTIVE"),
        port.get("admin_state_up").bool("true or false", true),
        details.toMap(),
        port.get("binding:profile").orEmptyObject("the binding profile").toMap());
  }

  private static UUID portId(JsonPlace vif) {
    JsonPlace id = vif.get("id");
    String text = id.textOrNull("the port's UUID");
    UUID port = text == null ? null : Uuids.parse(text);
    if (port == null) {
      throw id.wrong("the port's UUID");
    }
    return port;
  }

  private static VifType vifType(JsonPlace place) {
    String wire = place.text("the vif type");
    return wire.isEmpty() ? VifType.NONE : new VifType(wire);
  }

  private static VnicType vnicType(JsonPlace place) {
    return VnicType.of(place.text("the vnic type"));
  }

  /** The binding's word on the bridge is newer than the network's (LP 2133225). */
  private static @Nullable String bridge(JsonPlace details, @Nullable String ofNetwork) {
    String ofBinding = details.get("bridge_name").textOrNull("the bridge's name");
    String bridge = ofBinding == null || ofBinding.isBlank() ? ofNetwork : ofBinding;
    return bridge == null || bridge.isBlank() ? null : bridge;
  }

  /** One value of the document and where it is. */
  private record JsonPlace(String pointer, JsonNode node) {
    private static final int SHOWN = 80;

    JsonPlace get(String key) {
      return new JsonPlace(pointer + "/" + key, node.path(key));
    }

    boolean isObject() {
      return node.isObject();
    }

    boolean isAbsent() {
      return node.isMissingNode();
    }

    private boolean isNothing() {
      return node.isMissingNode() || node.isNull();
    }

    List<JsonPlace> elements(String expected) {
      if (!node.isArray()) {
        throw wrong(expected);
      }
      List<JsonPlace> places = new ArrayList<>();
      for (JsonNode element : node) {
        places.add(new JsonPlace(pointer + "/" + places.size(), element));
      }
      return places;
    }

    void requireObject(String expected) {
      if (!node.isObject()) {
        throw wrong(expected + ", a JSON object");
      }
    }

    JsonPlace orEmptyObject(String expected) {
      if (isNothing()) {
        return new JsonPlace(pointer, MAPPER.createObjectNode());
      }
      requireObject(expected);
      return this;
    }

    @Nullable String textOrNull(String expected) {
      if (isNothing()) {
        return null;
      }
      if (!node.isTextual()) {
        throw wrong(expected + ", a JSON string");
      }
      return node.textValue();
    }

    String text(String expected) {
      String text = textOrNull(expected);
      return text == null ? "" : text;
    }

    boolean bool(String expected, boolean byDefault) {
      if (isNothing()) {
        return byDefault;
      }
      if (!node.isBoolean()) {
        throw wrong(expected);
      }
      return node.booleanValue();
    }

    Map<String, Object> toMap() {
      return JsonValues.map(node);
    }

    InvalidNetworkInfoException wrong(String expected) {
      return new InvalidNetworkInfoException(
          pointer, "expected " + expected + ", found " + found());
    }

    private String found() {
      if (node.isMissingNode()) {
        return "nothing";
      }
      String text = node.toString();
      return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
  }
}
