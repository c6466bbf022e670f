package org.ghcdebug.client.index;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.snapshot.ChunkFile;
import org.ghcdebug.protocol.snapshot.ChunkKind;
import org.ghcdebug.protocol.snapshot.ChunkWriter;
import org.ghcdebug.protocol.snapshot.Codec;
import org.ghcdebug.protocol.snapshot.PackedChunk;
import org.ghcdebug.protocol.target.InfoPtr;
import org.jspecify.annotations.Nullable;

/**
 * What was computed from a recorded heap, in a file: the tally, the graph, the dominator tree.
 *
 * <p>The file has the form of a snapshot with chunks of {@link ChunkKind#INDEX} only; {@code
 * docs/snapshot-format.md} says what is in them. It belongs to one snapshot, whose {@link
 * ChunkFile#identity} it holds. A file that is damaged, of another version or of another snapshot
 * is as good as none.
 *
 * <p>Opening costs O(chunks); tally, graph and tree are read when they are asked for, each time
 * anew. Safe to share.
 */
public final class SavedIndex {
  /** To be raised when what is marked, or an edge, is decided in another way. */
  private static final int VERSION = 1;

  private static final int CHUNK_VALUES = 1 << 18;
  private static final int MAX_VALUE_BYTES = 10; // of 7 bits
  private static final int NUMBERS_OF_INFO = 4;
  private static final int NUMBERS_OF_ENTRY = NUMBERS_OF_INFO + 4 + HeapTally.MAX_SAMPLES;
  private static final int FIXED_HEADER = 5; // numbers before those of values by column

  /** In the order of the file. */
  private enum Column {
    TALLY,
    INFOS,
    MARKS,
    OUTSIDE,
    INFO_IDS,
    SIZES,
    DEGREES,
    EDGES,
    EPHEMERONS,
    ROOTS,
    DOMINATORS,
    ORDER
  }

  /**
   * The dominator tree of a graph.
   *
   * @param dominators closure id -> nearest dominator's id, or -1
   * @param order all closure ids, dominators before what they dominate
   */
  public record Tree(int[] dominators, int[] order) {}

  private final ChunkFile file;
  private final List<BlockGroup> groups;
  private final HeapTally.Missing missing;
  private final int[] counts; // column -> its values

  private SavedIndex(ChunkFile file, List<BlockGroup> groups, long[] header) {
    this.file = file;
    this.groups = List.copyOf(groups);
    this.missing = new HeapTally.Missing(header[2], header[3], header[4]);
    this.counts = new int[Column.values().length];
    for (int column = 0; column < counts.length; column++) {
      counts[column] = count(header[FIXED_HEADER + column]);
    }
    long chunks = 1;
    for (int count : counts) {
      chunks += Math.ceilDiv(count, CHUNK_VALUES);
    }
    if (chunks != file.chunks().size()) {
      throw malformed("%d chunks, expected %d".formatted(file.chunks().size(), chunks));
    }
  }

  private static int count(long value) {
    if (value < 0 || value > Integer.MAX_VALUE - 8) {
      throw malformed("%d values".formatted(value));
    }
    return (int) value;
  }

  private static MalformedDataException malformed(String problem) {
    return new MalformedDataException("index", 0, problem);
  }

  /**
   * Opens the index of a snapshot.
   *
   * @param identity of the snapshot
   * @param groups its block groups, in its order
   * @return {@code null} when there is none, or it is damaged or of something else
   */
  public static @Nullable SavedIndex find(Path path, long identity, List<BlockGroup> groups) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      MemorySegment contents = channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
      ChunkFile file = ChunkFile.open(path.toString(), contents);
      if (file.findDamage().isPresent() || file.chunks().isEmpty()) {
        return null;
      }
      long[] header = new long[FIXED_HEADER + Column.values().length];
      Packed values = new Packed(file.read(file.chunks().getFirst()));
      Arrays.setAll(header, _ -> values.next());
      values.requireEnd();
      return header[0] == VERSION && header[1] == identity
          ? new SavedIndex(file, groups, header)
          : null;
    } catch (IOException | MalformedDataException none) {
      return null;
    }
  }

  /** Whether the graph is in it. */
  public boolean hasGraph() {
    return counts[Column.MARKS.ordinal()] > 0;
  }

  /** Whether the dominator tree is in it. */
  public boolean hasTree() {
    return counts[Column.DOMINATORS.ordinal()] > 0;
  }

  /** What is reachable, counted; {@code null} when that is damaged. */
  public @Nullable HeapTally findTally() {
    return unlessDamaged(this::tally);
  }

  /** The graph; {@code null} when it is damaged or not there. O(closures and edges). */
  public @Nullable HeapGraph findGraph(Work work) {
    return hasGraph() ? unlessDamaged(() -> graph(work)) : null;
  }

  /** The dominator tree; {@code null} when it is damaged or not there. O(closures). */
  public @Nullable Tree findTree(Work work) {
    return hasTree() ? unlessDamaged(() -> tree(work)) : null;
  }

  /** Something to be read. */
  private interface Reading<T> {
    T run();
  }

  private static <T> @Nullable T unlessDamaged(Reading<T> reading) {
    try {
      return reading.run();
    } catch (MalformedDataException | IndexOutOfBoundsException damaged) {
      return null;
    }
  }

  private HeapTally tally() {
    long[] numbers = longs(Column.TALLY);
    List<HeapTally.Entry> entries = new ArrayList<>();
    for (int at = 0; at < numbers.length; at += NUMBERS_OF_ENTRY) {
      int rest = at + NUMBERS_OF_INFO;
      int samples = (int) Math.min(numbers[rest], HeapTally.MAX_SAMPLES);
      entries.add(
          new HeapTally.Entry(
              info(numbers, at),
              numbers[rest],
              numbers[rest + 1],
              numbers[rest + 2],
              Arrays.stream(
                      numbers, rest + 4, rest + 4 + Math.min(samples, (int) numbers[rest + 3]))
                  .boxed()
                  .toList()));
    }
    return new HeapTally(entries, missing);
  }

  private static InfoTable info(long[] numbers, int at) {
    return new InfoTable(
        new InfoPtr(numbers[at]), (int) numbers[at + 1], numbers[at + 2], (int) numbers[at + 3]);
  }

  private HeapGraph graph(Work work) {
    HeapTally tally = tally();
    HeapImage image = HeapImage.withoutContents(file.where(), groups);
    long[] marks = longs(Column.MARKS);
    long[] outside = longs(Column.OUTSIDE);
    long marked = Arrays.stream(marks).map(Long::bitCount).sum();
    int size = counts[Column.INFO_IDS.ordinal()];
    if (marks.length != (image.sizeBytes() >>> 9) + 1
        || (marks[marks.length - 1] & -1L << ((image.sizeBytes() >>> 3) & 63)) != 0
        || marked + outside.length != size
        || Arrays.stream(outside).anyMatch(addr -> addr == 0)
        || counts[Column.SIZES.ordinal()] != size
        || counts[Column.DEGREES.ordinal()] != size) {
      throw malformed("%d closures".formatted(size));
    }
    long[] infoNumbers = longs(Column.INFOS);
    List<InfoTable> infos = new ArrayList<>();
    for (int at = 0; at < infoNumbers.length; at += NUMBERS_OF_INFO) {
      infos.add(info(infoNumbers, at));
    }
    int[] infoIds = ints(Column.INFO_IDS, work);
    requireWithin(infoIds, infos.size());
    int[] sizesWords = ints(Column.SIZES, work);
    requireWithin(sizesWords, Integer.MAX_VALUE);
    int[] starts = starts(work);
    int[] successors = successors(starts, work);
    List<HeapGraph.Root> roots = new ArrayList<>();
    long[] rootNumbers = longs(Column.ROOTS);
    for (int at = 0; at < rootNumbers.length; at += 2) {
      roots.add(
          new HeapGraph.Root(
              RootKind.values()[within(rootNumbers[at], RootKind.values().length)],
              within(rootNumbers[at + 1], size)));
    }
    return new HeapGraph(
        image, marks, outside, infos, infoIds, sizesWords, starts, successors, roots, tally);
  }

  private int[] starts(Work work) {
    int[] degrees = ints(Column.DEGREES, work);
    int[] starts = new int[degrees.length + 1];
    long sum = 0;
    for (int id = 0; id < degrees.length; id++) {
      sum += Integer.toUnsignedLong(degrees[id]);
      starts[id + 1] = (int) sum;
      if (sum > counts[Column.EDGES.ordinal()]) {
        break;
      }
    }
    if (sum != counts[Column.EDGES.ordinal()]) {
      throw malformed("%d edges of %d".formatted(counts[Column.EDGES.ordinal()], sum));
    }
    return starts;
  }

  private int[] successors(int[] starts, Work work) {
    int size = starts.length - 1;
    int[] successors = ints(Column.EDGES, work);
    for (int id = 0; id < size; id++) {
      for (int edge = starts[id]; edge < starts[id + 1]; edge++) {
        successors[edge] = id + unzigzag(successors[edge]);
      }
    }
    requireWithin(successors, size);
    for (int edge : ints(Column.EPHEMERONS, work)) {
      successors[within(edge, successors.length)] |= Integer.MIN_VALUE;
    }
    for (int edge = 0; edge < successors.length; edge++) {
      int successor = successors[edge];
      successors[edge] = successor < 0 ? ~(successor & Integer.MAX_VALUE) : successor;
    }
    return successors;
  }

  private Tree tree(Work work) {
    int size = counts[Column.INFO_IDS.ordinal()];
    int[] dominators = ints(Column.DOMINATORS, work);
    int[] order = ints(Column.ORDER, work);
    if (dominators.length != size || order.length != size) {
      throw malformed("a tree of another graph");
    }
    for (int id = 0; id < size; id++) {
      dominators[id] = dominators[id] == 0 ? -1 : id + unzigzag(dominators[id] - 1);
    }
    var seen = new BitSet(size);
    int last = 0;
    for (int index = 0; index < size; index++) {
      last = within((index % CHUNK_VALUES == 0 ? 0 : last) + unzigzag(order[index]), size);
      order[index] = last;
      if (seen.get(last) || dominators[last] != -1 && !seen.get(within(dominators[last], size))) {
        throw malformed("closure %d out of order".formatted(last));
      }
      seen.set(last);
    }
    return new Tree(dominators, order);
  }

  private static int within(long value, int end) {
    if (value < 0 || value >= end) {
      throw malformed("%d, expected less than %d".formatted(value, end));
    }
    return (int) value;
  }

  private static void requireWithin(int[] values, int end) {
    for (int value : values) {
      if (Integer.compareUnsigned(value, end) >= 0) {
        throw malformed("%d, expected less than %d".formatted(Integer.toUnsignedLong(value), end));
      }
    }
  }

  private long[] longs(Column column) {
    long[] values = new long[counts[column.ordinal()]];
    for (int from = 0; from < values.length; from += CHUNK_VALUES) {
      Packed chunk = chunk(column, from);
      int end = Math.min(values.length, from + CHUNK_VALUES);
      for (int index = from; index < end; index++) {
        values[index] = chunk.next();
      }
      chunk.requireEnd();
    }
    return values;
  }

  /** Chunks are read on all processors. */
  private int[] ints(Column column, Work work) {
    work.progress("reading the index (columns)", column.ordinal(), counts.length);
    work.checkStopped();
    int[] values = new int[counts[column.ordinal()]];
    IntStream.range(0, Math.ceilDiv(values.length, CHUNK_VALUES))
        .parallel()
        .forEach(
            part -> {
              int from = part * CHUNK_VALUES;
              int end = Math.min(values.length - from, CHUNK_VALUES) + from;
              chunk(column, from).fill(values, from, end);
            });
    return values;
  }

  private Packed chunk(Column column, int from) {
    int chunk = 1 + from / CHUNK_VALUES;
    for (int before = 0; before < column.ordinal(); before++) {
      chunk += Math.ceilDiv(counts[before], CHUNK_VALUES);
    }
    return new Packed(file.read(file.chunks().get(chunk)));
  }

  /** The values of a chunk: each 7 bits a byte, lowest first; the top bit says that more follow. */
  private static final class Packed {
    private final byte[] bytes;
    private int at;

    Packed(byte[] bytes) {
      this.bytes = bytes;
    }

    long next() {
      long value = 0;
      for (int shift = 0; shift < 64 && at < bytes.length; shift += 7) {
        byte part = bytes[at++];
        value |= (part & 0x7fL) << shift;
        if (part >= 0) {
          return value;
        }
      }
      throw malformed("a value goes beyond the end");
    }

    void fill(int[] values, int from, int end) {
      byte[] in = bytes;
      int next = at;
      for (int index = from; index < end; index++) {
        int value = 0;
        int part = 0x80;
        for (int shift = 0; part >= 0x80; shift += 7) {
          if (next == in.length || shift > 28) {
            throw malformed("a value goes beyond the end");
          }
          part = in[next++] & 0xff;
          value |= (part & 0x7f) << shift;
        }
        values[index] = value;
      }
      at = next;
      requireEnd();
    }

    void requireEnd() {
      if (at != bytes.length) {
        throw malformed("%d bytes too many".formatted(bytes.length - at));
      }
    }
  }

  private static int unzigzag(int value) {
    return value >>> 1 ^ -(value & 1);
  }

  /**
   * Writes an index, under another name until it is whole. O(closures and edges).
   *
   * @param identity of the snapshot
   * @param graph {@code null} when it was not built
   * @param tree of the graph; {@code null} when it was not computed
   */
  public static void write(
      Path path, long identity, HeapTally tally, @Nullable HeapGraph graph, @Nullable Tree tree)
      throws IOException {
    Path partial = Files.createTempFile(path.toAbsolutePath().getParent(), ".index", ".partial");
    try {
      try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
        new Writer(new ChunkWriter(channel, Codec.ZSTD)).write(identity, tally, graph, tree);
      }
      Files.move(
          partial, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  /**
   * A column to be written.
   *
   * @param of index -> value; asked in order
   */
  private record Values(int count, IntToLongFunction of) {}

  private static final class Writer {
    private final ChunkWriter chunks;
    private final byte[] bytes = new byte[CHUNK_VALUES * MAX_VALUE_BYTES];

    Writer(ChunkWriter chunks) {
      this.chunks = chunks;
    }

    void write(long identity, HeapTally tally, @Nullable HeapGraph graph, @Nullable Tree tree)
        throws IOException {
      long[] entries = entries(tally);
      long[] header = new long[FIXED_HEADER + Column.values().length];
      header[0] = VERSION;
      header[1] = identity;
      header[2] = tally.missing().closuresWithoutInfo();
      header[3] = tally.missing().unreadableClosures();
      header[4] = tally.missing().incompleteClosures();
      List<Values> columns = new ArrayList<>();
      columns.add(new Values(entries.length, index -> entries[index]));
      if (graph != null) {
        addGraph(graph, columns);
      }
      if (graph != null && tree != null) {
        addTree(tree, columns);
      }
      for (int column = 0; column < columns.size(); column++) {
        header[FIXED_HEADER + column] = columns.get(column).count();
      }
      column(new Values(header.length, index -> header[index]));
      for (Values column : columns) {
        column(column);
      }
      chunks.finish();
    }

    private static void addGraph(HeapGraph graph, List<Values> columns) {
      long[] infos = infos(graph);
      long[] roots =
          graph.roots().stream()
              .flatMapToLong(root -> LongStream.of(root.kind().ordinal(), root.closureId()))
              .toArray();
      int[] ephemerons = IntStream.range(0, graph.edgeCount()).filter(graph::isEphemeron).toArray();
      int size = graph.size();
      columns.add(new Values(infos.length, index -> infos[index]));
      columns.add(new Values(graph.marks.length, index -> graph.marks[index]));
      columns.add(new Values(graph.outsideAddrs.length, index -> graph.outsideAddrs[index]));
      columns.add(new Values(size, id -> graph.infoIds[id]));
      columns.add(new Values(size, id -> graph.sizesWords[id]));
      columns.add(
          new Values(size, id -> graph.successorStarts[id + 1] - graph.successorStarts[id]));
      int[] source = {0}; // of the edge asked for last
      columns.add(
          new Values(
              graph.edgeCount(),
              edge -> {
                while (graph.successorStarts[source[0] + 1] <= edge) {
                  source[0]++;
                }
                return signed(graph.successor(edge) - source[0]);
              }));
      columns.add(new Values(ephemerons.length, index -> ephemerons[index]));
      columns.add(new Values(roots.length, index -> roots[index]));
    }

    private static void addTree(Tree tree, List<Values> columns) {
      int[] dominators = tree.dominators();
      int[] order = tree.order();
      columns.add(
          new Values(
              dominators.length, id -> dominators[id] < 0 ? 0 : signed(dominators[id] - id) + 1));
      columns.add(
          new Values(
              order.length,
              index -> signed(order[index] - (index % CHUNK_VALUES == 0 ? 0 : order[index - 1]))));
    }

    private static long signed(int difference) {
      return Integer.toUnsignedLong(difference << 1 ^ difference >> 31);
    }

    private static long[] entries(HeapTally tally) {
      var numbers = new LongList();
      for (HeapTally.Entry entry : tally.entries()) {
        addInfo(entry.info(), numbers);
        numbers.add(entry.count());
        numbers.add(entry.bytes());
        numbers.add(entry.maxBytes());
        numbers.add(entry.samples().size());
        for (int i = 0; i < HeapTally.MAX_SAMPLES; i++) {
          numbers.add(i < entry.samples().size() ? entry.samples().get(i) : 0);
        }
      }
      return numbers.toArray();
    }

    private static long[] infos(HeapGraph graph) {
      var numbers = new LongList();
      graph.infos.forEach(info -> addInfo(info, numbers));
      return numbers.toArray();
    }

    private static void addInfo(InfoTable info, LongList numbers) {
      numbers.add(info.address().address());
      numbers.add(info.typeNumber());
      numbers.add(info.layout());
      numbers.add(info.srtField());
    }

    private void column(Values values) throws IOException {
      for (int from = 0; from < values.count(); from += CHUNK_VALUES) {
        int length = 0;
        int end = Math.min(values.count(), from + CHUNK_VALUES);
        for (int index = from; index < end; index++) {
          long value = values.of().applyAsLong(index);
          while (value >>> 7 != 0) {
            bytes[length++] = (byte) (value | 0x80);
            value >>>= 7;
          }
          bytes[length++] = (byte) value;
        }
        chunks.write(PackedChunk.pack(ChunkKind.INDEX, Codec.ZSTD, List.of(), bytes, length));
      }
    }
  }
}
