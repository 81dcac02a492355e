package io.vifplug.network;

/**
 * A description of vifs that cannot be read. Nothing has been touched. The message holds the JSON
 * pointer, what was expected there and what was found.
 */
public final class InvalidNetworkInfoException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String pointer;

  /**
   * Reports one unreadable place.
   *
   * @param pointer the JSON pointer (RFC 6901) of the place; empty for the whole document
   * @param message what was expected and what was found
   */
  public InvalidNetworkInfoException(String pointer, String message) {
    super((pointer.isEmpty() ? "(document)" : pointer) + ": " + message);
    this.pointer = pointer;
  }

  /**
   * The place in the document.
   *
   * @return a JSON pointer, empty for the whole document
   */
  public String pointer() {
    return pointer;
  }
}
