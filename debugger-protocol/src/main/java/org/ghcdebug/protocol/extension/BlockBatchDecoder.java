package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.wire.BodySink;

/**
 * Takes the answer to BLOCK_CONTENTS apart as it arrives. It buffers the descriptors of one batch.
 * For one response; for one thread at a time.
 *
 * <pre>
 * batch  u32 n, n descriptors, the groups' used bytes without gaps; n = 0 ends the answer
 * </pre>
 */
public final class BlockBatchDecoder implements BodySink {
  /**
   * Takes groups as they arrive: {@code group}, then {@code contents} until its used bytes came.
   */
  public interface Sink {
    void group(BlockDescriptor group);

    /**
     * @param bytes valid during this call only
     */
    void contents(ByteBuf bytes);
  }

  private static final int MAX_BATCH_GROUPS = 1 << 20;

  private final String where;
  private final Sink sink;
  private final ByteBuf descriptors = Unpooled.buffer(); // count and descriptors of a batch
  private int wantedBytes = Integer.BYTES; // of them
  private final ArrayDeque<BlockDescriptor> groups = new ArrayDeque<>();
  private long leftBytes; // of the current group
  private long offsetBytes;
  private boolean isFinished;

  /**
   * @param where the response's name in error messages
   */
  public BlockBatchDecoder(String where, Sink sink) {
    this.where = where;
    this.sink = sink;
  }

  /**
   * @throws MalformedDataException when a batch or group makes no sense
   */
  @Override
  public void body(ByteBuf bytes) {
    while (bytes.isReadable() && !isFinished) {
      int before = bytes.readableBytes();
      if (leftBytes > 0) {
        int length = (int) Math.min(leftBytes, before);
        leftBytes -= length;
        sink.contents(bytes.readSlice(length));
      } else {
        int length = Math.min(wantedBytes - descriptors.readableBytes(), before);
        descriptors.writeBytes(bytes, length);
        if (descriptors.readableBytes() == wantedBytes) {
          readBatch();
        }
      }
      offsetBytes += before - bytes.readableBytes();
      beginGroups();
    }
  }

  private void readBatch() {
    if (wantedBytes == Integer.BYTES) {
      long count = descriptors.getUnsignedInt(0);
      if (count > MAX_BATCH_GROUPS) {
        throw malformed("a batch of %d groups".formatted(count));
      }
      isFinished = count == 0;
      wantedBytes += Math.toIntExact(count * BlockDescriptor.BYTES);
      return;
    }
    descriptors.skipBytes(Integer.BYTES);
    groups.addAll(BlockDescriptor.decodeList(descriptors));
    descriptors.clear();
    wantedBytes = Integer.BYTES;
  }

  private void beginGroups() {
    while (leftBytes == 0 && !groups.isEmpty()) {
      BlockDescriptor group = groups.remove();
      if (group.usedBytes() < 0 || group.usedBytes() > group.lengthBytes()) {
        throw malformed(
            "a group at 0x%016x that uses %d of %d bytes"
                .formatted(group.startAddr(), group.usedBytes(), group.lengthBytes()));
      }
      leftBytes = group.usedBytes();
      sink.group(group);
    }
  }

  /**
   * To be called when the response has ended well.
   *
   * @throws MalformedDataException when it ended before its last batch
   */
  public void finish() {
    if (!isFinished) {
      throw malformed("end of the response, expected more block groups or a batch of none");
    }
  }

  private MalformedDataException malformed(String problem) {
    return new MalformedDataException(where, offsetBytes, problem);
  }
}
