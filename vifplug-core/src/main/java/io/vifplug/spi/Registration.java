package io.vifplug.spi;

/** Something that goes on until it is closed. Closing is idempotent and does not throw. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
  /** A registration that holds nothing. */
  Registration NONE = () -> {};

  @Override
  void close();
}
