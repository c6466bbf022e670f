package org.ghcdebug.client.source.snapshot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.RecordableHeap;
import org.ghcdebug.client.source.ResponseValues;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.error.IoReason;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.snapshot.ChunkKind;
import org.ghcdebug.protocol.snapshot.ChunkWriter;
import org.ghcdebug.protocol.snapshot.Codec;
import org.ghcdebug.protocol.snapshot.TableSink;
import org.ghcdebug.protocol.snapshot.TableWriter;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * Writes a snapshot file, whose format is that of {@link org.ghcdebug.protocol.snapshot}.
 *
 * <p>Until it is whole it stands under the name of {@link #partialFile}; a writer that is closed
 * before leaves what it has written there. Memory is compressed by as many other threads as there
 * are processors. For one thread at a time.
 *
 * <p>A heap that is in memory is written at once. A live one is recorded while it is being copied:
 *
 * <pre>{@code
 * try (SnapshotWriter writer = SnapshotWriter.create(file, source.target(), metadata)) {
 *   HeapCopy copy = HeapCopy.take(writer.recording(source), work);
 *   writer.finish(copy, work);
 * }
 * }</pre>
 */
public final class SnapshotWriter implements AutoCloseable {
  private final Path file;
  private final FileChannel channel;
  private final ChunkWriter chunks;
  private final TableWriter tables;
  private final ExecutorService compressors;
  private boolean hasRoots;
  private boolean hasBlocks;
  private boolean isFinished;

  private SnapshotWriter(
      Path file, FileChannel channel, Target target, Map<String, String> metadata)
      throws IOException {
    this.file = file;
    this.channel = channel;
    this.chunks = new ChunkWriter(channel, Codec.ZSTD);
    this.tables = new TableWriter(chunks, Codec.ZSTD);
    this.compressors =
        Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().daemon().name("snapshot compressor ", 0).factory());
    TargetTexts.of(target).forEach(tables::metadata);
    metadata.forEach(tables::metadata);
    tables.flush();
  }

  /**
   * Begins a file.
   *
   * @param file where it will stand when it is finished; replaced then if it is there
   * @param metadata what else is known: {@code program}, {@code takenAt}, {@code writer} …
   * @throws SourceUnavailableException when it cannot be written
   */
  public static SnapshotWriter create(Path file, Target target, Map<String, String> metadata) {
    Path partial = partialFile(file);
    try {
      FileChannel channel =
          FileChannel.open(
              partial,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      try {
        return new SnapshotWriter(file, channel, target, metadata);
      } catch (Throwable failure) {
        channel.close();
        throw failure;
      }
    } catch (IOException e) {
      throw unwritable(partial, e);
    }
  }

  /** The name of a file that is not finished. */
  public static Path partialFile(Path file) {
    return file.resolveSibling(file.getFileName() + ".partial");
  }

  /**
   * Writes a whole heap: {@link #create}, {@link #finish}. Costs little memory, and O(blocks) time.
   *
   * @throws SourceUnavailableException when it cannot be written
   */
  public static void write(
      RecordableHeap heap, Path file, Map<String, String> metadata, Work work) {
    try (SnapshotWriter writer = create(file, heap.target(), metadata)) {
      writer.finish(heap, work);
    }
  }

  /** Whether roots and blocks have been received that are worth keeping. */
  public boolean hasBlocks() {
    return hasBlocks;
  }

  /** Bytes written so far. */
  public long sizeBytes() {
    return chunks.offsetBytes();
  }

  /** The same source; its roots and blocks are written when they are read for the first time. */
  public HeapSource recording(HeapSource source) {
    return new RecordingSource(source, this);
  }

  void writeRoots(HeapSource heap) {
    AddressList roots = heap.roots();
    AddressList weakPointers = heap.weakPointers();
    AddressList savedObjects = heap.savedObjects();
    List<String> names = heap.savedObjectNames();
    guarded(
        () -> {
          for (int i = 0; i < roots.size(); i++) {
            tables.root(roots.get(i), 0);
          }
          for (int i = 0; i < weakPointers.size(); i++) {
            tables.root(weakPointers.get(i), TableSink.WEAK_POINTER);
          }
          for (int i = 0; i < savedObjects.size(); i++) {
            tables.savedObject(savedObjects.get(i), names.get(i));
          }
          tables.flush();
        });
    hasRoots = true;
  }

  /** Writes the blocks of a source, handing them on. */
  long writeBlocks(HeapSource source, BlockSink next, Work work) {
    hasBlocks = true;
    MemoryWriter memory = new MemoryWriter(chunks, compressors, ChunkKind.BLOCKS);
    BlockSink tee =
        new BlockSink() {
          private long done;

          @Override
          public void group(BlockGroup group) {
            tables.blockGroup(
                group.startAddr(),
                group.lengthBytes(),
                group.usedBytes(),
                group.flags(),
                group.generation());
            memory.begin(group.startAddr(), group.flags());
            next.group(group);
          }

          @Override
          public void contents(MemorySegment bytes) {
            guarded(() -> memory.write(bytes));
            next.contents(bytes);
            done += bytes.byteSize();
            work.progress("writing blocks (bytes)", done, -1);
            work.checkStopped();
          }
        };
    try {
      return source.blocks(tee);
    } finally {
      guarded(memory::finish);
    }
  }

  /**
   * Writes everything that has not been written yet, and gives the file its name.
   *
   * @throws SourceUnavailableException when it cannot be written
   */
  public void finish(RecordableHeap heap, Work work) {
    if (!hasRoots) {
      writeRoots(heap);
    }
    // Before the blocks where possible, so that a file that was cut off makes the most sense.
    guarded(() -> writeCode(heap));
    writeOutside(heap, work);
    if (!hasBlocks) {
      writeBlocks(heap, NOWHERE, work);
    }
    guarded(
        () -> {
          heap.summary().forEach(tables::summary);
          tables.flush();
          chunks.finish();
          channel.close();
          Files.move(
              partialFile(file),
              file,
              StandardCopyOption.REPLACE_EXISTING,
              StandardCopyOption.ATOMIC_MOVE);
        });
    isFinished = true;
  }

  private static final BlockSink NOWHERE =
      new BlockSink() {
        @Override
        public void group(BlockGroup group) {}

        @Override
        public void contents(MemorySegment bytes) {}
      };

  private void writeCode(RecordableHeap heap) {
    AddressList infoAddrs = heap.infoAddrs();
    List<@Nullable InfoTable> infos = heap.infoTables(infoAddrs);
    AddressList srts = heap.srts(infoAddrs);
    List<@Nullable SourceInfo> sources = heap.sourceInfos(infoAddrs);
    for (int i = 0; i < infoAddrs.size(); i++) {
      InfoTable info = infos.get(i);
      if (info != null) {
        tables.infoTable(
            infoAddrs.get(i), info.typeNumber(), info.srtField(), info.layout(), srts.get(i));
      }
      tables.sourceInfo(infoAddrs.get(i), ResponseValues.response(sources.get(i)));
    }
    writeSymbols(heap, infoAddrs);
    AddressList constructors =
        AddressList.of(
            infos.stream()
                .filter(info -> info != null && info.hasConstructorName())
                .mapToLong(info -> info.address().address())
                .toArray());
    List<@Nullable ConstructorName> names = heap.constructorNames(constructors);
    for (int i = 0; i < constructors.size(); i++) {
      ConstructorName name = names.get(i);
      if (name != null) {
        tables.constructorName(constructors.get(i), name.unit(), name.module(), name.name());
      }
    }
    heap.codeBitmaps(
        new RecordableHeap.CodeBitmapSink() {
          @Override
          public void function(long infoAddr, int arguments, PointerBitmap bitmap) {
            tables.funBitmap(infoAddr, arguments, ResponseValues.response(bitmap));
          }

          @Override
          public void frame(long key, PointerBitmap bitmap) {
            tables.frameBitmap(key, ResponseValues.response(bitmap));
          }
        });
    tables.flush();
  }

  private void writeSymbols(RecordableHeap heap, AddressList infoAddrs) {
    List<@Nullable CodeSymbol> symbols = heap.symbols(infoAddrs);
    for (int i = 0; i < infoAddrs.size(); i++) {
      CodeSymbol symbol = symbols.get(i);
      if (symbol != null) {
        tables.codeSymbol(infoAddrs.get(i), symbol);
      }
    }
    for (CostCentreStack stack : heap.costCentreStacks(heap.costCentreStackAddrs())) {
      if (stack != null) {
        tables.costCentreStack(stack);
      }
    }
  }

  private void writeOutside(RecordableHeap heap, Work work) {
    MemoryWriter memory = new MemoryWriter(chunks, compressors, ChunkKind.CLOSURES);
    AddressList addresses = heap.outsideAddrs();
    List<long @Nullable []> closures = heap.closures(addresses);
    guarded(
        () -> {
          for (int i = 0; i < addresses.size(); i++) {
            long[] words = closures.get(i);
            if (words != null) {
              memory.begin(addresses.get(i), 0);
              memory.write(LittleEndian.bytes(words));
            }
            work.checkStopped();
          }
          memory.finish();
        });
  }

  /** Something that writes. */
  private interface Writing {
    void run() throws IOException;
  }

  private void guarded(Writing writing) {
    try {
      writing.run();
    } catch (IOException e) {
      throw unwritable(partialFile(file), e);
    } catch (UncheckedIOException e) {
      throw unwritable(partialFile(file), e.getCause());
    }
  }

  private static SourceUnavailableException unwritable(Path file, IOException e) {
    return new SourceUnavailableException(
        file.toString(),
        "cannot be written (%s); choose another place".formatted(IoReason.of(e)),
        e);
  }

  /** Removes what has been written, if it is not finished. */
  public void discard() {
    close();
    guarded(() -> Files.deleteIfExists(partialFile(file)));
  }

  /** Releases the file; if it is not finished, {@link #partialFile} stays as it is. Idempotent. */
  @Override
  public void close() {
    compressors.shutdownNow();
    if (!isFinished) {
      guarded(channel::close);
    }
  }
}
