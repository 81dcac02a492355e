package io.vifplug.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.vifplug.OnTimeout;
import io.vifplug.Operation;
import io.vifplug.Priority;
import io.vifplug.event.EventName;
import io.vifplug.event.EventStatus;
import io.vifplug.network.VnicType;
import io.vifplug.spi.GuestNews;
import io.vifplug.spi.GuestStatus;
import io.vifplug.spi.LocalEvidence;
import io.vifplug.spi.ReadinessGate;
import io.vifplug.testkit.scenario.Scenario.Ask;
import io.vifplug.testkit.scenario.Scenario.At;
import io.vifplug.testkit.scenario.Scenario.Body;
import io.vifplug.testkit.scenario.Scenario.Call;
import io.vifplug.testkit.scenario.Scenario.CallKind;
import io.vifplug.testkit.scenario.Scenario.On;
import io.vifplug.testkit.scenario.Scenario.Single;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioReaderTest {
  private static final UUID GUEST = UUID.fromString("11111111-0000-4000-8000-000000000001");
  private static final UUID OTHER = UUID.fromString("11111111-0000-4000-8000-000000000002");
  private static final UUID PORT = UUID.fromString("22222222-0000-4000-8000-000000000001");
  private static final UUID PORT_2 = UUID.fromString("22222222-0000-4000-8000-000000000002");
  private static final String VIF =
      "{'id':'" + PORT + "','type':'ovs','vnic_type':'normal','active':false}";
  private static final String VIF_2 =
      "{'id':'" + PORT_2 + "','type':'ovs','vnic_type':'normal','active':false}";

  /** A valid scenario with one guest and one port, and more keys at the top level. */
  private static String withOnePort(String more) {
    return "{'scenario':1,'name':'n','guest':{'uuid':'%s','networkInfo':[%s]}%s}"
        .formatted(GUEST, VIF, more.isEmpty() ? "" : "," + more);
  }

  private static String withTwoGuests(String more) {
    return ("{'scenario':1,'name':'n','guests':[{'key':'a','uuid':'%s','networkInfo':[%s]},"
            + "{'key':'b','uuid':'%s','networkInfo':[%s]}]%s}")
        .formatted(GUEST, VIF, OTHER, VIF_2, more.isEmpty() ? "" : "," + more);
  }

  private static Scenario read(String text) {
    return Scenario.parse(text.replace('\'', '"'));
  }

  private static void assertInvalid(String text, String pointer, String message) {
    assertThatExceptionOfType(InvalidScenarioException.class)
        .isThrownBy(() -> read(text))
        .satisfies(
            invalid -> {
              assertThat(invalid.pointer()).isEqualTo(pointer);
              assertThat(invalid).hasMessageContaining(message);
            });
  }

  @Test
  void theSmallestScenarioHasTheDefaultsOfTheFormat() {
    Scenario scenario = read("{'scenario':1,'name':'n','guest':{'uuid':'" + GUEST + "'}}");
    assertThat(scenario.name()).isEqualTo("n");
    assertThat(scenario.guests())
        .singleElement()
        .satisfies(
            guest -> {
              assertThat(guest.state()).isEqualTo(GuestStatus.State.ABSENT);
              assertThat(guest.here()).isTrue();
              assertThat(guest.guest().name()).isEqualTo("instance-" + GUEST);
            });
    assertThat(scenario.eventSource()).isTrue();
    assertThat(scenario.portStatus()).isNull();
    assertThat(scenario.localEvidence()).isNull();
    assertThat(scenario.expect()).isNull();
    assertThat(scenario.backend().profile()).isNull();
  }

  @Test
  void everyPolicyKeyIsRead() {
    Scenario scenario =
        read(
            withOnePort(
                "'policy':{'timeout':'PT7S','onTimeout':'RESUME','perVnicType':{'direct':{"
                    + "'onTimeout':'FAIL','timeout':'PT10S'}},'hardRebootWaitsFor':['normal'],"
                    + "'unplugHandshake':'OFF','unplugTimeout':'PT6S','plugTimeout':'PT31S',"
                    + "'plugAttempts':4,'callerDeadline':'PT1S','evidence':'EVENT_AND_PULL',"
                    + "'acceptStatusPull':true,'maxInFlight':5,'unknownEventNames':'STRICT',"
                    + "'createTimeout':'PT1M','onRecovery':'UNDO','gateInterval':'PT0.1S'}"));
    var policy = scenario.policy();
    assertThat(policy.timeout()).isEqualTo(Duration.ofSeconds(7));
    assertThat(policy.onTimeout()).isEqualTo(OnTimeout.RESUME);
    assertThat(policy.onTimeout(VnicType.DIRECT)).isEqualTo(OnTimeout.FAIL);
    assertThat(policy.timeout(VnicType.DIRECT)).isEqualTo(Duration.ofSeconds(10));
    assertThat(policy.hardRebootWaitsFor()).isEqualTo(Set.of(VnicType.NORMAL));
    assertThat(policy.plugAttempts()).isEqualTo(4);
    assertThat(policy.gateInterval()).isEqualTo(Duration.ofMillis(100));
    assertThat(scenario.maxInFlight()).isEqualTo(5);
    assertThat(scenario.strictEventNames()).isTrue();
  }

  @Test
  void thePolicyOfADoEntryIsMergedOverTheScenarios() {
    Scenario scenario =
        read(
            withOnePort(
                "'policy':{'timeout':'PT7S','perVnicType':{'direct':{'timeout':'PT10S'}},"
                    + "'maxInFlight':3},'do':[{'at':'PT1S','operation':'SPAWN','priority':'BULK',"
                    + "'policy':{'onTimeout':'RESUME',"
                    + "'perVnicType':{'direct':{'onTimeout':'FAIL'}}}}]"));
    Ask ask = (Ask) scenario.actions().get(0);
    assertThat(ask.priority()).isEqualTo(Priority.BULK);
    assertThat(ask.policy().timeout()).isEqualTo(Duration.ofSeconds(7));
    assertThat(ask.policy().onTimeout()).isEqualTo(OnTimeout.RESUME);
    assertThat(ask.policy().timeout(VnicType.DIRECT)).isEqualTo(Duration.ofSeconds(10));
    assertThat(ask.policy().onTimeout(VnicType.DIRECT)).isEqualTo(OnTimeout.FAIL);
  }

  @Test
  void operationsAndCallsKeepTheOrderOfTheFile() {
    Scenario scenario =
        read(
            withTwoGuests(
                "'do':[{'at':'PT0S','operation':'SPAWN','guest':'b'},"
                    + "{'at':'PT1S','operation':'ATTACH','guest':'a','networkInfo':["
                    + VIF
                    + ",{'id':'22222222-0000-4000-8000-000000000009','type':'ovs'}],"
                    + "'port':'22222222-0000-4000-8000-000000000009'},"
                    + "{'at':'PT2S','call':'CANCEL','guest':'a'},{'at':'PT3S','call':'CLOSE'},"
                    + "{'at':'PT4S','call':'REOPEN'}]"));
    assertThat(scenario.actions()).hasSize(5);
    assertThat((Ask) scenario.actions().get(0))
        .satisfies(
            ask -> {
              assertThat(ask.guest()).isEqualTo(OTHER);
              assertThat(ask.operation()).isEqualTo(Operation.SPAWN);
              assertThat(ask.network()).isNull();
            });
    assertThat(((Ask) scenario.actions().get(1)).port())
        .hasToString(PORT.toString().replaceAll("1$", "9"));
    assertThat(scenario.actions().get(2))
        .isEqualTo(new Call(Duration.ofSeconds(2), CallKind.CANCEL, GUEST));
    assertThat(scenario.actions().get(3))
        .isEqualTo(new Call(Duration.ofSeconds(3), CallKind.CLOSE, null));
  }

  @Test
  void eventsComeAtATimeOrOnAStepAndBodiesAreKept() {
    Scenario scenario =
        read(
            withTwoGuests(
                "'events':[{'at':'PT1S','event':'network-vif-plugged','port':'"
                    + PORT_2
                    + "','status':'failed'},{'on':'plug.enter','nth':2,'delay':'PT0.03S','port':'"
                    + PORT
                    + "','event':'network-vif-unplugged'},{'at':'PT2S','body':{'events':[]}},"
                    + "{'at':'PT3S','body':'not json'}]"));
    assertThat(scenario.events())
        .containsExactly(
            new Scenario.Event(
                new At(Duration.ofSeconds(1)),
                new Single(EventName.VIF_PLUGGED, OTHER, PORT_2, EventStatus.FAILED)),
            new Scenario.Event(
                new On("plug", "enter", GUEST, PORT, 2, Duration.ofMillis(30)),
                new Single(EventName.VIF_UNPLUGGED, GUEST, PORT, EventStatus.COMPLETED)),
            new Scenario.Event(
                new At(Duration.ofSeconds(2)), new Body("{'events':[]}".replace('\'', '"'))),
            new Scenario.Event(new At(Duration.ofSeconds(3)), new Body("not json")));
  }

  @Test
  void eventsOfStrangersCanBeTold() {
    String stranger = "33333333-0000-4000-8000-000000000001";
    Scenario scenario =
        read(
            withOnePort(
                "'events':[{'at':'PT1S','event':'network-vif-plugged','port':'%1$s'},{'at':'PT1S',"
                        .formatted(stranger)
                    + "'event':'network-vif-plugged','guest':'%s','port':'%s'}]"
                        .formatted(stranger, PORT)));
    assertThat(scenario.events())
        .extracting(Scenario.Event::what)
        .containsExactly(
            new Single(
                EventName.VIF_PLUGGED, GUEST, UUID.fromString(stranger), EventStatus.COMPLETED),
            new Single(
                EventName.VIF_PLUGGED, UUID.fromString(stranger), PORT, EventStatus.COMPLETED));
  }

  @Test
  void portAndGuestMayBeLeftOutWhereThereIsOne() {
    Scenario scenario =
        read(
            withOnePort(
                "'events':[{'at':'PT1S','event':'network-vif-plugged'}],"
                    + "'localEvidence':[{'at':'PT1S','ready':true},{'at':'PT2S','gone':true}],"
                    + "'gates':[{'name':'dhcp','opens':'PT0.15S','closes':null}],"
                    + "'guestEvents':[{'at':'PT1S','guestState':'CRASHED'}],"
                    + "'do':[{'at':'PT0S','operation':'DETACH'}]"));
    assertThat(((Single) scenario.events().get(0).what()).port()).isEqualTo(PORT);
    assertThat(scenario.localEvidence())
        .extracting(Scenario.LocalChange::shows)
        .containsExactly(LocalEvidence.State.READY, LocalEvidence.State.GONE);
    assertThat(scenario.gates())
        .containsExactly(
            new Scenario.Gate(
                "dhcp", GUEST, PORT, ReadinessGate.Phase.RESUME, Duration.ofMillis(150), null));
    assertThat(scenario.guestNews())
        .containsExactly(new Scenario.News(Duration.ofSeconds(1), GUEST, GuestNews.Change.CRASHED));
    assertThat(((Ask) scenario.actions().get(0)).port()).isEqualTo(PORT);
  }

  @Test
  void timesCanDifferByPortAndGuest() {
    Scenario scenario =
        read(
            withTwoGuests(
                "'takes':{'plug':{'default':'PT0.04S','%s':'PT1S','b':'PT2S'},'resume':'PT3S'}"
                    .formatted(PORT)));
    assertThat(scenario.takes())
        .containsEntry("resume", new Scenario.Takes(Duration.ofSeconds(3), Map.of()))
        .containsEntry(
            "plug",
            new Scenario.Takes(
                Duration.ofMillis(40),
                Map.of(PORT, Duration.ofSeconds(1), OTHER, Duration.ofSeconds(2))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'surprise':1 | /surprise | unknown key; expected one of",
        "'policy':{'timeOut':'PT1S'} | /policy/timeOut | unknown key",
        "'policy':{'timeout':5} | /policy/timeout | expected an ISO-8601 duration",
        "'policy':{'timeout':'5m'} | /policy/timeout | expected an ISO-8601 duration",
        "'policy':{'timeout':'PT-5S'} | /policy/timeout | expected zero or more",
        "'policy':{'plugTimeout':'PT0S'} | /policy/plugTimeout | expected more than zero",
        "'policy':{'onTimeout':'fail'} | /policy/onTimeout | expected one of FAIL, RESUME",
        "'policy':{'plugAttempts':0} | /policy/plugAttempts | expected an integer, 1 or more",
        "'policy':{'maxInFlight':0} | /policy/maxInFlight | expected an integer, 1 or more",
        "'policy':{'unknownEventNames':'X'} | /policy/unknownEventNames | TOLERANT, STRICT",
        "'policy':{'hardRebootWaitsFor':['nrmal']} | /policy/hardRebootWaitsFor/0 | known",
        "'policy':{'hardRebootWaitsFor':'ALL'} | /policy/hardRebootWaitsFor | AUTO",
        "'policy':{'perVnicType':{'dirct':{}}} | /policy/perVnicType/dirct | 'dirct' is unknown",
        "'policy':{'perVnicType':{'direct':{'timeout':'PT-1S'}}} | /policy/perVnicType/direct/timeout | zero or more",
        "'backend':'ml2-odl' | /backend | expected one of scripted, ml2-ovs",
        "'backend':{'profile':'ml2-ovs','capacity':1} | /backend/capacity | unknown key",
        "'backend':{'profile':'ml2-ovs','capacityPerSecond':0} | /backend/capacityPerSecond | above 0",
        "'takes':{'reboot':'PT1S'} | /takes/reboot | unknown key",
        "'takes':{'plug':{'x':'PT1S'}} | /takes/plug/x | expected 'default' or",
        "'do':{} | /do | expected an array",
        "'do':[{'operation':'SPAWN'}] | /do/0 | expected the key 'at'",
        "'do':[{'at':'PT0S'}] | /do/0 | expected the key 'operation'",
        "'do':[{'at':'PT-1S','operation':'SPAWN'}] | /do/0/at | zero or more",
        "'do':[{'at':'PT0S','operation':'REBOOT'}] | /do/0/operation | expected one of SPAWN",
        "'do':[{'at':'PT0S','operation':'SPAWN','guest':'b'}] | /do/0/guest | the key of a guest",
        "'do':[{'at':'PT0S','operation':'SPAWN','port':'22222222-0000-4000-8000-000000000001'}] | /do/0/port | only with ATTACH",
        "'do':[{'at':'PT0S','operation':'SPAWN','policy':{'maxInFlight':1}}] | /do/0/policy/maxInFlight | whole host",
        "'do':[{'at':'PT0S','operation':'SPAWN','policy':{'evidence':'X'}}] | /do/0/policy/evidence | expected one of EVENT",
        "'do':[{'at':'PT0S','call':'STOP'}] | /do/0/call | expected one of CANCEL",
        "'do':[{'at':'PT0S','call':'CRASH'}] | /do/0/call | not supported yet",
        "'do':[{'at':'PT0S','call':'RECOVER'}] | /do/0/call | not supported yet",
        "'sysfs':{} | /sysfs | not supported yet",
        "'faults':[{'step':'boot','error':'BUSY'}] | /faults/0/step | expected one of plug",
        "'faults':[{'step':'plug','error':'LAZY'}] | /faults/0/error | expected one of GENERIC",
        "'faults':[{'step':'plug','error':'BUSY','times':0}] | /faults/0/times | 1 or more",
        "'events':[{'event':'network-vif-plugged'}] | /events/0 | either the key 'at' or the key 'on'",
        "'events':[{'at':'PT0S'}] | /events/0 | either the key 'event' or the key 'body'",
        "'events':[{'at':'PT0S','event':'network-vif-pluged'}] | /events/0/event | network-vif-plugged",
        "'events':[{'at':'PT0S','event':'network-vif-plugged','status':'done'}] | /events/0/status | completed",
        "'events':[{'at':'PT0S','event':'network-vif-plugged','port':'p'}] | /events/0/port | a UUID",
        "'events':[{'at':'PT0S','event':'network-vif-plugged','nth':1}] | /events/0/nth | only with the key 'on'",
        "'events':[{'on':'plug.done','event':'network-vif-plugged'}] | /events/0/on | <step>.enter",
        "'guestEvents':[{'at':'PT1S','guestState':'DEAD'}] | /guestEvents/0/guestState | GONE, CRASHED",
        "'portStatus':{'22222222-0000-4000-8000-00000000000f':[]} | /portStatus/22222222-0000-4000-8000-00000000000f | id of a port",
        "'localEvidence':[{'at':'PT1S','port':'22222222-0000-4000-8000-00000000000f','ready':true}] | /localEvidence/0/port | id of a port",
        "'localEvidence':[{'at':'PT1S'}] | /localEvidence/0 | either the key 'ready'",
        "'gates':[{'name':'g','phase':'BEFORE'}] | /gates/0/phase | PLUG, RESUME, BOTH",
        "'gates':[{'phase':'PLUG'}] | /gates/0 | expected the key 'name'",
        "'matrix':[{'driver':'ovn','announces':'SOMETIMES'}] | /matrix/0/announces | PLUG_TIME",
        "'matrix':[{'driver':'ovn','vnicType':'fast'}] | /matrix/0/vnicType | unknown",
        "'runUntil':'tomorrow' | /runUntil | ISO-8601",
        "'eventSource':'no' | /eventSource | true or false",
        "'expect':[] | /expect | expected an object",
        "'expect':{'a':{'atLeast':'x'}} | /expect/a/atLeast | ISO-8601",
        "'expect':{'a':{'inOrder':1}} | /expect/a/inOrder | an array",
        "'scenario':1 | /scenario | Duplicate"
      })
  void whatIsWrongIsToldWithItsPointerAndWhatWasExpected(
      String more, String pointer, String message) {
    assertInvalid(withOnePort(more), pointer, message);
  }

  @Test
  void anotherFormatVersionIsRefusedBeforeAnythingElse() {
    assertInvalid("{'scenario':2,'other':1}", "/scenario", "format version 1");
    assertInvalid("{'name':'x'}", "", "expected the key 'scenario'");
  }

  @Test
  void whatIsNoJsonIsRefusedWithLineAndColumn() {
    assertInvalid("{'scenario':1,", "", "line 1, column");
    assertInvalid("", "", "expected a JSON document");
    assertInvalid("[]", "", "expected an object");
    assertInvalid("{} {}", "", "expected plain JSON");
    assertInvalid("{'scenario':1} // version", "", "expected plain JSON");
  }

  @Test
  void guestsNeedUuidsAndKeysOfTheirOwn() {
    assertInvalid("{'scenario':1,'name':'n'}", "", "either the key 'guest' or the key 'guests'");
    assertInvalid("{'scenario':1,'name':'n','guests':[]}", "/guests", "one guest or more");
    assertInvalid("{'scenario':1,'name':'n','guest':{}}", "/guest", "the key 'uuid'");
    assertInvalid("{'scenario':1,'name':'n','guest':{'uuid':'g1'}}", "/guest/uuid", "a UUID");
    assertInvalid(
        "{'scenario':1,'name':'n','guests':[{'uuid':'%1$s'},{'uuid':'%1$s'}]}".formatted(GUEST),
        "/guests/1",
        "of its own");
    assertInvalid(
        "{'scenario':1,'name':'n','guest':{'uuid':'%s','state':'RUNNING','pausedBy':'USER'}}"
            .formatted(GUEST),
        "/guest/pausedBy",
        "only with");
    assertInvalid(withTwoGuests("'do':[{'at':'PT0S','operation':'SPAWN'}]"), "/do/0", "2 guests");
  }

  @Test
  void networkInfoCanStandInAFileBesideTheScenario(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("vif.txt"), ("[" + VIF + "]").replace('\'', '"'));
    Path file = folder.resolve("s.json");
    Files.writeString(
        file,
        "{'scenario':1,'name':'n','guest':{'uuid':'%s','networkInfo':{'file':'vif.txt'}}}"
            .formatted(GUEST)
            .replace('\'', '"'));
    assertThat(Scenario.read(file).guests().get(0).network().vifs())
        .singleElement()
        .satisfies(vif -> assertThat(vif.port()).isEqualTo(PORT));
  }

  @Test
  void aNetworkInfoThatCannotBeReadIsToldWithItsPlace(@TempDir Path folder) throws IOException {
    assertInvalid(
        "{'scenario':1,'name':'n','guest':{'uuid':'%s','networkInfo':{'file':'none.json'}}}"
            .formatted(GUEST),
        "/guest/networkInfo/file",
        "none.json");
    assertInvalid(
        "{'scenario':1,'name':'n','guest':{'uuid':'%s','networkInfo':5}}".formatted(GUEST),
        "/guest/networkInfo",
        "an array of vifs");
    assertInvalid(
        "{'scenario':1,'name':'n','guest':{'uuid':'%s','networkInfo':[{'id':5}]}}".formatted(GUEST),
        "/guest/networkInfo/0/id",
        "");
    assertThatExceptionOfType(InvalidScenarioException.class)
        .isThrownBy(() -> Scenario.read(folder.resolve("missing.json")))
        .withMessageContaining("missing.json");
  }
}
