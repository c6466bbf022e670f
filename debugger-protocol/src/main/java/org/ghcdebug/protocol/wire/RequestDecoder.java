package org.ghcdebug.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.InfoPtr;
import org.jspecify.annotations.Nullable;

/**
 * Takes a client's stream apart into requests, however it is cut into chunks. No byte sequence
 * makes it fail: what is no request is said to be {@link Received.Invalid}, and the stream goes on
 * after it. For one thread at a time.
 */
public final class RequestDecoder {
  /** Room for the largest request, 65,535 addresses, and as much again to be ignored. */
  public static final int DEFAULT_MAX_REQUEST_BYTES = 1 << 20;

  private static final int LENGTH_BYTES = 4;
  private static final int COMMAND_BYTES = 4;

  private final int maxRequestBytes;
  private final ByteBuf frame = Unpooled.buffer(); // on the Java heap: nothing to release
  private int lengthBytes;
  private long frameBytes;
  private long skippedBytes;

  /** What a client sent, in the order in which it must be answered. */
  public sealed interface Received {
    /** A request; bytes beyond what its command needs were ignored. */
    record Valid(Request request) implements Received {}

    /**
     * Something else, to be answered with {@link Status#BAD_COMMAND}.
     *
     * @param problem what was found and expected
     */
    record Invalid(String problem) implements Received {}
  }

  public RequestDecoder() {
    this(DEFAULT_MAX_REQUEST_BYTES);
  }

  /**
   * @param maxRequestBytes the longest frame to collect; longer ones are skipped and invalid
   */
  public RequestDecoder(int maxRequestBytes) {
    this.maxRequestBytes = maxRequestBytes;
  }

  /**
   * Reads from {@code in} to the end of the current frame, or all of it when the frame goes on.
   *
   * @return what the frame held, or null when it is not complete yet
   */
  public @Nullable Received decode(ByteBuf in) {
    while (lengthBytes < LENGTH_BYTES) {
      if (!in.isReadable()) {
        return null;
      }
      frameBytes = frameBytes << 8 | in.readUnsignedByte();
      lengthBytes++;
    }
    boolean isCollected = frameBytes >= COMMAND_BYTES && frameBytes <= maxRequestBytes;
    long left = frameBytes - skippedBytes - frame.readableBytes();
    int available = (int) Math.min(left, in.readableBytes());
    if (isCollected) {
      frame.writeBytes(in, available);
    } else {
      in.skipBytes(available);
      skippedBytes += available;
    }
    if (available < left) {
      return null;
    }
    Received received = isCollected ? receive(frame) : wrongLength(frameBytes);
    frame.clear();
    lengthBytes = 0;
    frameBytes = 0;
    skippedBytes = 0;
    return received;
  }

  private Received.Invalid wrongLength(long length) {
    return new Received.Invalid(
        "request of %d bytes, expected %d to %d".formatted(length, COMMAND_BYTES, maxRequestBytes));
  }

  private static Received receive(ByteBuf frame) {
    try {
      return new Received.Valid(decodeFrame(frame, "request"));
    } catch (MalformedDataException e) {
      return new Received.Invalid(e.getMessage());
    }
  }

  /**
   * The request of a frame's bytes after its length. Consumes what its command needs.
   *
   * @param where the frame's name in error messages
   * @throws MalformedDataException when the command is unknown or its payload too short
   */
  public static Request decodeFrame(ByteBuf frame, String where) {
    var reader = new PayloadReader(frame, where);
    int number = reader.u31("command");
    Command command =
        Command.findByNumber(number)
            .orElseThrow(
                () ->
                    reader.malformedBefore(
                        COMMAND_BYTES,
                        "command %d, expected 1 to 9, 11, 12 or 14 to 21".formatted(number)));
    return switch (command) {
      case VERSION -> new Request.Version();
      case PAUSE -> new Request.Pause(reader.u8());
      case RESUME -> new Request.Resume();
      case ROOTS -> new Request.Roots();
      case CLOSURES -> new Request.Closures(reader.addresses(reader.u16()));
      case INFO_TABLES -> new Request.InfoTables(reader.addresses(reader.u16()));
      case STACK_BITMAP -> new Request.StackBitmap(reader.word(), (int) reader.u32());
      case POLL -> new Request.Poll();
      case SAVED_OBJECTS -> new Request.SavedObjects();
      case CON_DESCR -> new Request.ConDescr(new InfoPtr(reader.word()));
      case SOURCE_INFO -> new Request.SourceInfo(new InfoPtr(reader.word()));
      case ALL_BLOCKS -> new Request.AllBlocks();
      case BLOCK -> new Request.Block(reader.word());
      case FUN_BITMAP -> new Request.FunBitmap(reader.word(), reader.u16());
      case SRT -> new Request.Srt(reader.addresses(reader.u16()));
      case CCS -> new Request.Ccs(new CcsPtr(reader.word()));
      case CC -> new Request.CostCentre(reader.word());
      case INDEX_TABLE -> new Request.IndexTable(reader.word());
      case CCS_MAIN -> new Request.CcsMain();
    };
  }
}
