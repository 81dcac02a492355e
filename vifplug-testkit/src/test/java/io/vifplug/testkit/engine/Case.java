package io.vifplug.testkit.engine;

import io.vifplug.Guest;
import io.vifplug.network.NetworkInfo;
import io.vifplug.network.Vif;
import io.vifplug.spi.GuestStatus;
import io.vifplug.testkit.FakeNetworkBackend.Profile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A host, its guests, and what happens there. Everything is drawn from one seed, so a seed names
 * the case; what was left out to make a failing case small is named beside it: {@code 4711:0,3,17}.
 */
record Case(
    long seed,
    NavigableSet<Integer> leftOut,
    Host host,
    List<GuestCase> guests,
    List<Happening> happenings) {

  /** What is configured on the host. */
  record Host(
      Profile profile,
      @Nullable String driver,
      boolean events,
      boolean reader,
      boolean local,
      int maxInFlight,
      long pollMillis,
      long silentMillis,
      long jitterMillis) {}

  /** A guest as it is at the start. */
  record GuestCase(Guest guest, GuestStatus.State state, boolean pausedByUser, List<Vif> vifs) {
    NetworkInfo network() {
      return NetworkInfo.of(vifs.toArray(Vif[]::new));
    }
  }

  static Case of(long seed) {
    return of(seed, new TreeSet<>());
  }

  /** Reads what {@link #token} has written. */
  static Case parse(String token) {
    String[] parts = token.trim().split(":", -1);
    NavigableSet<Integer> leftOut = new TreeSet<>();
    if (parts.length > 1 && !parts[1].isEmpty()) {
      Arrays.stream(parts[1].split(",", -1)).map(Integer::valueOf).forEach(leftOut::add);
    }
    return of(Long.parseLong(parts[0]), leftOut);
  }

  private static Case of(long seed, NavigableSet<Integer> leftOut) {
    CaseDraw draw = new CaseDraw(new Random(seed));
    Host host = draw.host();
    List<GuestCase> guests = draw.guests();
    List<Happening> all = draw.happenings();
    List<Happening> kept = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (!leftOut.contains(i)) {
        kept.add(all.get(i));
      }
    }
    return new Case(seed, leftOut, host, guests, kept);
  }

  String token() {
    return seed
        + (leftOut.isEmpty()
            ? ""
            : ":" + leftOut.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  /** The same case without some of what is left in it, large pieces first. */
  List<Case> smaller() {
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < happenings.size() + leftOut.size(); i++) {
      if (!leftOut.contains(i)) {
        left.add(i);
      }
    }
    List<Case> cases = new ArrayList<>();
    for (int piece = Math.max(1, left.size() / 2); piece >= 1; piece /= 2) {
      for (int from = 0; from < left.size(); from += piece) {
        NavigableSet<Integer> out = new TreeSet<>(leftOut);
        out.addAll(left.subList(from, Math.min(left.size(), from + piece)));
        cases.add(of(seed, out));
      }
    }
    return cases;
  }

  Case with(List<Happening> more) {
    List<Happening> all = new ArrayList<>(happenings);
    all.addAll(more);
    return new Case(seed, leftOut, host, guests, all);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("case ").append(token()).append('\n').append(host);
    guests.forEach(guest -> text.append('\n').append(guest));
    happenings.forEach(happening -> text.append("\n  ").append(happening));
    return text.toString();
  }
}
