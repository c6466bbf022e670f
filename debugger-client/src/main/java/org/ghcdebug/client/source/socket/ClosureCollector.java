package org.ghcdebug.client.source.socket;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.List;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.protocol.wire.Status;
import org.jspecify.annotations.Nullable;

/**
 * Makes arrays of CLOSURES responses as they arrive, so that they can be of any size: the bytes are
 * copied once, and a payload never sits in one buffer.
 *
 * <pre>
 * closure  offset width
 *               0     4  N, big-endian: 0 when the debuggee could not read it
 *               4     N  the closure's words, little-endian
 * </pre>
 *
 * <p>Memory grows with the bytes that arrived, never with those announced.
 */
final class ClosureCollector implements Connection.ResponseHandler {
  private static final int LENGTH_BYTES = 4;
  private static final int TRUSTED_WORDS = 1 << 16;

  private final String where;
  private final Batch batch;
  private final long @Nullable [][] results;
  private int request;
  private int next; // of the request's closures
  private int requestSize;

  private long offsetBytes;
  private int lengthBytesRead;
  private long lengthWords;
  private long[] words = new long[0];
  private int wordCount;
  private long partialWord;
  private int partialBytes;

  /**
   * @param where the responses' name in messages
   * @param batch what is asked for
   */
  ClosureCollector(String where, Batch batch) {
    this.where = where;
    this.batch = batch;
    this.results = new long[batch.askedSize()][];
  }

  /** Per address asked for its closure. */
  List<long @Nullable []> results() {
    return Arrays.asList(results);
  }

  @Override
  public void begin(int index) {
    request = index;
    next = 0;
    requestSize = batch.size(index);
    offsetBytes = 0;
  }

  @Override
  public void body(ByteBuf bytes) {
    while (bytes.isReadable()) {
      if (next == requestSize) {
        throw new MalformedDataException(
            where, offsetBytes, bytes.readableBytes() + " bytes beyond the last closure");
      }
      if (lengthBytesRead < LENGTH_BYTES) {
        lengthWords = lengthWords << 8 | bytes.readUnsignedByte();
        offsetBytes++;
        if (++lengthBytesRead == LENGTH_BYTES) {
          beginClosure();
        }
      } else {
        readWords(bytes);
      }
      if (lengthBytesRead == LENGTH_BYTES && wordCount == lengthWords) {
        endClosure();
      }
    }
  }

  private void beginClosure() {
    if (lengthWords % Target.WORD_BYTES != 0) {
      throw new MalformedDataException(
          where,
          offsetBytes - LENGTH_BYTES,
          "closure of %d bytes, expected a multiple of 8".formatted(lengthWords));
    }
    lengthWords /= Target.WORD_BYTES;
    words = new long[(int) Math.min(lengthWords, TRUSTED_WORDS)];
    wordCount = 0;
  }

  private void readWords(ByteBuf bytes) {
    if (partialBytes == 0 && bytes.readableBytes() >= Target.WORD_BYTES) {
      int count =
          (int) Math.min(lengthWords - wordCount, bytes.readableBytes() / Target.WORD_BYTES);
      reserve(count);
      for (int i = 0; i < count; i++) {
        words[wordCount++] = bytes.readLongLE();
      }
      offsetBytes += (long) count * Target.WORD_BYTES;
      return;
    }
    partialWord |= (long) bytes.readUnsignedByte() << 8 * partialBytes;
    offsetBytes++;
    if (++partialBytes == Target.WORD_BYTES) {
      reserve(1);
      words[wordCount++] = partialWord;
      partialWord = 0;
      partialBytes = 0;
    }
  }

  private void reserve(int more) {
    if (wordCount + more > words.length) {
      long doubled = Math.max(2L * words.length, (long) wordCount + more);
      words = Arrays.copyOf(words, (int) Math.min(doubled, lengthWords));
    }
  }

  private void endClosure() {
    results[batch.position(request, next++)] = wordCount == 0 ? null : words;
    lengthBytesRead = 0;
    lengthWords = 0;
    wordCount = 0;
  }

  @Override
  public void end(int index, Status status) {
    if (status.isError()) {
      throw new Response.Refused(status).toException(new Request.Closures(batch.part(index)));
    }
    if (next < requestSize) {
      throw new MalformedDataException(
          where,
          offsetBytes,
          "end of the response, expected %d more closures".formatted(requestSize - next));
    }
  }
}
