package io.vifplug.network;

/** Reads Nova's and Neutron's JSON with Jackson; no Jackson type leaves this class. */
final class NetworkInfoReader {
  private NetworkInfoReader() {}

  @SuppressWarnings("DoNotCallSuggester")
  static NetworkInfo nova(String json) {
    throw new InvalidNetworkInfoException("", json);
  }

  @SuppressWarnings("DoNotCallSuggester")
  static NetworkInfo neutron(String json) {
    throw new InvalidNetworkInfoException("", json);
  }
}
