package io.vifplug.testkit.scenario;

/**
 * A file that is no valid scenario. The message holds the file, the JSON pointer of the place, and
 * what was expected there.
 */
public final class InvalidScenarioException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final String pointer;

  /**
   * Reports one place.
   *
   * @param file the file as it was named by the user
   * @param pointer the JSON pointer (RFC 6901) of the place; empty for the whole document
   * @param message what was expected there and what was found
   */
  public InvalidScenarioException(String file, String pointer, String message) {
    super(file + ": " + (pointer.isEmpty() ? "(document)" : pointer) + ": " + message);
    this.file = file;
    this.pointer = pointer;
  }

  /**
   * The file.
   *
   * @return its name as the user gave it
   */
  public String file() {
    return file;
  }

  /**
   * The place in the file.
   *
   * @return a JSON pointer, empty for the whole document
   */
  public String pointer() {
    return pointer;
  }
}
