package io.vifplug.spi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A journal that dies with its process. Records that no longer matter are dropped at once, so it
 * does not grow with the number of attempts. Thread-safe.
 */
final class InMemoryJournal implements Journal {
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<Long, Entry> entries = new TreeMap<>();
  private final Map<Long, List<Long>> running = new HashMap<>();
  private final Map<PluggedVif, Set<Long>> plugged = new HashMap<>();
  private long last;

  @Override
  public void append(Entry entry) {
    Objects.requireNonNull(entry, "entry");
    lock.lock();
    try {
      PluggedVif vif = PluggedVif.of(entry);
      switch (entry.what()) {
        case BEGIN -> {
          running.putIfAbsent(entry.attempt(), new ArrayList<>());
          keep(entry);
        }
        case PLUG -> {
          long number = keep(entry);
          if (vif != null) {
            plugged.computeIfAbsent(vif, unused -> new HashSet<>()).add(number);
          }
        }
        case UNPLUGGED -> {
          forgetPlugs(vif);
          keepIfRunning(entry);
        }
        case END -> end(entry.attempt());
        default -> keepIfRunning(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<Entry> open() {
    lock.lock();
    try {
      return List.copyOf(entries.values());
    } finally {
      lock.unlock();
    }
  }

  private long keep(Entry entry) {
    long number = ++last;
    entries.put(number, entry);
    List<Long> records = running.get(entry.attempt());
    if (records != null) {
      records.add(number);
    }
    return number;
  }

  private void keepIfRunning(Entry entry) {
    if (running.containsKey(entry.attempt())) {
      long unused = keep(entry);
    }
  }

  private void forgetPlugs(@Nullable PluggedVif vif) {
    Set<Long> numbers = vif == null ? null : plugged.remove(vif);
    if (numbers != null) {
      numbers.removeIf(number -> running.containsKey(attemptOf(number)));
      numbers.forEach(entries::remove);
    }
  }

  private @Nullable Long attemptOf(long number) {
    Entry entry = entries.get(number);
    return entry == null ? null : entry.attempt();
  }

  private void end(long attempt) {
    List<Long> records = running.remove(attempt);
    if (records == null) {
      return;
    }
    for (Long number : records) {
      Entry entry = entries.get(number);
      PluggedVif vif = entry == null ? null : PluggedVif.of(entry);
      boolean stillPlugged = vif != null && plugged.getOrDefault(vif, Set.of()).contains(number);
      if (!stillPlugged) {
        entries.remove(number);
      }
    }
  }

  private record PluggedVif(UUID guest, UUID port) {
    static @Nullable PluggedVif of(Entry entry) {
      UUID port = entry.port();
      return port == null ? null : new PluggedVif(entry.guest().id(), port);
    }
  }
}
