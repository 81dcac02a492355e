package io.vifplug.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UuidsTest {
  private static final UUID ID = UUID.fromString("0000001a-aaaa-4aaa-8aaa-00000000001b");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000001a-aaaa-4aaa-8aaa-00000000001b",
        "0000001A-AAAA-4AAA-8AAA-00000000001B",
        "0000001aaaaa4aaa8aaa00000000001b",
        "{0000001a-aaaa-4aaa-8aaa-00000000001b}",
        "urn:uuid:0000001a-aaaa-4aaa-8aaa-00000000001b",
        "0000001a-aaaa4aaa-8aaa00000000-001b",
        "}0000001aaaaa4aaa8aaa00000000001b{"
      })
  void everyFormThatNovaAcceptsIsNormalised(String text) {
    assertThat(Uuids.parse(text)).isEqualTo(ID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "x",
        "probe-host-a",
        "0000001a-aaaa-4aaa-8aaa-00000000001",
        "0000001a-aaaa-4aaa-8aaa-00000000001bb",
        "0000001a-aaaa-4aaa-8aaa-00000000001g",
        " 0000001a-aaaa-4aaa-8aaa-00000000001b",
        "0000001a_aaaa_4aaa_8aaa_00000000001b",
        "0000001a-aaaa-4aaa-{8aaa}-00000000001b",
        "URN:0000001a-aaaa-4aaa-8aaa-00000000001b",
        "+000001a-aaaa-4aaa-8aaa-00000000001b",
        "٠000001a-aaaa-4aaa-8aaa-00000000001b"
      })
  void anythingElseIsNoUuid(String text) {
    assertThat(Uuids.parse(text)).isNull();
  }
}
