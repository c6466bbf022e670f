package org.ghcdebug.protocol.error;

import java.io.Serial;

/** A GHC version, word size, way or protocol that this library does not read. */
public final class UnsupportedTargetException extends DebuggerException {
  @Serial private static final long serialVersionUID = 1L;

  private final String found;
  private final String supported;

  /**
   * @param found what the target says it is
   * @param supported what would have been accepted
   */
  public UnsupportedTargetException(String found, String supported) {
    super(found + " is not supported; supported: " + supported, null);
    this.found = found;
    this.supported = supported;
  }

  public String found() {
    return found;
  }

  public String supported() {
    return supported;
  }
}
