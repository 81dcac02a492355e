package io.vifplug.backend;

import io.vifplug.Operation;
import io.vifplug.network.VnicType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who announces what, and when: per driver and vnic type, never by vif type. The matrix is data;
 * any cell can be overridden.
 *
 * <p>Immutable and thread-safe. Source of the defaults: measurements on Neutron 21.0, see
 * docs/backends.md.
 */
public final class BackendMatrix {
  /** Matches every driver, or every vnic type, in a row or an override. */
  public static final String ANY = "*";

  private static final Set<Operation> REPLUG =
      EnumSet.of(Operation.HARD_REBOOT, Operation.START, Operation.RESUME_HOST);

  private static final BackendMatrix DEFAULTS = new BackendMatrix(defaultRows(), List.of());

  private final List<Row> rows;
  private final List<Change> overrides;

  private BackendMatrix(List<Row> rows, List<Change> overrides) {
    this.rows = List.copyOf(rows);
    this.overrides = List.copyOf(overrides);
  }

  /**
   * The measured defaults.
   *
   * @return the matrix
   */
  public static BackendMatrix defaults() {
    return DEFAULTS;
  }

  /**
   * This matrix with some cells changed. A later override beats an earlier one.
   *
   * @param changes the overrides
   * @return a new matrix
   */
  public BackendMatrix with(List<Change> changes) {
    List<Change> all = new ArrayList<>(overrides);
    all.addAll(changes);
    return new BackendMatrix(rows, all);
  }

  /**
   * The rows of the matrix before overrides.
   *
   * @return the rows
   */
  public List<Row> rows() {
    return rows;
  }

  /**
   * Whether the driver appears in a row or an override of its own.
   *
   * @param driver a mechanism driver's name
   * @return true if it is known
   */
  public boolean knowsDriver(String driver) {
    return rows.stream().anyMatch(row -> row.driver().equals(driver))
        || overrides.stream().anyMatch(change -> change.driver().equals(driver));
  }

  /**
   * Looks one cell up.
   *
   * @param driver the driver that bound the port, or null if it is not known
   * @param vnicType the vnic type
   * @param operation the operation
   * @return the cell, or null if nothing is known of this driver (and this vnic type)
   */
  public @Nullable Cell find(@Nullable String driver, VnicType vnicType, Operation operation) {
    Cell cell = base(driver, vnicType, operation);
    for (Change change : overrides) {
      if (change.matches(driver, vnicType, operation)) {
        cell = change.apply(cell, operation);
      }
    }
    return cell;
  }

  private @Nullable Cell base(@Nullable String driver, VnicType vnicType, Operation operation) {
    for (Row row : rows) {
      if (row.matches(driver, vnicType)) {
        return row.cell(operation);
      }
    }
    return driver != null && knowsDriver(driver)
        ? new Cell(
            Announcement.NONE,
            false,
            false,
            Duration.ZERO,
            Proof.EVENTS,
            driver + " is not known to announce vnic type " + vnicType)
        : null;
  }

  private static List<Row> defaultRows() {
    Duration ovnSettle = Duration.ofMillis(2500);
    List<Row> rows = new ArrayList<>();
    // Whatever the driver: bound is up, or there is nobody to tell (LP 1832028, LP 1932154).
    for (VnicType type : List.of(VnicType.DIRECT_PHYSICAL, VnicType.REMOTE_MANAGED)) {
      rows.add(Row.of(ANY, type, Announcement.BIND_TIME, false, Set.of()));
    }
    for (VnicType type : List.of(VnicType.BAREMETAL, VnicType.SMART_NIC)) {
      rows.add(Row.of(ANY, type, Announcement.NONE, false, Set.of()));
    }
    for (VnicType type : List.of(VnicType.NORMAL, VnicType.DIRECT, VnicType.VDPA)) {
      rows.add(
          Row.of(
              "openvswitch", type, Announcement.PLUG_TIME, true, EnumSet.allOf(Operation.class)));
    }
    Set<Operation> ovnAwaited =
        EnumSet.of(
            Operation.SPAWN,
            Operation.ATTACH,
            Operation.START,
            Operation.HARD_REBOOT,
            Operation.RESUME_HOST);
    for (VnicType type : List.of(VnicType.NORMAL, VnicType.DIRECT, VnicType.VDPA)) {
      rows.add(
          new Row(
              "ovn",
              type.wire(),
              Announcement.PLUG_TIME,
              true,
              ovnAwaited,
              ovnSettle,
              Proof.EVENTS));
    }
    // A hard reboot changes nothing the agent could see (LP 1744361).
    rows.add(
        Row.of(
            "linuxbridge",
            VnicType.NORMAL,
            Announcement.PLUG_TIME,
            false,
            EnumSet.of(Operation.SPAWN, Operation.ATTACH, Operation.MIGRATE_IN)));
    // LP 1755890: waiting on a reboot never ends.
    for (String driver : List.of("opendaylight", "opendaylight_v2")) {
      rows.add(
          Row.of(
              driver,
              VnicType.NORMAL,
              Announcement.BIND_TIME,
              false,
              EnumSet.of(Operation.SPAWN, Operation.ATTACH)));
    }
    for (VnicType type : List.of(VnicType.DIRECT, VnicType.MACVTAP, VnicType.ACCELERATOR_DIRECT)) {
      rows.add(Row.unannounced("sriovnicswitch", type.wire(), Proof.GATES));
    }
    rows.add(Row.unannounced("calico", ANY, Proof.LOCAL_EVIDENCE));
    return rows;
  }

  /**
   * What is known of one driver, vnic type and operation.
   *
   * @param announces when the back end announces a plugged port
   * @param awaited whether the operation waits for it
   * @param announcesUnplug whether it announces that a port went down
   * @param settleAfterUnplug how long a false announcement may follow an unplug; zero if none does
   * @param proof what can prove a port
   * @param note why, for people
   */
  public record Cell(
      Announcement announces,
      boolean awaited,
      boolean announcesUnplug,
      Duration settleAfterUnplug,
      Proof proof,
      String note) {}

  /** What can prove that a port is wired. */
  public enum Proof {
    /** The back end's events. */
    EVENTS,
    /** Only local evidence: the back end says nothing. */
    LOCAL_EVIDENCE,
    /** Only readiness gates: neither the back end nor a switch on this host says anything. */
    GATES
  }

  /**
   * One row of the matrix.
   *
   * @param driver a mechanism driver's name, or {@link #ANY}
   * @param vnicType a vnic type's wire string, or {@link #ANY}
   * @param announces when it announces
   * @param announcesUnplug whether it announces unplugs
   * @param awaitedOn the operations that wait for it
   * @param settleAfterUnplug how long a false announcement may follow an unplug
   * @param proof what besides events can prove such a port
   */
  public record Row(
      String driver,
      String vnicType,
      Announcement announces,
      boolean announcesUnplug,
      Set<Operation> awaitedOn,
      Duration settleAfterUnplug,
      Proof proof) {
    /** Copies the set. */
    public Row {
      awaitedOn = Set.copyOf(awaitedOn);
    }

    static Row of(
        String driver,
        VnicType vnicType,
        Announcement announces,
        boolean announcesUnplug,
        Set<Operation> awaitedOn) {
      return new Row(
          driver,
          vnicType.wire(),
          announces,
          announcesUnplug,
          awaitedOn,
          Duration.ZERO,
          Proof.EVENTS);
    }

    static Row unannounced(String driver, String vnicType, Proof proof) {
      return new Row(driver, vnicType, Announcement.NONE, false, Set.of(), Duration.ZERO, proof);
    }

    boolean matches(@Nullable String aDriver, VnicType aVnicType) {
      return (driver.equals(ANY) || driver.equals(aDriver))
          && (vnicType.equals(ANY) || vnicType.equals(aVnicType.wire()));
    }

    Cell cell(Operation operation) {
      boolean awaited = awaitedOn.contains(operation);
      return new Cell(
          announces, awaited, announcesUnplug, settleAfterUnplug, proof, note(operation, awaited));
    }

    private String note(Operation operation, boolean awaited) {
      String who = driver.equals(ANY) ? "vnic type " + vnicType : driver;
      return switch (announces) {
        case NONE -> who + " sends no reliable event";
        case BIND_TIME -> who + " announces the binding only, not the plug";
        case PLUG_TIME ->
            awaited ? who + " announces the plug" : who + " announces nothing on " + operation;
      };
    }
  }

  /**
   * A change of cells.
   *
   * @param driver the driver, or {@link #ANY}
   * @param vnicType the vnic type's wire string, or {@link #ANY}
   * @param operation the operation, or null for all
   * @param announces when it announces, or null to leave it; PLUG_TIME makes the operation wait,
   *     NONE makes it not wait, BIND_TIME makes only operations that do not unplug wait
   * @param announcesUnplug whether it announces unplugs, or null to leave it
   * @param settleAfterUnplug the settling time, or null to leave it
   */
  public record Change(
      String driver,
      String vnicType,
      @Nullable Operation operation,
      @Nullable Announcement announces,
      @Nullable Boolean announcesUnplug,
      @Nullable Duration settleAfterUnplug) {
    /** Checks for nulls. */
    public Change {
      Objects.requireNonNull(driver, "driver");
      Objects.requireNonNull(vnicType, "vnicType");
    }

    boolean matches(@Nullable String aDriver, VnicType aVnicType, Operation anOperation) {
      return (driver.equals(ANY) || driver.equals(aDriver))
          && (vnicType.equals(ANY) || vnicType.equals(aVnicType.wire()))
          && (operation == null || operation == anOperation);
    }

    Cell apply(@Nullable Cell before, Operation anOperation) {
      Cell base =
          before == null
              ? new Cell(Announcement.NONE, false, false, Duration.ZERO, Proof.EVENTS, "overridden")
              : before;
      Announcement when = announces == null ? base.announces() : announces;
      boolean awaited =
          announces == null
              ? base.awaited()
              : switch (announces) {
                case PLUG_TIME -> true;
                case BIND_TIME -> !REPLUG.contains(anOperation);
                case NONE -> false;
              };
      return new Cell(
          when,
          awaited,
          announcesUnplug == null ? base.announcesUnplug() : announcesUnplug,
          settleAfterUnplug == null ? base.settleAfterUnplug() : settleAfterUnplug,
          base.proof(),
          "overridden by configuration");
    }
  }
}
