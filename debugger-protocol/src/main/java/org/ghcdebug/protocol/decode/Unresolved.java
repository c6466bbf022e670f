package org.ghcdebug.protocol.decode;

/**
 * Why a closure could not be read to its end. All but {@link Malformed} can be fetched; then read
 * the closure again.
 */
public sealed interface Unresolved {
  /** {@link CodeTables#infoTable} did not know this frame's info table. */
  record NoInfoTable(long infoAddr) implements Unresolved {}

  /** {@link CodeTables#funBitmap} did not know this function. */
  record NoFunBitmap(long funAddr, int arguments) implements Unresolved {}

  /**
   * {@link CodeTables#stackBitmap} did not know this frame.
   *
   * @param baseAddr the stack's {@code sp}, or the address of an AP_STACK's or continuation's
   *     frames
   * @param offsetBytes from there to the frame, unsigned
   * @param infoAddr the frame's info pointer
   */
  record NoStackBitmap(long baseAddr, int offsetBytes, long infoAddr) implements Unresolved {
    /** A frame too far from the base for an offset of 32 bits is its own base. */
    static NoStackBitmap of(long baseAddr, long frameAddr, long infoAddr) {
      long offsetBytes = frameAddr - baseAddr;
      return offsetBytes >>> 32 == 0
          ? new NoStackBitmap(baseAddr, (int) offsetBytes, infoAddr)
          : new NoStackBitmap(frameAddr, 0, infoAddr);
    }

    /** Where the frame is. */
    public long frameAddr() {
      return baseAddr + Integer.toUnsignedLong(offsetBytes);
    }
  }

  /** {@link CodeTables#bcoBitmap} did not know this byte code. */
  record NoBcoBitmap(long bcoAddr) implements Unresolved {}

  /**
   * The words make no sense.
   *
   * @param problem what was found and what was expected
   */
  record Malformed(String problem) implements Unresolved {}
}
