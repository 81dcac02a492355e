package io.vifplug.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.vifplug.internal.Payloads;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkInfoReaderTest {
  private static final String ID = "0000001a-1111-4111-8111-00000000001a";
  private static final UUID PORT = UUID.fromString(ID);

  private static Vif one(NetworkInfo info) {
    assertThat(info.vifs()).hasSize(1);
    return info.vifs().get(0);
  }

  private static Vif nova(String members) {
    return one(NetworkInfo.fromNova("{\"id\":\"" + ID + "\"" + members + "}"));
  }

  private static Vif neutron(String members) {
    return one(NetworkInfo.fromNeutron("{\"id\":\"" + ID + "\"" + members + "}"));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // payload, type, vnic type, bridge, device, active, hybrid, driver, makes the tap, pci
        "vif-binding-failed, binding_failed, normal, br-int, tap00000021-11, false, false, -, false, -",
        "vif-bridge-linuxbridge, bridge, normal, brq00000000-bb, tap00000005-11, false, false, -, false, -",
        "vif-direct-hwveb, hw_veb, direct, -, tap00000011-11, false, false, sriovnicswitch, false, 0000:5e:02.1",
        "vif-direct-ovs-switchdev, ovs, direct, br-int, tap00000012-11, false, false, openvswitch, false, 0000:5e:02.2",
        "vif-direct-physical, hostdev_physical, direct-physical, -, tap00000014-11, false, false, -, false, 0000:5e:00.1",
        "vif-empty-vnic-type, ovs, normal, br-int, tap00000017-11, false, false, -, false, -",
        "vif-missing-active, ovs, normal, br-int, tap00000019-11, true, false, -, false, -",
        "vif-missing-vnic-type, ovs, normal, br-int, tap00000018-11, false, false, -, false, -",
        "vif-odl-ovs, ovs, normal, br-int, tap00000004-11, false, false, opendaylight_v2, false, -",
        "vif-ovn-normal, ovs, normal, br-int, tap00000003-11, false, false, ovn, false, -",
        "vif-ovs-create-tap, ovs, normal, br-int, tap00000016-11, false, false, ovn, true, -",
        "vif-ovs-hybrid-inactive, ovs, normal, br-int, tap00000001-11, false, true, -, false, -",
        "vif-ovs-plain-inactive, ovs, normal, br-int, tap00000002-11, false, false, openvswitch, false, -",
        "vif-remote-managed, ovs, remote-managed, br-int, tap00000015-11, false, false, ovn, false, 0000:5e:02.4",
        "vif-tap-calico, tap, normal, -, tap00000007-11, false, false, -, false, -",
        "vif-tap-linuxbridge, tap, normal, -, tap00000006-11, false, false, -, false, -",
        "vif-unbound, unbound, normal, br-int, tap00000020-11, false, false, -, false, -",
        "vif-vhostuser-ovs-dpdk-trunk, vhostuser, normal, tbr-00000009-11, vhu00000009-11, false, false, -, false, -",
        "vif-vhostuser-server, vhostuser, normal, -, tap00000008-11, false, false, -, false, -",
        "vif-vhostuser-vrouter, vrouter, normal, -, tap00000010-11, false, false, -, false, -"
      })
  void everySampleVifIsReadAsNovaMeansIt(
      String payload,
      String type,
      String vnicType,
      String bridge,
      String device,
      boolean active,
      boolean hybrid,
      String driver,
      boolean createsTap,
      String pci) {
    Vif vif = one(NetworkInfo.fromNova(Payloads.text(payload)));

    assertThat(vif.type()).isEqualTo(new VifType(type));
    assertThat(vif.vnicType()).isEqualTo(new VnicType(vnicType));
    assertThat(vif.bridge()).isEqualTo(bridge);
    assertThat(vif.deviceName()).isEqualTo(device);
    assertThat(vif.active()).isEqualTo(active);
    assertThat(vif.adminUp()).isTrue();
    assertThat(vif.hybridPlug()).isEqualTo(hybrid);
    assertThat(vif.boundDriver()).isEqualTo(driver);
    assertThat(vif.createsTap()).isEqualTo(createsTap);
    assertThat(vif.pciAddress()).isEqualTo(pci);
    assertThat(vif.mac()).startsWith("fa:16:3e:00:00:");
    assertThat(vif.networkId()).isEqualTo("00000000-bbbb-4bbb-8bbb-000000000001");
    assertThat(vif.port().toString()).startsWith(device.substring(3));
  }

  @Test
  void aWholeNetworkInfoKeepsItsOrder() {
    NetworkInfo mixed = NetworkInfo.fromNova(Payloads.text("network-info-mixed"));
    NetworkInfo ten = NetworkInfo.fromNova(Payloads.text("network-info-ten-ports"));

    assertThat(mixed.vifs())
        .extracting(vif -> vif.port().toString().substring(6, 8))
        .containsExactly("02", "22", "11", "14", "15");
    assertThat(mixed.vifs())
        .extracting(Vif::active)
        .containsExactly(false, true, false, false, false);
    assertThat(ten.vifs()).hasSize(10);
    assertThat(ten.vifs())
        .extracting(vif -> vif.port().toString().substring(6, 8))
        .containsExactly("23", "24", "25", "26", "27", "28", "29", "30", "31", "32");
  }

  @Test
  void aPortWhoseVnicTypeWasEditedKeepsItsIdentity() {
    List<Vif> vifs = NetworkInfo.fromNova(Payloads.text("vif-macvtap-changed-from-direct")).vifs();

    assertThat(vifs).extracting(Vif::vnicType).containsExactly(VnicType.DIRECT, VnicType.MACVTAP);
    assertThat(vifs.get(0).port()).isEqualTo(vifs.get(1).port());
    assertThat(vifs.get(0).pciAddress()).isEqualTo(vifs.get(1).pciAddress()).isNotNull();
  }

  @Test
  void aPortOfNeutronIsReadFromItsBindingKeys() {
    String port = Payloads.text("port-binding-failed-neutron");

    Vif vif = one(NetworkInfo.fromNeutron(port));

    assertThat(vif.type()).isEqualTo(VifType.BINDING_FAILED);
    assertThat(vif.vnicType()).isEqualTo(VnicType.NORMAL);
    assertThat(vif.mac()).isEqualTo("fa:16:3e:00:00:15");
    assertThat(vif.deviceName()).isEqualTo("tap00000021-11");
    assertThat(vif.networkId()).isEmpty();
    assertThat(vif.active()).isFalse();
    assertThat(vif.adminUp()).isTrue();
    assertThat(NetworkInfo.fromNeutron("{\"port\":" + port + "}").vifs()).containsExactly(vif);
    assertThat(NetworkInfo.fromNeutron("{\"ports\":[" + port + "," + port + "]}").vifs())
        .containsExactly(vif, vif);
    assertThat(NetworkInfo.fromNeutron("[" + port + "]").vifs()).containsExactly(vif);
  }

  @Test
  void aBoundPortOfNeutronCarriesDetailsAndProfile() {
    Vif vif =
        neutron(
            """
            ,"status":"ACTIVE","admin_state_up":false,"network_id":"net","mac_address":"m",
            "binding:vif_type":"ovs","binding:vnic_type":"direct",
            "binding:vif_details":{"bound_drivers":{"0":"openvswitch","1":"ovn"},"bridge_name":"br-x"},
            "binding:profile":{"pci_slot":"0000:5e:02.1"}""");

    assertThat(vif.active()).isTrue();
    assertThat(vif.adminUp()).isFalse();
    assertThat(vif.networkId()).isEqualTo("net");
    assertThat(vif.vnicType()).isEqualTo(VnicType.DIRECT);
    assertThat(vif.bridge()).isEqualTo("br-x");
    assertThat(vif.boundDriver()).isEqualTo("ovn");
    assertThat(vif.pciAddress()).isEqualTo("0000:5e:02.1");
  }

  @Test
  void aPortOfNeutronWithoutStatusOrBindingIsDownAndHasNoType() {
    Vif vif = neutron("");

    assertThat(vif.active()).isFalse();
    assertThat(vif.type()).isEqualTo(VifType.NONE);
    assertThat(neutron(",\"status\":\"BUILD\"").active()).isFalse();
  }

  @Test
  void aBareIdIsEnoughForNovaAndCountsAsUp() {
    Vif vif = nova("");

    assertThat(vif)
        .isEqualTo(
            new Vif(
                PORT,
                VifType.NONE,
                VnicType.NORMAL,
                "",
                "",
                null,
                "tap0000001a-11",
                true,
                true,
                Map.of(),
                Map.of()));
  }

  @Test
  void nullIsTheSameAsMissing() {
    assertThat(
            nova(
                """
                ,"type":null,"vnic_type":null,"address":null,"network":null,"details":null,
                "devname":null,"active":null,"admin_state_up":null,"profile":null"""))
        .isEqualTo(nova(""));
  }

  @Test
  void administrativelyDownIsRead() {
    assertThat(nova(",\"admin_state_up\":false").adminUp()).isFalse();
  }

  @Test
  void theBindingsBridgeBeatsTheNetworks() {
    assertThat(
            nova(",\"network\":{\"bridge\":\"old\"},\"details\":{\"bridge_name\":\"new\"}")
                .bridge())
        .isEqualTo("new");
    assertThat(
            nova(",\"network\":{\"bridge\":\"old\"},\"details\":{\"bridge_name\":\"\"}").bridge())
        .isEqualTo("old");
    assertThat(nova(",\"network\":{\"bridge\":\"\"}").bridge()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "a-name-that-is-much-too-long", "a/b"})
  void aBadDeviceNameIsLeftForThePlannerToRefuse(String name) {
    assertThat(nova(",\"devname\":\"" + name + "\"").deviceName()).isEqualTo(name);
  }

  @Test
  void unknownTypesAreKept() {
    Vif vif = nova(",\"type\":\"quantum\",\"vnic_type\":\"entangled\"");

    assertThat(vif.type()).isEqualTo(new VifType("quantum"));
    assertThat(vif.vnicType()).isEqualTo(new VnicType("entangled"));
    assertThat(nova(",\"type\":\"\"").type()).isEqualTo(VifType.NONE);
  }

  @Test
  void detailsArePlainValuesWithoutNulls() {
    Vif vif =
        nova(
            """
            ,"details":{"s":"x","b":true,"n":4,"f":1.5,"gone":null,"l":[1,null,"two",[false]],
            "m":{"k":{"deep":"y"},"gone":null}}""");

    assertThat(vif.details())
        .isEqualTo(
            Map.of(
                "s",
                "x",
                "b",
                true,
                "n",
                4,
                "f",
                1.5,
                "l",
                List.of(1, "two", List.of(false)),
                "m",
                Map.of("k", Map.of("deep", "y"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0000001A11114111811100000000001A", "{0000001a-1111-4111-8111-00000000001a}"})
  void theIdMayHaveAnyFormNovaAccepts(String id) {
    assertThat(one(NetworkInfo.fromNova("{\"id\":\"" + id + "\"}")).port()).isEqualTo(PORT);
  }

  @Test
  void anEmptyListHasNoVifs() {
    assertThat(NetworkInfo.fromNova("[]").vifs()).isEmpty();
    assertThat(NetworkInfo.fromNeutron("{\"ports\":[]}").vifs()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[{\"id\":\"x\"}] | /0/id | expected the port's UUID, found \"x\"",
        "[{}] | /0/id | expected the port's UUID, found nothing",
        "{\"id\":7} | /id | expected the port's UUID, a JSON string, found 7",
        "{\"id\":null} | /id | expected the port's UUID, found null",
        "[{\"id\":\"@\"},3] | /1 | expected a vif, a JSON object, found 3",
        "{\"id\":\"@\",\"type\":1} | /type | expected the vif type, a JSON string, found 1",
        "{\"id\":\"@\",\"vnic_type\":[]} | /vnic_type | expected the vnic type, a JSON string, found []",
        "{\"id\":\"@\",\"active\":\"true\"} | /active | expected true or false, found \"true\"",
        "{\"id\":\"@\",\"admin_state_up\":0} | /admin_state_up | expected true or false, found 0",
        "{\"id\":\"@\",\"details\":[]} | /details | expected the binding details, a JSON object, found []",
        "{\"id\":\"@\",\"profile\":\"\"} | /profile | expected the binding profile, a JSON object, found \"\"",
        "{\"id\":\"@\",\"network\":\"n\"} | /network | expected the vif's network, a JSON object, found \"n\"",
        "{\"id\":\"@\",\"network\":{\"bridge\":1}} | /network/bridge | expected the bridge's name, a JSON string, found 1",
        "{\"id\":\"@\",\"network\":{\"id\":1}} | /network/id | expected the network's id, a JSON string, found 1",
        "{\"id\":\"@\",\"details\":{\"bridge_name\":1}} | /details/bridge_name | expected the bridge's name, a JSON string, found 1",
        "{\"id\":\"@\",\"devname\":1} | /devname | expected the device's name, a JSON string, found 1",
        "{\"id\":\"@\",\"address\":{}} | /address | expected the MAC address, a JSON string, found {}",
        "3 | `` | expected an array of vifs or one vif, found 3",
        "null | `` | expected an array of vifs or one vif, found null",
        "\"x\" | `` | expected an array of vifs or one vif, found \"x\""
      })
  void whatIsWrongIsNamedByItsPointer(String json, String pointer, String message) {
    assertThatThrownBy(() -> NetworkInfo.fromNova(json.replace("@", ID)))
        .asInstanceOf(type(InvalidNetworkInfoException.class))
        .satisfies(e -> assertThat(e.pointer()).isEqualTo(pointer))
        .satisfies(e -> assertThat(e).hasMessageEndingWith(": " + message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"ports\":[{\"id\":\"x\"}]} | /ports/0/id",
        "{\"ports\":3} | /ports",
        "{\"ports\":null} | /ports",
        "{\"port\":{\"id\":\"x\"}} | /port/id",
        "{\"port\":\"x\"} | /port",
        "[1] | /0",
        "{\"id\":\"@\",\"status\":true} | /status",
        "{\"id\":\"@\",\"mac_address\":true} | /mac_address",
        "{\"id\":\"@\",\"binding:vif_type\":true} | /binding:vif_type",
        "{\"id\":\"@\",\"binding:vnic_type\":true} | /binding:vnic_type",
        "{\"id\":\"@\",\"binding:vif_details\":true} | /binding:vif_details",
        "{\"id\":\"@\",\"binding:profile\":true} | /binding:profile",
        "{} | /id"
      })
  void whatIsWrongInNeutronsPortsIsNamedByItsPointer(String json, String pointer) {
    assertThatThrownBy(() -> NetworkInfo.fromNeutron(json.replace("@", ID)))
        .asInstanceOf(type(InvalidNetworkInfoException.class))
        .satisfies(e -> assertThat(e.pointer()).isEqualTo(pointer));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        "{",
        "[{]",
        "nonsense",
        "[] []",
        "{\"id\":\"0000001a-1111-4111-8111-00000000001a\",\"id\":\"0000001b-1111-4111-8111-00000000001b\"}",
        "{\"id\":\"0000001a-1111-4111-8111-00000000001a\",\"details\":{\"a\":1,\"a\":2}}"
      })
  void whatIsNoJsonOrHasAKeyTwiceIsRefused(String json) {
    assertThatThrownBy(() -> NetworkInfo.fromNova(json))
        .isInstanceOf(InvalidNetworkInfoException.class)
        .hasMessageStartingWith("(document): expected");
  }

  @Test
  void deepNestingIsRefusedAndDoesNotOverflow() {
    assertThatThrownBy(() -> NetworkInfo.fromNova("[".repeat(200_000)))
        .isInstanceOf(InvalidNetworkInfoException.class);
  }

  @Test
  void aLongWrongValueIsShortened() {
    assertThatThrownBy(() -> NetworkInfo.fromNova("[{\"id\":\"" + "x".repeat(10_000) + "\"}]"))
        .isInstanceOf(InvalidNetworkInfoException.class)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
  }
}
