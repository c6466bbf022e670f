package org.ghcdebug.client.source.snapshot;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.ProgramCode;
import org.ghcdebug.client.source.Recorded;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.decode.ClosureSize;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.decode.Layouts;
import org.ghcdebug.protocol.error.IoReason;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.UnsupportedTargetException;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.snapshot.ChunkFile;
import org.ghcdebug.protocol.snapshot.ChunkKind;
import org.ghcdebug.protocol.snapshot.TableReader;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * A heap recorded in a snapshot file of ours, read at random.
 *
 * <p>Opening reads the directory and the tables of code, O(chunks + info tables); memory is read
 * and unpacked 256 KiB at a time when it is asked for, and the last 64 MiB of it are kept. What is
 * damaged is missing: {@link #warnings} tells how much of it has been met. A damaged closure is
 * {@code null}, damaged blocks are handed out as zeros.
 */
public final class SnapshotSource implements HeapSource, Recorded {
  private final String description;
  private final Arena arena;
  private final ChunkFile file;
  private final ChunkCache cache;
  private final Tables tables = new Tables();
  private final Target target;
  private final ClosureLayout layout;
  private final RecordedMemory blocks;
  private final RecordedMemory closures;
  private final ProgramCode code;
  private final RecordedMemory memory;
  private boolean namesAreRead;
  private boolean closed;

  private SnapshotSource(String description, Arena arena, MemorySegment contents) {
    this.description = description;
    this.arena = arena;
    this.file = ChunkFile.open(description, contents);
    this.cache = new ChunkCache(file);
    for (ChunkKind kind :
        List.of(
            ChunkKind.METADATA,
            ChunkKind.SUMMARY,
            ChunkKind.ROOTS,
            ChunkKind.SAVED_OBJECTS,
            ChunkKind.INFO_TABLES,
            ChunkKind.FUN_BITMAPS,
            ChunkKind.FRAME_BITMAPS,
            ChunkKind.BLOCK_GROUPS)) {
      TableReader.readAll(file, kind, tables, cache);
    }
    if (tables.metadata.isEmpty()) {
      throw cache.damagedChunks() > 0
          ? cache.firstDamage()
          : new MalformedDataException(description, 32, "no metadata, expected some");
    }
    this.target = TargetTexts.parse(description, tables.metadata);
    this.layout = Layouts.of(target);
    this.blocks = new RecordedMemory(ChunkKind.BLOCKS, file.chunks(), cache);
    this.closures = new RecordedMemory(ChunkKind.CLOSURES, file.chunks(), cache);
    this.memory = new RecordedMemory(ChunkKind.MEMORY, file.chunks(), cache);
    this.code = new ProgramCode(memory, target);
  }

  /**
   * Opens a file.
   *
   * @throws SourceUnavailableException when there is no such file or it cannot be read
   * @throws MalformedDataException when it is no such snapshot, or damaged where it says which GHC
   *     it is of
   * @throws UnsupportedTargetException when that GHC is not known
   */
  public static SnapshotSource open(Path path) {
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      MemorySegment contents = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      return new SnapshotSource(path.toString(), arena, contents);
    } catch (IOException e) {
      arena.close();
      throw new SourceUnavailableException(path.toString(), "cannot be read: " + IoReason.of(e), e);
    } catch (Throwable failure) {
      arena.close();
      throw failure;
    }
  }

  /**
   * Reads a file that is in memory.
   *
   * @param description what it is, for messages
   * @throws MalformedDataException as {@link #open}
   * @throws UnsupportedTargetException as {@link #open}
   */
  public static SnapshotSource of(String description, byte[] contents) {
    return new SnapshotSource(description, Arena.ofShared(), MemorySegment.ofArray(contents));
  }

  /** Whether a file that begins with these bytes is such a snapshot, of any version. */
  public static boolean recognizes(ByteBuffer firstBytes) {
    return ChunkFile.recognizes(firstBytes);
  }

  /** The file's chunks. */
  public ChunkFile file() {
    return file;
  }

  /** What the file says about its completeness; empty when it was cut off before. */
  public Map<String, String> summary() {
    return Collections.unmodifiableMap(tables.summary);
  }

  @Override
  public Map<String, String> metadata() {
    return Collections.unmodifiableMap(tables.metadata);
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    file.findDamage()
        .ifPresent(
            damage ->
                warnings.add(
                    "the file is damaged or was cut off: %d chunks with %d bytes of blocks were found (%s)"
                        .formatted(file.chunks().size(), blocks.sizeBytes(), damage.getMessage())));
    if (tables.summary.isEmpty()) {
      warnings.add("the file lacks its summary: it does not say that the recording is complete");
    }
    if (cache.damagedChunks() > 0) {
      warnings.add(
          "%d damaged chunks with %d bytes are missing; the first: %s"
              .formatted(
                  cache.damagedChunks(), cache.damagedBytes(), cache.firstDamage().getMessage()));
    }
    return warnings;
  }

  @Override
  public Target target() {
    return target;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public AddressList roots() {
    return AddressList.of(tables.roots.toArray());
  }

  @Override
  public AddressList savedObjects() {
    return AddressList.of(tables.savedObjects.toArray());
  }

  @Override
  public List<String> savedObjectNames() {
    return Collections.unmodifiableList(tables.savedObjectNames);
  }

  @Override
  public AddressList weakPointers() {
    return AddressList.of(tables.weakPointers.toArray());
  }

  /** Bytes of all blocks. */
  public long blockBytes() {
    return blocks.sizeBytes();
  }

  /** The block groups, in the order in which {@link #blocks} hands them out. No I/O. */
  public List<BlockGroup> blockGroups() {
    return blocks.groups(tables.blockGroups);
  }

  /** Whether nothing wrong with the file has been met so far. */
  public boolean isIntact() {
    return file.findDamage().isEmpty() && cache.damagedChunks() == 0;
  }

  @Override
  public long blocks(BlockSink sink) {
    requireOpen();
    return blocks.handOut(tables.blockGroups, sink);
  }

  @Override
  public List<long @Nullable []> closures(AddressList addresses) {
    requireOpen();
    List<long @Nullable []> found = new ArrayList<>(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      found.add(findClosure(Target.untag(addresses.get(i))));
    }
    return found;
  }

  private long @Nullable [] findClosure(long addr) {
    try {
      ClosureWords words = findWords(addr);
      return words == null ? null : ClosureSize.copy(layout, findInfoTable(words.word(0)), words);
    } catch (MalformedDataException noted) {
      return null;
    }
  }

  private @Nullable ClosureWords findWords(long addr) {
    ClosureWords words = blocks.find(addr);
    if (words == null) {
      words = closures.find(addr);
    }
    return words == null ? memory.find(addr) : words;
  }

  /** The info pointer of the closure or frame there; 0 when there is none. */
  private long infoAddrAt(long addr) {
    try {
      ClosureWords words = findWords(addr);
      return words == null ? 0 : words.word(0);
    } catch (MalformedDataException noted) {
      return 0;
    }
  }

  private @Nullable InfoTable findInfoTable(long infoAddr) {
    InfoTable table = tables.infoTables.get(infoAddr);
    return table == null ? orNull(code::findInfoTable, infoAddr) : table;
  }

  /** What is read out of memory, unless that is damaged. */
  private static <V> @Nullable V orNull(LongFunction<@Nullable V> read, long infoAddr) {
    try {
      return read.apply(infoAddr);
    } catch (MalformedDataException noted) {
      return null;
    }
  }

  @Override
  public List<@Nullable InfoTable> infoTables(AddressList infoAddrs) {
    return each(infoAddrs, this::findInfoTable);
  }

  @Override
  public AddressList srts(AddressList infoAddrs) {
    long[] srts = new long[infoAddrs.size()];
    for (int i = 0; i < srts.length; i++) {
      Long srt = tables.srts.get(infoAddrs.get(i));
      InfoTable info = srt == null ? findInfoTable(infoAddrs.get(i)) : null;
      srts[i] = srt != null ? srt : info != null ? info.srtAddr() : 0;
    }
    return AddressList.of(srts);
  }

  @Override
  public List<@Nullable PointerBitmap> stackBitmaps(List<FrameAddress> frames) {
    List<@Nullable PointerBitmap> bitmaps = new ArrayList<>(frames.size());
    for (FrameAddress frame : frames) {
      long infoAddr = infoAddrAt(frame.address());
      InfoTable info = findInfoTable(infoAddr);
      boolean byInfo = info != null && info.type() == ClosureType.RET_BIG;
      PointerBitmap bitmap = tables.frameBitmaps.get(byInfo ? infoAddr : frame.address());
      bitmaps.add(bitmap == null ? orNull(code::findBigFrameBitmap, infoAddr) : bitmap);
    }
    return bitmaps;
  }

  @Override
  public List<@Nullable PointerBitmap> funBitmaps(List<FunArguments> functions) {
    List<@Nullable PointerBitmap> bitmaps = new ArrayList<>(functions.size());
    for (FunArguments function : functions) {
      long infoAddr = infoAddrAt(Target.untag(function.funAddr()));
      PointerBitmap bitmap =
          tables.funBitmaps.get(new Tables.FunCode(infoAddr, function.arguments()));
      bitmaps.add(
          bitmap == null
              ? orNull(addr -> code.findFunBitmap(addr, function.arguments()), infoAddr)
              : bitmap);
    }
    return bitmaps;
  }

  @Override
  public List<@Nullable ConstructorName> constructorNames(AddressList infoAddrs) {
    readNames();
    return each(
        infoAddrs,
        infoAddr -> {
          ConstructorName name = tables.constructorNames.get(infoAddr);
          return name == null ? orNull(code::findConstructorName, infoAddr) : name;
        });
  }

  @Override
  public List<@Nullable SourceInfo> sourceInfos(AddressList infoAddrs) {
    readNames();
    return each(
        infoAddrs,
        infoAddr -> tables.sourceInfos.getOrDefault(infoAddr, Optional.empty()).orElse(null));
  }

  @Override
  public List<@Nullable CodeSymbol> symbols(AddressList infoAddrs) {
    readNames();
    return each(infoAddrs, tables.codeSymbols::get);
  }

  @Override
  public List<@Nullable CostCentreStack> costCentreStacks(AddressList addresses) {
    readNames();
    return each(addresses, tables.costCentreStacks::get);
  }

  /** Texts are read when the first one is asked for: most of opening's time would go into them. */
  private void readNames() {
    if (!namesAreRead) {
      requireOpen();
      for (ChunkKind kind :
          List.of(
              ChunkKind.CONSTRUCTOR_NAMES,
              ChunkKind.SOURCE_INFOS,
              ChunkKind.CODE_SYMBOLS,
              ChunkKind.COST_CENTRE_STACKS)) {
        TableReader.readAll(file, kind, tables, cache);
      }
      namesAreRead = true;
    }
  }

  private static <V> List<@Nullable V> each(
      AddressList addresses, LongFunction<@Nullable V> lookUp) {
    List<@Nullable V> values = new ArrayList<>(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      values.add(lookUp.apply(addresses.get(i)));
    }
    return values;
  }

  private void requireOpen() {
    if (closed) {
      throw new SourceUnavailableException(description, "closed");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      arena.close();
    }
  }
}
