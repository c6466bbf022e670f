package org.ghcdebug.protocol.eventlog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message of ghc-stack-profiler, carried by {@link Event.UserBinaryMessage}.
 *
 * <pre>
 * FFCA stack    last or only chunk      FFCB stack    earlier chunk of the same call stack
 * FFCC u64 stringId, u16 n, n bytes UTF-8
 * FFCD u64 srcLocId, u32 row, u32 column, u64 fileStringId
 * stack := u32 capability, u32 thread id, u16 count, entry × count
 * entry := 01 u64 info table | 02 u64 stringId | 03 u64 stringId, u64 srcLocId
 * </pre>
 */
public sealed interface StackMessage {
  /**
   * @param last whether the call stack is complete with this chunk
   */
  record Chunk(long capability, long threadId, boolean last, List<Entry> entries)
      implements StackMessage {
    public Chunk {
      entries = List.copyOf(entries);
    }
  }

  record StringDefinition(long stringId, String text) implements StackMessage {}

  record SourceLocationDefinition(long sourceLocationId, long row, long column, long fileStringId)
      implements StackMessage {}

  /** One frame of a call stack. */
  sealed interface Entry {
    record InfoTable(long address) implements Entry {}

    record Annotation(long stringId) implements Entry {}

    record LocatedAnnotation(long stringId, long sourceLocationId) implements Entry {}
  }

  /** The message in a payload, or null where it is somebody else's or cut. */
  static @Nullable StackMessage parse(Bytes payload) {
    ByteBuffer in = ByteBuffer.wrap(payload.toArray());
    if (in.remaining() < 2) {
      return null;
    }
    return switch (in.getShort() & 0xFFFF) {
      case 0xFFCA -> chunk(in, true);
      case 0xFFCB -> chunk(in, false);
      case 0xFFCC -> {
        if (in.remaining() < 10) {
          yield null;
        }
        long id = in.getLong();
        byte[] text = new byte[in.getShort() & 0xFFFF];
        if (in.remaining() < text.length) {
          yield null;
        }
        in.get(text);
        yield new StringDefinition(id, new String(text, StandardCharsets.UTF_8));
      }
      case 0xFFCD ->
          in.remaining() < 24
              ? null
              : new SourceLocationDefinition(
                  in.getLong(),
                  Integer.toUnsignedLong(in.getInt()),
                  Integer.toUnsignedLong(in.getInt()),
                  in.getLong());
      default -> null;
    };
  }

  private static @Nullable StackMessage chunk(ByteBuffer in, boolean last) {
    if (in.remaining() < 10) {
      return null;
    }
    long capability = Integer.toUnsignedLong(in.getInt());
    long thread = Integer.toUnsignedLong(in.getInt());
    int count = in.getShort() & 0xFFFF;
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (in.remaining() < 9) {
        return null;
      }
      int tag = in.get();
      long id = in.getLong();
      switch (tag) {
        case 1 -> entries.add(new Entry.InfoTable(id));
        case 2 -> entries.add(new Entry.Annotation(id));
        case 3 -> {
          if (in.remaining() < 8) {
            return null;
          }
          entries.add(new Entry.LocatedAnnotation(id, in.getLong()));
        }
        default -> {
          return null;
        }
      }
    }
    return new Chunk(capability, thread, last, entries);
  }
}
