package org.ghcdebug.client.source.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;

/**
 * Where a program keeps what it reads of a connection, which is where a client can put closures and
 * info tables of its own making.
 */
final class InputBuffers {
  private static final int MEMORY_PROBE = 0x115;
  private static final int READ_MEMORY = 0x10a;

  /** Before the probe there is the rest of the connection's record, with the buffer's address. */
  private static final int RECORD_BYTES = 256;

  private static final int COMPARED_BYTES = 32;

  private InputBuffers() {}

  /** A connection on which something can be asked; gives what is answered. */
  interface Client {
    ByteBuf ask(byte[] frame) throws IOException;
  }

  /** The address at which a request begins that comes when all before it have been answered. */
  static long find(Client client) throws IOException {
    long record = client.ask(frame(MEMORY_PROBE)).getLongLE(Integer.BYTES) - RECORD_BYTES;
    ByteBuf words = client.ask(ranges(RECORD_BYTES, record));
    words.skipBytes(Integer.BYTES);
    long[] candidates = new long[RECORD_BYTES / Long.BYTES];
    for (int i = 0; i < candidates.length; i++) {
      candidates[i] = words.readLongLE();
    }
    byte[] self = ranges(COMPARED_BYTES, candidates);
    ByteBuf start = Unpooled.wrappedBuffer(self, 0, COMPARED_BYTES);
    ByteBuf pieces = client.ask(self);
    for (long candidate : candidates) {
      for (int length; (length = pieces.readInt()) > 0; ) {
        if (pieces.readSlice(length).equals(start)) {
          return candidate;
        }
      }
    }
    throw new AssertionError("the buffer of a connection is not in its record");
  }

  private static byte[] ranges(int length, long... starts) {
    ByteBuf body = Unpooled.buffer().writeInt(starts.length);
    for (long start : starts) {
      body.writeLongLE(start).writeLongLE(length);
    }
    return frame(READ_MEMORY, ByteBufUtil.getBytes(body));
  }

  private static byte[] frame(int command, byte... body) {
    ByteBuf frame = Unpooled.buffer().writeInt(Integer.BYTES + body.length).writeInt(command);
    return ByteBufUtil.getBytes(frame.writeBytes(body));
  }
}
