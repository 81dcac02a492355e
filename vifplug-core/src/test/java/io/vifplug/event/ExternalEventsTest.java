package io.vifplug.event;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.vifplug.event.ExternalEvents.Answer;
import io.vifplug.event.ExternalEvents.Batch;
import io.vifplug.event.ExternalEvents.Item;
import io.vifplug.event.ExternalEvents.Parsed;
import io.vifplug.event.ExternalEvents.Rejected;
import io.vifplug.event.ExternalEvents.UnknownNames;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalEventsTest {
  private static final String SERVER = "00000001-aaaa-4aaa-8aaa-000000000001";
  private static final String TAG = "00000001-1111-4111-8111-000000000001";

  private static Parsed parse(String body) {
    return ExternalEvents.parse(body.getBytes(UTF_8), UnknownNames.TOLERANT);
  }

  private static List<Item> items(String body) {
    Parsed parsed = parse(body);
    assertThat(parsed).isInstanceOf(Batch.class);
    return ((Batch) parsed).items();
  }

  private static Item item(String members) {
    return items("{\"events\":[{" + members + "}]}").get(0);
  }

  private static String plugged(String more) {
    return "\"name\":\"network-vif-plugged\",\"server_uuid\":\"" + SERVER + "\"" + more;
  }

  private static void assertRejected(Parsed parsed, String pointer, String message) {
    assertThat(parsed)
        .asInstanceOf(type(Rejected.class))
        .satisfies(rejected -> assertThat(rejected.pointer()).isEqualTo(pointer))
        .satisfies(rejected -> assertThat(rejected.message()).contains(message));
  }

  @Test
  void anEventIsKeptAsSentAndUnderstood() {
    Item item = item(plugged(",\"tag\":\"" + TAG + "\",\"status\":\"failed\""));

    assertThat(item)
        .isEqualTo(
            new Item(
                "network-vif-plugged",
                SERVER,
                "failed",
                TAG,
                new NetworkEvent(
                    EventName.VIF_PLUGGED,
                    UUID.fromString(SERVER),
                    UUID.fromString(TAG),
                    EventStatus.FAILED),
                null));
  }

  @ParameterizedTest
  @EnumSource
  void everyStatusIsUnderstood(EventStatus status) {
    assertThat(item(plugged(",\"status\":\"" + status.wire() + "\"")).event())
        .extracting(NetworkEvent::status)
        .isEqualTo(status);
  }

  @Test
  void anAbsentStatusMeansCompletedAndAnAbsentTagNoPort() {
    Item item = item(plugged(""));

    assertThat(item.status()).isNull();
    assertThat(item.tag()).isNull();
    assertThat(item.event())
        .isEqualTo(
            new NetworkEvent(
                EventName.VIF_PLUGGED, UUID.fromString(SERVER), null, EventStatus.COMPLETED));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "eth0", "00000001-1111-4111-8111-00000000000g", "ü\\u0000\\uD83D\\uDE00"})
  void aTagThatIsNoUuidMatchesNoPort(String tag) {
    Item item = item(plugged(",\"tag\":\"" + tag + "\""));

    assertThat(item.tag()).isNotNull();
    assertThat(item.event()).extracting(NetworkEvent::port).isNull();
  }

  @Test
  void idsInAnyFormAreNormalisedAndAnsweredAsSent() {
    Item item =
        item(
            """
            "name":"network-vif-plugged","server_uuid":"{00000001AAAA4AAA8AAA000000000001}",
            "tag":"urn:uuid:00000001-1111-4111-8111-000000000001\"""");

    assertThat(item.serverUuid()).isEqualTo("{00000001AAAA4AAA8AAA000000000001}");
    assertThat(item.event())
        .isEqualTo(NetworkEvent.plugged(UUID.fromString(SERVER), UUID.fromString(TAG)));
    assertThat(ExternalEvents.write(List.of(new Answer(item, 200))))
        .contains("{00000001AAAA4AAA8AAA000000000001}")
        .contains("urn:uuid:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "network-changed",
        "network-vif-plugged",
        "network-vif-unplugged",
        "network-vif-deleted",
        "volume-extended",
        "power-update",
        "accelerator-request-bound",
        "volume-reimaged"
      })
  void everyNameOfNovaIsKnownInBothModes(String name) {
    byte[] body =
        ("{\"events\":[{\"name\":\"" + name + "\",\"server_uuid\":\"" + SERVER + "\"}]}")
            .getBytes(UTF_8);

    for (UnknownNames mode : UnknownNames.values()) {
      assertThat(ExternalEvents.parse(body, mode))
          .asInstanceOf(type(Batch.class))
          .satisfies(
              batch ->
                  assertThat(batch.items().get(0).event())
                      .extracting(NetworkEvent::name)
                      .isEqualTo(new EventName(name)));
    }
  }

  @Test
  void anUnknownNameCostsOneEventOrTheWholeBody() {
    byte[] body =
        ("{\"events\":[{"
                + plugged("")
                + "},{\"name\":\"network-vif-frobbed\",\"server_uuid\":\""
                + SERVER
                + "\"}]}")
            .getBytes(UTF_8);

    Parsed tolerant = ExternalEvents.parse(body, UnknownNames.TOLERANT);
    Parsed strict = ExternalEvents.parse(body, UnknownNames.STRICT);

    assertThat(((Batch) tolerant).items())
        .extracting(Item::event)
        .satisfiesExactly(
            event -> assertThat(event).isNotNull(), event -> assertThat(event).isNull());
    assertThat(((Batch) tolerant).items().get(1).refusal()).isEqualTo("unknown event name");
    assertRejected(
        strict,
        "/events/1/name",
        "Invalid input for field/attribute /events/1/name. Value: \"network-vif-frobbed\". It is"
            + " not one of ['network-changed', 'network-vif-plugged'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | `` | It is not of type 'object'",
        "3 | `` | It is not of type 'object'",
        "null | `` | It is not of type 'object'",
        "\"x\" | `` | Value: \"x\"",
        "{} | `` | 'events' is a required property",
        "{\"events\":[]} | /events | It is too short",
        "{\"events\":{}} | /events | It is not of type 'array'",
        "{\"events\":null} | /events | Value: null",
        "{\"events\":[3]} | /events/0 | Value: 3",
        "{\"events\":[@],\"x\":1} | `` | (\"x\" was unexpected)",
        "{\"x\":{\"events\":[@]}} | `` | (\"x\" was unexpected)",
        "{\"events\":[@,{\"name\":\"network-changed\"}]} | /events/1 | 'server_uuid' is a required",
        "{\"events\":[{\"server_uuid\":\"00000001-aaaa-4aaa-8aaa-000000000001\"}]} | /events/0 | 'name' is a required",
        "{\"events\":[@,{\"host\":\"a\"}]} | /events/1 | (\"host\" was unexpected)",
        "{\"events\":[{\"name\":3}]} | /events/0/name | It is not of type 'string'",
        "{\"events\":[{\"server_uuid\":[]}]} | /events/0/server_uuid | Value: […]",
        "{\"events\":[{\"tag\":7}]} | /events/0/tag | Value: 7",
        "{\"events\":[{\"tag\":null}]} | /events/0/tag | Value: null",
        "{\"events\":[{\"tag\":{\"a\":1}}]} | /events/0/tag | Value: {…}",
        "{\"events\":[{\"status\":true}]} | /events/0/status | Value: true",
        "{\"events\":[@]} {} | `` | something follows",
      })
  void whatNovasSchemaRefusesIsRefusedWithItsPointer(String body, String pointer, String message) {
    assertRejected(parse(body.replace("@", "{" + plugged("") + "}")), pointer, message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Completed", "", "done", "in_progress"})
  void anUnknownStatusIsRefused(String status) {
    assertRejected(
        parse("{\"events\":[{" + plugged(",\"status\":\"" + status + "\"") + "}]}"),
        "/events/0/status",
        "It is not one of ['completed', 'failed', 'in-progress'].");
  }

  @Test
  void aServerThatIsNoUuidIsRefused() {
    assertRejected(
        parse("{\"events\":[{\"name\":\"network-changed\",\"server_uuid\":\"probe-host-a\"}]}"),
        "/events/0/server_uuid",
        "Value: \"probe-host-a\". It is not a 'uuid'.");
  }

  @Test
  void aTagMayHave255CharactersAndNotOneMore() {
    String longest = "\uD83D\uDE00".repeat(255);

    assertThat(item(plugged(",\"tag\":\"" + longest + "\"")).tag()).isEqualTo(longest);
    assertRejected(
        parse("{\"events\":[{" + plugged(",\"tag\":\"" + longest + "x\"") + "}]}"),
        "/events/0/tag",
        "It is too long.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"events\":[",
        "{\"events\":[{\"name\":\"network-changed\"",
        "nonsense",
        "{'events':[]}",
        "name=network-changed",
        "<events/>",
        "{\"events\":[],\"events\":[]}",
        "{\"events\":[{\"name\":\"network-changed\",\"name\":\"network-changed\"}]}"
      })
  void whatIsNoJsonOrHasAKeyTwiceIsRefused(String body) {
    assertThat(parse(body)).isInstanceOf(Rejected.class);
  }

  @Test
  void aKeyGivenTwiceIsNamed() {
    assertRejected(
        parse("{\"events\":[{" + plugged(",\"name\":\"network-changed\"") + "}]}"),
        "",
        "Duplicate field 'name'");
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() {
    assertThat(ExternalEvents.parse(new byte[] {'{', '"', (byte) 0xff, '"'}, UnknownNames.STRICT))
        .isInstanceOf(Rejected.class);
    assertThat(ExternalEvents.parse(new byte[64], UnknownNames.STRICT))
        .isInstanceOf(Rejected.class);
    assertThat(ExternalEvents.parse("x".getBytes(UTF_16), UnknownNames.STRICT))
        .isInstanceOf(Rejected.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{\"events\":", "{\"events\":[{\"tag\":["})
  void hugeNestingIsRefusedAndDoesNotOverflow(String opening) {
    assertThat(parse(opening.repeat(100_000))).isInstanceOf(Rejected.class);
  }

  @Test
  void aMessageDoesNotRepeatALongValue() {
    Rejected rejected =
        (Rejected)
            parse(
                "{\"events\":[{\"name\":\"network-changed\",\"server_uuid\":\""
                    + "\uD83D\uDE00".repeat(10_000)
                    + "\"}]}");

    assertThat(rejected.message()).hasSizeLessThan(400);
  }

  @Test
  void anAnswerSaysWhatBecameOfTheDeliveryAndNotOfThePort() {
    Item failed = item(plugged(",\"status\":\"failed\",\"tag\":\"ü\""));

    assertThat(ExternalEvents.write(List.of(new Answer(failed, 200), new Answer(failed, 404))))
        .isEqualTo(
            "{\"events\":[{\"name\":\"network-vif-plugged\",\"server_uuid\":\""
                + SERVER
                + "\",\"tag\":\"ü\",\"status\":\"completed\",\"code\":200},"
                + "{\"name\":\"network-vif-plugged\",\"server_uuid\":\""
                + SERVER
                + "\",\"tag\":\"ü\",\"status\":\"failed\",\"code\":404}]}");
  }

  @Test
  void aBodyThatIsWrittenCanBeRead() {
    List<NetworkEvent> events =
        List.of(
            NetworkEvent.plugged(UUID.fromString(SERVER), UUID.fromString(TAG)),
            new NetworkEvent(
                EventName.NETWORK_CHANGED, UUID.fromString(SERVER), null, EventStatus.IN_PROGRESS));

    assertThat(items(ExternalEvents.body(events)))
        .extracting(Item::event)
        .containsExactlyElementsOf(events);
  }

  @Test
  void anItemHasAnEventOrARefusal() {
    assertThatThrownBy(() -> new Item("n", "s", null, null, null, null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
