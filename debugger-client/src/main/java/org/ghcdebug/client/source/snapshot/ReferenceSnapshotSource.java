package org.ghcdebug.client.source.snapshot;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.Recorded;
import org.ghcdebug.client.source.ResponseValues;
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
import org.ghcdebug.protocol.snapshot.ReferenceSnapshotReader;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Response;
import org.jspecify.annotations.Nullable;

/**
 * A heap recorded by the reference Haskell client, read whole into memory; gzip-compressed or not.
 *
 * <p>It holds what that client had looked at, so any answer can be missing; {@link #missing} counts
 * those. Closures of the heap are read out of the blocks, others were recorded one by one.
 *
 * <p>Cost: opening is O(file) and its blocks stay in off-heap memory; after that there is no I/O.
 */
public final class ReferenceSnapshotSource implements HeapSource, Recorded {
  private static final int GZIP_MAGIC = 0x1f8b;

  private final String description;
  private final Target target;
  private final ClosureLayout layout;
  private final Recording recording;
  private final @Nullable MalformedDataException damage;
  private long missing;
  private boolean closed;

  private ReferenceSnapshotSource(
      String description, Recording recording, @Nullable MalformedDataException damage) {
    Response.Version version = recording.version;
    if (version == null) {
      throw damage != null
          ? damage
          : new MalformedDataException(description, 0, "no VERSION entry, expected one");
    }
    this.description = description;
    this.recording = recording;
    this.damage = damage;
    this.target = version.target();
    this.layout = Layouts.of(target);
  }

  /**
   * Reads a file. Of a file that is damaged further on, what precedes the damage is kept; see
   * {@link #findDamage}.
   *
   * @throws SourceUnavailableException when there is no such file or it cannot be read
   * @throws MalformedDataException when it is no such snapshot, or damaged before it says which GHC
   *     it is of
   * @throws UnsupportedTargetException when that GHC is not known
   */
  public static ReferenceSnapshotSource open(Path file) {
    try (InputStream in = decompressed(file)) {
      return read(file.toString(), Channels.newChannel(in));
    } catch (ZipException | EOFException e) {
      throw new MalformedDataException(
          file.toString(), 0, "damaged gzip header: " + e.getMessage());
    } catch (IOException e) {
      throw new SourceUnavailableException(file.toString(), "cannot be read: " + IoReason.of(e), e);
    }
  }

  private static InputStream decompressed(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    in.mark(2);
    int magic = in.read() << 8 | in.read();
    in.reset();
    return magic == GZIP_MAGIC ? new GZIPInputStream(in, 1 << 16) : in;
  }

  /**
   * Reads a snapshot that is not compressed, such as a resource.
   *
   * @param description what it is, for messages
   * @param channel read to its end; the caller closes it
   * @throws MalformedDataException as {@link #open}
   * @throws UnsupportedTargetException as {@link #open}
   */
  public static ReferenceSnapshotSource read(String description, ReadableByteChannel channel)
      throws IOException {
    Recording recording = new Recording();
    try {
      MalformedDataException damage = recording.readAll(description, channel);
      return new ReferenceSnapshotSource(description, recording, damage);
    } catch (Throwable failure) {
      recording.blocks.close();
      throw failure;
    }
  }

  /** Whether a file that begins with these bytes can be such a snapshot, not compressed. */
  public static boolean recognizes(ByteBuffer firstBytes) {
    return ReferenceSnapshotReader.looksLikeReferenceSnapshot(firstBytes);
  }

  /** The damage that ended reading; what comes after it in the file is missing. */
  public Optional<MalformedDataException> findDamage() {
    return Optional.ofNullable(damage);
  }

  /** {@inheritDoc} This format says nothing about itself. */
  @Override
  public Map<String, String> metadata() {
    return Map.of();
  }

  @Override
  public List<String> warnings() {
    return damage == null
        ? List.of()
        : List.of(
            "the file is damaged or was cut off; what follows is missing: " + damage.getMessage());
  }

  /** Bytes of all blocks. */
  public long blockBytes() {
    return recording.blocks.sizeBytes();
  }

  /** How many answers were asked for so far that the recording does not hold. */
  public long missing() {
    return missing;
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
    return recording.roots;
  }

  @Override
  public AddressList savedObjects() {
    return recording.savedObjects;
  }

  @Override
  public List<String> savedObjectNames() {
    return Collections.nCopies(savedObjects().size(), "");
  }

  @Override
  public AddressList weakPointers() {
    return AddressList.of();
  }

  @Override
  public long blocks(BlockSink sink) {
    requireOpen();
    return recording.blocks.handOut(sink);
  }

  @Override
  public List<long @Nullable []> closures(AddressList addresses) {
    requireOpen();
    return lookUpEach(addresses, this::findClosure);
  }

  private long @Nullable [] findClosure(long pointer) {
    long addr = Target.untag(pointer);
    ClosureWords words = recording.blocks.find(addr);
    if (words == null) {
      long[] recorded = recording.closures.get(addr);
      return recorded == null ? null : recorded.clone();
    }
    return ClosureSize.copy(layout, recording.infoTables.get(words.word(0)), words);
  }

  @Override
  public List<@Nullable InfoTable> infoTables(AddressList infoAddrs) {
    return lookUpEach(infoAddrs, recording.infoTables::get);
  }

  @Override
  public AddressList srts(AddressList infoAddrs) {
    long[] srts = new long[infoAddrs.size()];
    for (int i = 0; i < srts.length; i++) {
      Long srt = recording.srts.get(infoAddrs.get(i));
      if (srt == null) {
        missing++;
      } else {
        srts[i] = srt;
      }
    }
    return AddressList.of(srts);
  }

  @Override
  public List<@Nullable PointerBitmap> stackBitmaps(List<FrameAddress> frames) {
    return lookUpEach(frames, frame -> recording.stackBitmaps.get(frame.address()));
  }

  @Override
  public List<@Nullable PointerBitmap> funBitmaps(List<FunArguments> functions) {
    return lookUpEach(
        functions,
        fun ->
            recording.funBitmaps.get(
                new FunArguments(Target.untag(fun.funAddr()), fun.arguments())));
  }

  @Override
  public List<@Nullable ConstructorName> constructorNames(AddressList infoAddrs) {
    return lookUpEach(infoAddrs, recording.constructorNames::get);
  }

  /** {@inheritDoc} A recorded "nothing known" is not counted as missing. */
  @Override
  public List<@Nullable SourceInfo> sourceInfos(AddressList infoAddrs) {
    return lookUpEach(infoAddrs, addr -> recording.sourceInfos.get(addr)).stream()
        .map(info -> info == null ? null : info.orElse(null))
        .toList();
  }

  /** {@inheritDoc} This format has none. */
  @Override
  public List<@Nullable CodeSymbol> symbols(AddressList infoAddrs) {
    return Collections.nCopies(infoAddrs.size(), null);
  }

  @Override
  public List<@Nullable CostCentreStack> costCentreStacks(AddressList addresses) {
    return lookUpEach(
        addresses,
        address -> {
          Response.Ccs stack = recording.costCentreStacks.get(address);
          Response.CostCentre top =
              stack == null ? null : recording.costCentres.get(stack.costCentreAddr());
          return stack == null || top == null
              ? null
              : ResponseValues.costCentreStack(address, stack, top);
        });
  }

  private <V> List<@Nullable V> lookUpEach(
      AddressList addresses, LongFunction<@Nullable V> lookUp) {
    List<@Nullable V> values = new ArrayList<>(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      values.add(counted(lookUp.apply(addresses.get(i))));
    }
    return values;
  }

  private <K, V> List<@Nullable V> lookUpEach(List<K> keys, Function<K, @Nullable V> lookUp) {
    List<@Nullable V> values = new ArrayList<>(keys.size());
    for (K key : keys) {
      values.add(counted(lookUp.apply(key)));
    }
    return values;
  }

  private <V> @Nullable V counted(@Nullable V value) {
    if (value == null) {
      missing++;
    }
    return value;
  }

  private void requireOpen() {
    if (closed) {
      throw new SourceUnavailableException(description, "closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    recording.blocks.close();
  }
}
