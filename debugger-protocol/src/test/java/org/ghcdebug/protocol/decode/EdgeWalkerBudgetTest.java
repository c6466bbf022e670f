package org.ghcdebug.protocol.decode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("budget")
class EdgeWalkerBudgetTest {
  private static final int WALKS = 10_000;

  /** The state of one walk over stack frames. */
  private static final long BYTES_A_STACK = 64;

  /** What the measurement itself may cost. */
  private static final long SLACK_BYTES = 4096;

  private static final ClosureLayout LAYOUT =
      Layouts.of(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA));

  static Iterable<ClosureType> types() {
    return SyntheticClosures.types(LAYOUT);
  }

  private static final class Sum implements EdgeSink {
    long sum;

    @Override
    public void edge(EdgeKind kind, int index, long pointer) {
      sum += pointer + index;
    }

    @Override
    public void unresolved(Unresolved what) {
      throw new AssertionError(what);
    }
  }

  /** Answers about the words of one closure from arrays: a map would box its keys. */
  private static final class LinearTables implements CodeTables {
    private final long[] words;
    private final @Nullable InfoTable[] infoTables;
    private final @Nullable PointerBitmap[] funBitmaps;
    private final @Nullable PointerBitmap[] stackBitmaps;

    LinearTables(CodeTables tables, long[] words) {
      this.words = words.clone();
      infoTables = new InfoTable[words.length];
      funBitmaps = new PointerBitmap[words.length];
      stackBitmaps = new PointerBitmap[words.length];
      for (int i = 0; i < words.length; i++) {
        infoTables[i] = tables.infoTable(words[i]);
        funBitmaps[i] = tables.funBitmap(Target.untag(words[i]), 0);
        stackBitmaps[i] = tables.stackBitmap(0, words[i]);
      }
    }

    private int find(long address, long mask) {
      for (int i = 0; i < words.length; i++) {
        if ((words[i] & mask) == address) {
          return i;
        }
      }
      throw new AssertionError("asked for what is no word of the closure");
    }

    @Override
    public @Nullable InfoTable infoTable(long infoAddr) {
      return infoTables[find(infoAddr, -1)];
    }

    @Override
    public @Nullable PointerBitmap funBitmap(long funAddr, int arguments) {
      return funBitmaps[find(funAddr, ~Target.TAG_MASK)];
    }

    @Override
    public @Nullable PointerBitmap stackBitmap(long frameAddr, long infoAddr) {
      return stackBitmaps[find(infoAddr, -1)];
    }

    @Override
    public @Nullable PointerBitmap bcoBitmap(long bcoAddr) {
      return funBitmap(bcoAddr, 0);
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void walkingAllocatesNothingButTheStateOfAStack(ClosureType type) {
    var made = new SyntheticClosures(new Random(1), LAYOUT);
    var sample = made.closure(type);
    CodeTables tables = new LinearTables(made, sample.words());
    InfoTable info = sample.closure().info();
    long address = sample.closure().address().address();
    ClosureWords words = ClosureWords.of(sample.words());
    var walker = new EdgeWalker(LAYOUT);
    var sink = new Sum();
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    walker.walk(info, address, words, tables, sink);
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < WALKS; i++) {
      walker.walk(info, address, words, tables, sink);
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;

    boolean hasFrames =
        type == ClosureType.STACK
            || type == ClosureType.AP_STACK
            || type == ClosureType.CONTINUATION;
    long budget = SLACK_BYTES + (hasFrames ? WALKS * BYTES_A_STACK : 0);
    assertTrue(bytes <= budget, () -> bytes + " bytes in " + WALKS + " walks");
  }
}
