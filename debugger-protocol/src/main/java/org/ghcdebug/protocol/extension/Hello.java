package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;

/**
 * A debuggee's answer to HELLO.
 *
 * @param capabilities see {@link ExtensionCommand#isIn}
 * @param isThreaded whether the RTS is
 * @param isDynamic whether it is linked dynamically
 * @param isDebug whether the RTS checks itself
 * @param hasInfoTableMap whether some code has entries in the info-table map
 * @param isNonMoving whether the non-moving collector is used
 * @param keepsStatistics whether the program runs with {@code +RTS -T}
 * @param pid in the program's own name space
 * @param capabilityCount {@code -N}
 * @param connection number of this connection, from 1
 * @param library name and version of the debuggee library
 * @param arguments without those for the RTS
 */
public record Hello(
    long capabilities,
    GhcVersion ghc,
    ProfilingMode profiling,
    boolean isThreaded,
    boolean isDynamic,
    boolean isDebug,
    boolean hasInfoTableMap,
    boolean isNonMoving,
    boolean keepsStatistics,
    long pid,
    int capabilityCount,
    int generationCount,
    Instant startedAt,
    long connection,
    String library,
    String program,
    List<String> arguments,
    RtsFigures figures) {
  private static final long MAGIC = 0x58_47_42_44_43_48_47_8fL; // \x8fGHCDBGX, little-endian
  private static final int CAN_PAUSE_BIT = 48;
  private static final int CAN_FORK_BIT = 49;

  public Hello {
    arguments = List.copyOf(arguments);
  }

  /** Whether a payload is an answer to HELLO, and not another stub's to VERSION. */
  public static boolean recognizes(ByteBuf payload) {
    return payload.readableBytes() >= Long.BYTES
        && payload.getLongLE(payload.readerIndex()) == MAGIC;
  }

  /**
   * Reads an answer that was {@linkplain #recognizes recognized}.
   *
   * @throws org.ghcdebug.protocol.error.MalformedDataException when it ends too early
   */
  public static Hello decode(ByteBuf payload) {
    return Payload.read(ExtensionCommand.HELLO, payload, Hello::read);
  }

  private static Hello read(Payload payload) {
    payload.u64(); // magic
    payload.u32(); // extension version: newer ones only add
    long capabilities = payload.u64();
    payload.u32(); // bytes a word, checked with VERSION
    GhcVersion ghc = new GhcVersion(payload.i32(), payload.i32());
    ProfilingMode profiling =
        ProfilingMode.findByWireValue(payload.u8()).orElse(ProfilingMode.OTHER_HEAP_PROFILE);
    payload.u8(); // tables next to code, checked with VERSION
    int way = payload.u8();
    int flags = payload.u8();
    long pid = payload.u32();
    int capabilityCount = payload.i32();
    int generationCount = payload.i32();
    Instant startedAt = Instant.EPOCH.plus(payload.u64(), ChronoUnit.MICROS);
    long connection = payload.u64();
    String library = payload.text();
    String program = payload.text();
    List<String> arguments = new ArrayList<>();
    for (long left = payload.u32(); left > 0; left--) {
      arguments.add(payload.text());
    }
    return new Hello(
        capabilities,
        ghc,
        profiling,
        (way & 1) != 0,
        (way & 4) != 0,
        (way & 8) != 0,
        (flags & 1) != 0,
        (flags & 2) != 0,
        (flags & 8) != 0,
        pid,
        capabilityCount,
        generationCount,
        startedAt,
        connection,
        library,
        program,
        arguments,
        RtsFigures.read(payload));
  }

  /** Whether a command is served. */
  public boolean serves(ExtensionCommand command) {
    return command.isIn(capabilities);
  }

  /** Whether the program can be paused at all. */
  public boolean canPause() {
    return (capabilities >>> CAN_PAUSE_BIT & 1) == 1;
  }

  /** Whether a copy of it can be forked. */
  public boolean canFork() {
    return (capabilities >>> CAN_FORK_BIT & 1) == 1;
  }
}
