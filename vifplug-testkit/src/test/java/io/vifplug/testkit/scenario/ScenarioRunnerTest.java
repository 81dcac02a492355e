package io.vifplug.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScenarioRunnerTest {
  private static final String GUEST = "11111111-0000-4000-8000-000000000001";
  private static final String GUEST_B = "11111111-0000-4000-8000-000000000002";
  private static final String PORT = "22222222-0000-4000-8000-000000000001";
  private static final String PORT_B = "2222222b-0000-4000-8000-000000000002";

  private static String vif(String port) {
    return "{'id':'%s','type':'ovs','vnic_type':'normal','active':false,'address':'fa:16:3e:00:00:%s','details':{'bound_drivers':{'0':'openvswitch'}}}"
        .formatted(port, port.substring(34));
  }

  private static ScenarioResult runOne(String guest, String more) {
    return run(
        "{'scenario':1,'name':'n','guest':{'uuid':'%s','networkInfo':[%s]%s},%s}"
            .formatted(GUEST, vif(PORT), guest, more));
  }

  private static ScenarioResult run(String text) {
    return ScenarioRunner.run(Scenario.parse(text.replace('\'', '"')));
  }

  private static void assertMatched(ScenarioResult result) {
    assertThat(result.mismatches()).as(result.toJson()).isEmpty();
    assertThat(result.matched()).isTrue();
    assertThat(result.values()).containsEntry("invariants", List.of());
  }

  @Test
  void aSpawnIsReadyWhenThePluggedEventComes() {
    assertMatched(
        runOne(
            "",
            "'takes':{'plug':'PT0.04S','createPaused':'PT0.1S'},"
                + "'do':[{'at':'PT0S','operation':'SPAWN'}],"
                + "'events':[{'on':'plug.enter','port':'%1$s','delay':'PT0.3S','event':'network-vif-plugged'}],"
                    .formatted(PORT)
                + "'expect':{'operations':[{'guest':'%1$s','operation':'SPAWN','outcome':'READY','reason':null,'limit':null,"
                    .formatted(GUEST)
                + "'startedAt':'PT0S','endedAt':'PT0.3S','becameReadyAt':null,"
                + "'ports':{'%1$s':{'expectation':'AWAIT_PLUG_TIME','state':'CONFIRMED','evidence':'EVENT','confirmedAt':'PT0.3S','earlyEvents':0,'duplicateEvents':0}},"
                    .formatted(PORT)
                + "'unplugAcknowledged':null,'lateEvents':0,'eventsSeen':{'network-vif-plugged':1},'suppressed':[],'cleanupComplete':true}],"
                + "'timeline':[{'at':'PT0S','step':'plug','port':'%s'},{'at':'PT0.04S','step':'createPaused','guest':'%s'},{'at':'PT0.3S','step':'resume'}],"
                    .formatted(PORT, GUEST)
                + "'answers':[],'guests':{'%s':{'state':'RUNNING','pausedBy':null,'vifs':['%s']}},"
                    .formatted(GUEST, PORT)
                + "'counts':{'plug':1,'unplug':0,'createPaused':1,'createRunning':0,'resume':1,'destroy':0,'undefine':0,'discardStorage':0},"
                + "'leaks':{'watches':0,'plugged':0,'pausedByLibrary':0},'health':{'calls':1,'authFailures':0,'silent':false,'stall':false},'invariants':[]}"));
  }

  @Test
  void aSpawnWithoutEventIsUndoneAndItsStorageDiscarded() {
    assertMatched(
        runOne(
            "",
            "'policy':{'timeout':'PT10S'},'do':[{'at':'PT0S','operation':'SPAWN'}],"
                + "'expect':{'operations':[{'outcome':'FAILED','reason':'EVENT_TIMEOUT','limit':'EVENT','endedAt':'PT10S','message':{'contains':'%1$s'}}],"
                    .formatted(PORT)
                + "'timeline':{'inOrder':[{'step':'plug'},{'step':'createPaused'},{'step':'destroy','at':'PT10S'},{'step':'unplug'},{'step':'discardStorage'}]},"
                + "'guests':{'%s':{'state':'ABSENT','vifs':[]}},'counts':{'discardStorage':1}}"
                    .formatted(GUEST)));
  }

  @Test
  void aHardRebootIgnoresTheEventOfItsOwnUnplug() {
    assertMatched(
        runOne(
            ",'state':'RUNNING'",
            "'do':[{'at':'PT0S','operation':'HARD_REBOOT'}],"
                + "'events':[{'on':'unplug.exit','delay':'PT0.5S','event':'network-vif-unplugged'},"
                + "{'on':'plug.enter','delay':'PT1S','event':'network-vif-plugged'}],"
                + "'expect':{'operations':[{'outcome':'READY','unplugAcknowledged':true,'endedAt':'PT1.5S'}],"
                + "'timeline':{'inOrder':[{'step':'destroy'},{'step':'unplug'},{'step':'plug','at':'PT0.5S'},{'step':'createPaused'},{'step':'resume'}]},"
                + "'counts':{'discardStorage':0}}"));
  }

  @Test
  void degradedGuestsBecomeReadyLater() {
    assertMatched(
        runOne(
            "",
            "'policy':{'timeout':'PT10S','onTimeout':'RESUME'},'do':[{'at':'PT0S','operation':'SPAWN'}],"
                + "'events':[{'at':'PT20S','event':'network-vif-plugged'}],'runUntil':'PT15M',"
                + "'expect':{'operations':[{'outcome':'DEGRADED','reason':'EVENT_TIMEOUT','becameReadyAt':'PT20S'}],'leaks':{'watches':0}}"));
  }

  @Test
  void aDegradedWatchThatIsStillOpenIsNoLeak() {
    assertMatched(
        runOne(
            "",
            "'policy':{'timeout':'PT10S','onTimeout':'RESUME'},'do':[{'at':'PT0S','operation':'SPAWN'}],"
                + "'runUntil':'PT1M',"
                + "'expect':{'operations':[{'outcome':'DEGRADED','becameReadyAt':null}],'leaks':{'watches':0}}"));
  }

  @Test
  void bodiesGoThroughTheCodecAndAreAnswered() {
    assertMatched(
        run(
            ("{'scenario':1,'name':'n','guests':[{'key':'a','uuid':'%s','networkInfo':[%s]},{'key':'b','uuid':'%s','host':'OTHER'}],"
                    .formatted(GUEST, vif(PORT), GUEST_B)
                + "'do':[{'at':'PT0S','operation':'SPAWN','guest':'a'}],"
                + "'events':[{'at':'PT1S','body':{'events':[{'name':'network-vif-plugged','server_uuid':'%s','tag':'%s'},"
                    .formatted(GUEST, PORT)
                + "{'name':'network-vif-plugged','server_uuid':'%s','tag':'%s'},"
                    .formatted(GUEST_B, PORT)
                + "{'name':'network-vif-plugged','server_uuid':'%s','tag':'%s'}]}},{'at':'PT2S','body':'nonsense'}],"
                    .formatted(PORT, PORT)
                + "'expect':{'operations':[{'outcome':'READY','endedAt':'PT1S'}],"
                + "'answers':[{'at':'PT1S','code':207,'body':{'events':[{'code':200,'status':'completed'},{'code':422,'status':'failed'},{'code':404}]}},{'at':'PT2S','code':400}],"
                + "'health':{'calls':2}}}")));
  }

  @Test
  void strictNamesRefuseTheWholeBody() {
    assertMatched(
        runOne(
            "",
            "'policy':{'unknownEventNames':'STRICT'},'events':[{'at':'PT1S','body':{'events':[{'name':'network-vif-made-up','server_uuid':'%s'}]}}],"
                    .formatted(GUEST)
                + "'expect':{'answers':[{'code':400}],'operations':[]}"));
  }

  @Test
  void withoutAnEventSourceAFailingPolicyIsRejected() {
    assertMatched(
        runOne(
            "",
            "'eventSource':false,'do':[{'at':'PT0S','operation':'SPAWN'}],"
                + "'expect':{'operations':[{'outcome':'REJECTED','reason':'NO_EVENT_SOURCE','startedAt':'PT0S','endedAt':'PT0S'}],'timeline':[],"
                + "'guests':{'%s':{'state':'ABSENT'}}}".formatted(GUEST)));
  }

  @Test
  void twoProofsAreWrittenWithAPlus() {
    assertMatched(
        runOne(
            "",
            "'policy':{'evidence':'EVENT_AND_LOCAL'},'do':[{'at':'PT0S','operation':'SPAWN'}],"
                + "'events':[{'at':'PT1S','event':'network-vif-plugged'}],"
                + "'localEvidence':[{'at':'PT3S','ready':true}],"
                + "'expect':{'operations':[{'outcome':'READY','ports':{'%s':{'evidence':'EVENT+LOCAL','confirmedAt':'PT3S'}}}]}"
                    .formatted(PORT)));
    assertMatched(
        runOne(
            "",
            "'policy':{'evidence':'EVENT_AND_PULL'},'do':[{'at':'PT0S','operation':'SPAWN'}],"
                + "'events':[{'at':'PT1S','event':'network-vif-plugged'}],"
                + "'portStatus':{'%s':[{'at':'PT0S','status':'DOWN'},{'at':'PT1S','status':'ACTIVE'}]},"
                    .formatted(PORT)
                + "'expect':{'operations':[{'outcome':'READY','ports':{'%s':{'evidence':'EVENT+PULL','lastStatus':'ACTIVE'}}}]}"
                    .formatted(PORT)));
  }

  @Test
  void gatesAreWaitedFor() {
    assertMatched(
        runOne(
            "",
            "'do':[{'at':'PT0S','operation':'SPAWN'}],'policy':{'gateInterval':'PT0.1S'},"
                + "'events':[{'at':'PT0.05S','event':'network-vif-plugged'}],"
                + "'gates':[{'name':'dhcp','opens':'PT0.15S','closes':null}],"
                + "'expect':{'operations':[{'outcome':'READY','endedAt':{'atLeast':'PT0.15S','atMost':'PT0.25S'}}]}"));
  }

  @Test
  void aProfileAnnouncesWhatIsPlugged() {
    assertMatched(
        runOne(
            "",
            "'backend':'ml2-ovs','do':[{'at':'PT0S','operation':'SPAWN'}],"
                + "'expect':{'operations':[{'outcome':'READY','endedAt':'PT2.8S'}]}"));
    assertMatched(
        runOne(
            "",
            "'backend':{'profile':'ml2-ovs','pollInterval':'PT4S','silentUntil':'PT1S'},'do':[{'at':'PT0S','operation':'SPAWN'}],"
                + "'expect':{'operations':[{'outcome':'READY','endedAt':'PT4.8S'}]}"));
  }

  @Test
  void cancelCloseAndReopenAreTheAgents() {
    assertMatched(
        runOne(
            "",
            "'do':[{'at':'PT0S','operation':'SPAWN'},{'at':'PT1S','call':'CANCEL'},{'at':'PT2S','operation':'SPAWN'},{'at':'PT3S','call':'CLOSE'},"
                + "{'at':'PT4S','operation':'SPAWN'},{'at':'PT5S','call':'REOPEN'},{'at':'PT20S','operation':'SPAWN'}],"
                + "'events':[{'at':'PT4.5S','body':{'events':[{'name':'network-vif-plugged','server_uuid':'%s','tag':'%s'}]}},{'at':'PT21S','event':'network-vif-plugged'}],"
                    .formatted(GUEST, PORT)
                + "'expect':{'operations':[{'outcome':'CANCELLED','reason':'CALLER','endedAt':'PT1S'},{'outcome':'CANCELLED','reason':'CLOSED','endedAt':'PT3S'},{'outcome':'REJECTED','reason':'CLOSED'},{'outcome':'READY','endedAt':'PT21S'}],"
                + "'answers':[{'code':503}],'counts':{'discardStorage':1}}"));
  }

  @Test
  void faultsAndNewsOfTheHostAreTold() {
    assertMatched(
        runOne(
            "",
            "'do':[{'at':'PT0S','operation':'SPAWN'}],'faults':[{'step':'plug','times':1,'error':'BUSY','message':'db locked'}],"
                + "'guestEvents':[{'at':'PT1S','guestState':'CRASHED'}],"
                + "'expect':{'operations':[{'outcome':'FAILED','reason':'GUEST_GONE','endedAt':'PT1S'}],'counts':{'plug':2}}"));
    assertMatched(
        runOne(
            "",
            "'do':[{'at':'PT0S','operation':'SPAWN'}],'faults':[{'step':'createPaused','error':'HANG'}],"
                + "'policy':{'createTimeout':'PT1M'},"
                + "'expect':{'operations':[{'outcome':'FAILED','reason':'CREATE_TIMEOUT','limit':'CREATE','cleanupComplete':false}]}"));
  }

  @Test
  void guestsOfOneNameConflict() {
    assertMatched(
        run(
            "{'scenario':1,'name':'n','guests':[{'key':'a','uuid':'%s','name':'web','state':'RUNNING','networkInfo':[%s]},{'key':'b','uuid':'%s','name':'web','networkInfo':[%s]}],"
                    .formatted(GUEST, vif(PORT), GUEST_B, vif(PORT_B))
                + "'do':[{'at':'PT0S','operation':'SPAWN','guest':'b'}],"
                + "'expect':{'operations':[{'guest':'%s','outcome':'REJECTED','reason':'NAME_CONFLICT'}],'guests':{'%s':{'state':'RUNNING','vifs':['%s']}}}}"
                    .formatted(GUEST_B, GUEST, PORT)));
  }

  @Test
  void anOperationThatHasNotEndedHasNoOutcome() {
    ScenarioResult result =
        runOne(
            "",
            "'do':[{'at':'PT0S','operation':'SPAWN'}],'runUntil':'PT1S','expect':{'operations':[{'outcome':null,'endedAt':null,'ports':{'%s':{'state':'OUTSTANDING'}}}]}"
                .formatted(PORT));
    assertMatched(result);
  }

  @Test
  void destroyTwiceJoinsTheFirst() {
    assertMatched(
        runOne(
            ",'state':'RUNNING'",
            "'takes':{'destroy':'PT1S'},'do':[{'at':'PT0S','operation':'DESTROY'},{'at':'PT0.5S','operation':'DESTROY'}],"
                + "'expect':{'operations':[{'outcome':'READY'},{'outcome':'READY'}],'counts':{'destroy':1,'unplug':1},'guests':{'%s':{'state':'SHUTOFF','vifs':[]}}}"
                    .formatted(GUEST)));
  }

  @Test
  void attachAndDetachChangeOnePort() {
    assertMatched(
        runOne(
            ",'state':'RUNNING'",
            "'do':[{'at':'PT0S','operation':'ATTACH','networkInfo':[%1$s,%2$s],'port':'%3$s'},{'at':'PT30S','operation':'DETACH','port':'%3$s'}],"
                    .formatted(vif(PORT), vif(PORT_B), PORT_B)
                + "'events':[{'at':'PT1S','event':'network-vif-plugged','port':'%1$s'}],"
                    .formatted(PORT_B)
                + "'expect':{'operations':[{'operation':'ATTACH','outcome':'READY','endedAt':'PT1S'},{'operation':'DETACH','outcome':'READY'}],"
                + "'guests':{'%s':{'state':'RUNNING','vifs':['%s']}}}".formatted(GUEST, PORT)));
  }

  @Test
  void whatDiffersIsTold() {
    ScenarioResult result =
        runOne(
            "",
            "'do':[{'at':'PT0S','operation':'SPAWN'}],'expect':{'operations':[{'outcome':'READY'}]}");
    assertThat(result.matched()).isFalse();
    assertThat(result.mismatches())
        .containsExactly("$.operations[0].outcome: expected \"READY\", found \"FAILED\"");
    assertThat(result.values()).containsEntry("mismatches", result.mismatches());
  }

  @Test
  void theSameScenarioGivesTheSameResult() {
    String more = "'backend':'ml2-ovn','do':[{'at':'PT0S','operation':'SPAWN'}]";
    assertThat(runOne("", more).toJson()).isEqualTo(runOne("", more).toJson());
  }
}
