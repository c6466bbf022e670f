package org.ghcdebug.stub.heap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A stretch of memory that is filled from its start. */
final class Region {
  /** What stands where nothing was put: no info pointer, and no small number either. */
  private static final byte JUNK = (byte) 0xAA;

  private final long startAddr;
  private final int flags;
  private final boolean growing;
  private ByteBuffer contents;
  private int usedBytes;

  private Region(long startAddr, int flags, boolean growing, byte[] contents) {
    this.startAddr = startAddr;
    this.flags = flags;
    this.growing = growing;
    this.contents = littleEndian(contents);
  }

  /** Zeroed memory without a limit. */
  static Region growing(long startAddr) {
    return new Region(startAddr, 0, true, new byte[4096]);
  }

  /** A block group of fixed size, all junk. */
  static Region blocks(long startAddr, int lengthBytes, int flags) {
    var junk = new byte[lengthBytes];
    Arrays.fill(junk, JUNK);
    return new Region(startAddr, flags, false, junk);
  }

  long startAddr() {
    return startAddr;
  }

  int usedBytes() {
    return usedBytes;
  }

  int lengthBytes() {
    return growing ? usedBytes : contents.capacity();
  }

  boolean hasRoomFor(int bytes) {
    return growing || bytes <= contents.capacity() - usedBytes;
  }

  /**
   * Sets bytes aside.
   *
   * @return the address of the first, a multiple of 8
   */
  long reserve(int bytes) {
    int at = usedBytes;
    usedBytes = Math.addExact(at, Math.multiplyExact(Math.ceilDiv(bytes, 8), 8));
    if (growing && usedBytes > contents.capacity()) {
      int capacity = Math.max(usedBytes, Math.multiplyExact(2, contents.capacity()));
      contents = littleEndian(Arrays.copyOf(contents.array(), capacity));
    }
    return startAddr + at;
  }

  /**
   * Appends bytes and a NUL.
   *
   * @return the address of the first
   */
  long putString(byte[] text) {
    long address = reserve(text.length + 1);
    contents.put(index(address), text);
    return address;
  }

  void putLong(long address, long value) {
    contents.putLong(index(address), value);
  }

  void putInt(long address, int value) {
    contents.putInt(index(address), value);
  }

  /** A view of the memory, which shares its bytes. */
  BlockGroup asGroup() {
    return new BlockGroup(startAddr, flags, contents.duplicate().limit(lengthBytes()));
  }

  private int index(long address) {
    return Math.toIntExact(address - startAddr);
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
