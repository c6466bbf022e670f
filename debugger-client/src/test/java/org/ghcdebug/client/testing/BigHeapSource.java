package org.ghcdebug.client.testing;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A map of any number of entries that is made as it is read, so that only the reader needs memory:
 * a balanced tree of {@code Bin} with an {@code I#} for the key and {@code Just} an {@code I#} for
 * the value. 4 closures, 96 bytes and 7 pointers an entry.
 *
 * <p>Entries lie in the order of a depth-first walk, or scattered without any order.
 */
public final class BigHeapSource extends StubHeapSource {
  private static final int CLOSURES_PER_ENTRY = 4;
  private static final int BLOCK_BYTES = 4096;
  private static final int ENTRY_WORDS = 12;
  private static final int ENTRIES_PER_BLOCK = BLOCK_BYTES / (8 * ENTRY_WORDS);
  private static final long FIRST_BLOCK_ADDR = 0x42_0010_0000L;

  private static final long BIN = 0x40_1000L;
  private static final long INT = 0x40_1100L;
  private static final long JUST = 0x40_1200L;
  private static final long TIP = 0x40_1300L;
  private static final long TIP_CLOSURE_ADDR = 0x40_2000L;

  private static final long FACTOR = 0x9E3779B97F4A7C15L;
  private static final long FACTOR_INVERSE = inverse(FACTOR);

  private final long entries;
  private final boolean shuffled;
  private final int bits;

  /**
   * @param closures about how many
   */
  public BigHeapSource(long closures, boolean shuffled) {
    super(new HeapBuilder(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA)).build());
    this.entries = closures / CLOSURES_PER_ENTRY;
    this.shuffled = shuffled;
    this.bits = Math.max(2, 64 - Long.numberOfLeadingZeros(entries));
  }

  /** How many closures there are, the static one included. */
  public long closures() {
    return entries * CLOSURES_PER_ENTRY + 1;
  }

  private static long inverse(long odd) {
    long inverse = odd;
    for (int i = 0; i < 6; i++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  private long mask() {
    return (1L << bits) - 1;
  }

  /** A permutation of the numbers of the next power of two, applied until it stays in range. */
  private long slot(long entry) {
    if (!shuffled) {
      return entry;
    }
    long x = entry;
    do {
      x = x * FACTOR & mask();
      x ^= x >>> bits - bits / 2;
      x = x * FACTOR & mask();
    } while (x >= entries);
    return x;
  }

  private long entry(long slot) {
    if (!shuffled) {
      return slot;
    }
    long x = slot;
    do {
      x = x * FACTOR_INVERSE & mask();
      x ^= x >>> bits - bits / 2;
      x = x * FACTOR_INVERSE & mask();
    } while (x >= entries);
    return x;
  }

  private long address(long entry) {
    long slot = slot(entry);
    return FIRST_BLOCK_ADDR
        + slot / ENTRIES_PER_BLOCK * BLOCK_BYTES
        + slot % ENTRIES_PER_BLOCK * ENTRY_WORDS * Long.BYTES;
  }

  @Override
  public long blocks(BlockSink sink) {
    var block = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long blockCount = (entries + ENTRIES_PER_BLOCK - 1) / ENTRIES_PER_BLOCK;
    for (long number = 0; number < blockCount; number++) {
      block.clear();
      for (long slot = number * ENTRIES_PER_BLOCK;
          slot < Math.min(entries, (number + 1) * ENTRIES_PER_BLOCK);
          slot++) {
        put(block, entry(slot));
      }
      while (block.hasRemaining()) {
        block.putLong(0);
      }
      sink.group(new BlockGroup(FIRST_BLOCK_ADDR + number * BLOCK_BYTES, BLOCK_BYTES, 0));
      sink.contents(MemorySegment.ofBuffer(block.flip()));
    }
    return blockCount * BLOCK_BYTES;
  }

  /** An entry is the root of the subtree of those from it to the end of its range. */
  private void put(ByteBuffer block, long entry) {
    long from = 0;
    long to = entries;
    long middle = middle(from, to);
    while (from != entry) {
      if (entry < middle) {
        from++;
        to = middle;
      } else {
        from = middle;
      }
      middle = middle(from, to);
    }
    long addr = address(entry);
    block.putLong(BIN).putLong(addr + 6 * 8 | 1).putLong(addr + 8 * 8 | 1);
    block.putLong(from + 1 < middle ? address(from + 1) | 1 : TIP_CLOSURE_ADDR | 2);
    block.putLong(middle < to ? address(middle) | 1 : TIP_CLOSURE_ADDR | 2);
    block.putLong(to - from);
    block.putLong(INT).putLong(entry);
    block.putLong(JUST).putLong(addr + 10 * 8 | 1);
    block.putLong(INT).putLong(-entry);
  }

  /** Where the right subtree begins. */
  private static long middle(long from, long to) {
    return from + 1 + (to - from - 1) / 2;
  }

  private static @Nullable InfoTable table(long infoAddr) {
    if (infoAddr == BIN) {
      return table(infoAddr, ClosureType.CONSTR, 4, 1);
    } else if (infoAddr == INT) {
      return table(infoAddr, ClosureType.CONSTR_0_1, 0, 1);
    } else if (infoAddr == JUST) {
      return table(infoAddr, ClosureType.CONSTR_1_0, 1, 0);
    }
    return infoAddr == TIP ? table(infoAddr, ClosureType.CONSTR_NOCAF, 0, 1) : null;
  }

  private static InfoTable table(long infoAddr, ClosureType type, int pointers, int words) {
    return new InfoTable(new InfoPtr(infoAddr), type.number(), pointers | (long) words << 32, 0);
  }

  @Override
  public AddressList roots() {
    return AddressList.of(address(0));
  }

  @Override
  public AddressList savedObjects() {
    return AddressList.of();
  }

  @Override
  public List<long @Nullable []> closures(AddressList addresses) {
    List<long @Nullable []> closures = new ArrayList<>();
    for (long addr : addresses.toArray()) {
      closures.add(addr == TIP_CLOSURE_ADDR ? new long[] {TIP, 0} : null);
    }
    return closures;
  }

  @Override
  public List<@Nullable InfoTable> infoTables(AddressList infoAddrs) {
    List<@Nullable InfoTable> tables = new ArrayList<>();
    for (long infoAddr : infoAddrs.toArray()) {
      tables.add(table(infoAddr));
    }
    return tables;
  }
}
