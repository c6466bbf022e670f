package org.ghcdebug.protocol.decode;

import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;

/** Fields of threads that are parts of words. */
final class ThreadFields {
  private ThreadFields() {}

  static int whyBlocked(ClosureLayout layout, ClosureWords tso) {
    TsoLayout fields = layout.tso();
    int byteOffset = fields.whyBlockedByte();
    long word = tso.word(layout.headerWords() + byteOffset / 8) >>> (byteOffset % 8 * 8);
    return fields.whyBlockedBytes() == 2 ? (int) word & 0xffff : (int) word;
  }
}
