package org.ghcdebug.protocol.decode;

/** Where the frames of a STACK begin. */
final class StackArea {
  private StackArea() {}

  /**
   * Word index of the frame at {@code spAddr} in the closure at {@code closureAddr}, -1 unless it
   * is a word from {@code start} to {@code end}, which is where an empty stack's pointer is.
   */
  static int topIndex(long closureAddr, long spAddr, int start, int end) {
    long offsetBytes = spAddr - closureAddr;
    return (offsetBytes & 7) == 0 && offsetBytes >= 8L * start && offsetBytes <= 8L * end
        ? (int) (offsetBytes / 8)
        : -1;
  }

  static Unresolved.Malformed badStackPointer(long closureAddr, long spAddr, int start, int end) {
    return new Unresolved.Malformed(
        "stack at 0x%016x: sp is 0x%016x, not an aligned address from 0x%016x to 0x%016x"
            .formatted(closureAddr, spAddr, closureAddr + 8L * start, closureAddr + 8L * end));
  }
}
