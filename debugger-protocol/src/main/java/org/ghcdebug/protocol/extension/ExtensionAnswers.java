package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.protocol.error.MalformedDataException;

/**
 * Reads the answers that are lists to the end of the payload, or little. Every method throws {@link
 * MalformedDataException} when a payload ends inside of an entry.
 */
public final class ExtensionAnswers {
  private ExtensionAnswers() {}

  /**
   * A root.
   *
   * @param kind one of the constants
   */
  public record Root(int kind, long address) {
    public static final int THREAD = 1;

    /** What a stable name names, and does not keep alive. */
    public static final int STABLE_NAME_TARGET = 7;
  }

  /** A closure that the program registered, and its name, which may be empty. */
  public record Saved(long address, String name) {}

  /** A weak pointer of the RTS's lists. */
  public record Weak(long address, long key, long value, long finalizer, int generation) {}

  /**
   * A closure with its bytes in the payload.
   *
   * @param words empty where there is no closure
   */
  public record ReachableClosure(long address, long[] words) {}

  /**
   * Where the debuggee's memory can be read directly.
   *
   * @param pid in the program's name space
   * @param proof what stands at the address
   * @param errorNumber of the attempt to allow it, 0 for none
   */
  public record MemoryProbe(long pid, long address, byte[] proof, long errorNumber) {
    static final int PROOF_BYTES = 16;
  }

  /** The answer to ROOTS2. */
  public static List<Root> roots(ByteBuf payload) {
    return list(ExtensionCommand.ROOTS2, payload, read -> new Root(read.i32(), read.u64()));
  }

  /** The answer to SAVED2. */
  public static List<Saved> saved(ByteBuf payload) {
    return list(ExtensionCommand.SAVED2, payload, read -> new Saved(read.u64(), read.text()));
  }

  /** The answer to WEAKS. */
  public static List<Weak> weaks(ByteBuf payload) {
    return list(
        ExtensionCommand.WEAKS,
        payload,
        read -> {
          long address = read.u64();
          long key = read.u64();
          long value = read.u64();
          long finalizer = read.u64();
          read.u64(); // C finalizers
          return new Weak(address, key, value, finalizer, (int) read.u64());
        });
  }

  /** The answer to REACHABLE. */
  public static List<ReachableClosure> reachable(ByteBuf payload) {
    return list(
        ExtensionCommand.REACHABLE,
        payload,
        read -> {
          long address = read.u64();
          long lengthBytes = read.u64();
          if (lengthBytes < 0 || lengthBytes > payload.readableBytes()) {
            throw new IndexOutOfBoundsException();
          }
          long[] words = new long[(int) (lengthBytes / Long.BYTES)];
          for (int i = 0; i < words.length; i++) {
            words[i] = read.u64();
          }
          return new ReachableClosure(address, words);
        });
  }

  /** The answer to MEMORY_PROBE. */
  public static MemoryProbe memoryProbe(ByteBuf payload) {
    return Payload.read(
        ExtensionCommand.MEMORY_PROBE,
        payload,
        read ->
            new MemoryProbe(
                read.u32(), read.u64(), read.bytes(MemoryProbe.PROOF_BYTES), read.u32()));
  }

  /** Why a command was refused; can be empty. */
  public static String reason(ByteBuf payload) {
    return payload.toString(StandardCharsets.UTF_8);
  }

  private interface Entry<T> {
    T read(Payload payload);
  }

  private static <T> List<T> list(ExtensionCommand command, ByteBuf payload, Entry<T> entry) {
    return Payload.read(
        command,
        payload,
        read -> {
          List<T> entries = new ArrayList<>();
          while (read.hasMore()) {
            entries.add(entry.read(read));
          }
          return entries;
        });
  }
}
