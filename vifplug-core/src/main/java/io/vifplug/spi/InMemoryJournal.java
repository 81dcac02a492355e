package io.vifplug.spi;

import java.util.List;

/** Temporary. */
final class InMemoryJournal implements Journal {
  @Override
  public void append(Entry entry) {}

  @Override
  public List<Entry> open() {
    return List.of();
  }
}
