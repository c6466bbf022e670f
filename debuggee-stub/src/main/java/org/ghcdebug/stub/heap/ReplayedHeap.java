package org.ghcdebug.stub.heap;

import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.Words;
import org.ghcdebug.protocol.decode.BcoBitmap;
import org.ghcdebug.protocol.decode.ClosureSize;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.decode.Layouts;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.jspecify.annotations.Nullable;

/**
 * The heap of a program that was recorded. Closures in recorded blocks are cut out of them in the
 * size that the RTS would compute, so that more can be asked for than was asked for when recording:
 * anything whose info table was recorded.
 *
 * <p>What a recording lacks is answered as if it were not there. Immutable and safe to share.
 */
public final class ReplayedHeap implements StubHeap {
  private final Target target;
  private final ClosureLayout layout;
  private final AddressList roots;
  private final AddressList savedObjects;
  private final Map<Long, long[]> closures; // address -> words, of closures outside of blocks
  private final Map<Long, long[]> infoTables; // info pointer -> words
  private final Map<Long, Long> srts; // info pointer -> address
  private final Map<Long, PointerBitmap> frames; // frame -> its payload
  private final Map<Long, PointerBitmap> bigFrames = new HashMap<>(); // info pointer -> payload
  private final Map<Long, PointerBitmap> functions = new HashMap<>(); // info pointer -> arguments
  private final Map<Long, String> descriptions; // info pointer -> constructor
  private final Map<Long, Response.SourceInfo> sources; // info pointer -> source
  private final Map<Long, Response.Ccs> costCentreStacks;
  private final Map<Long, Response.CostCentre> costCentres;
  private final Map<Long, Response.IndexTable> indexTables;
  private final Response.@Nullable CcsMain mainCostCentreStack;
  private final Memory listed;
  private final Memory unlisted;

  private ReplayedHeap(Builder recorded, Response.Version version) {
    target = version.target();
    layout = Layouts.of(target);
    roots = recorded.roots;
    savedObjects = recorded.savedObjects;
    closures = Map.copyOf(recorded.closures);
    infoTables = Map.copyOf(recorded.infoTables);
    srts = Map.copyOf(recorded.srts);
    frames = Map.copyOf(recorded.frames);
    descriptions = Map.copyOf(recorded.descriptions);
    sources = Map.copyOf(recorded.sources);
    costCentreStacks = Map.copyOf(recorded.costCentreStacks);
    costCentres = Map.copyOf(recorded.costCentres);
    indexTables = Map.copyOf(recorded.indexTables);
    mainCostCentreStack = recorded.mainCostCentreStack;
    listed = new Memory(recorded.listed.values());
    recorded.listed.keySet().forEach(recorded.unlisted::remove);
    unlisted = new Memory(recorded.unlisted.values());
    frames.forEach(this::learnBigFrame);
    recorded.functions.forEach(this::learnFunction);
  }

  private void learnBigFrame(long frameAddr, PointerBitmap bitmap) {
    InfoTable info = infoAt(frameAddr);
    if (info != null && info.type() == ClosureType.RET_BIG) {
      bigFrames.put(info.address().address(), bitmap);
    }
  }

  private void learnFunction(long funAddr, PointerBitmap bitmap) {
    InfoTable info = infoAt(funAddr);
    if (info != null) {
      functions.merge(info.address().address(), bitmap, (a, b) -> a.size() > b.size() ? a : b);
    }
  }

  @Override
  public Target target() {
    return target;
  }

  @Override
  public AddressList roots() {
    return roots;
  }

  @Override
  public AddressList savedObjects() {
    return savedObjects;
  }

  @Override
  public long @Nullable [] closure(long closureAddr) {
    long address = Target.untag(closureAddr);
    long[] recorded = closures.get(address);
    if (recorded != null) {
      return recorded.clone();
    }
    BlockGroup group = block(address);
    InfoTable info = infoAt(address);
    if (group == null || info == null) {
      return null;
    }
    long sizeWords = ClosureSize.sizeWords(layout, info, view(group, address));
    return sizeWords == ClosureSize.UNKNOWN ? null : group.words(address, sizeWords);
  }

  @Override
  public long @Nullable [] infoTable(long infoAddr) {
    long[] words = infoTables.get(infoAddr);
    return words == null ? null : words.clone();
  }

  @Override
  public long srt(long infoAddr) {
    InfoTable info = parsedInfoTable(infoAddr);
    return srts.getOrDefault(infoAddr, info == null ? 0 : info.srtAddr());
  }

  @Override
  public @Nullable PointerBitmap stackBitmap(long frameAddr) {
    PointerBitmap recorded = frames.get(frameAddr);
    InfoTable info = infoAt(frameAddr);
    if (recorded != null || info == null) {
      return recorded;
    }
    return switch (info.type()) {
      case RET_SMALL,
          UPDATE_FRAME,
          CATCH_FRAME,
          UNDERFLOW_FRAME,
          STOP_FRAME,
          ATOMICALLY_FRAME,
          CATCH_RETRY_FRAME,
          CATCH_STM_FRAME,
          ANN_FRAME ->
          smallBitmap(info.layout());
      case RET_BIG -> bigFrames.get(info.address().address());
      case RET_FUN -> functionFrame(frameAddr);
      case RET_BCO -> byteCodeFrame(frameAddr);
      default -> null;
    };
  }

  private static @Nullable PointerBitmap smallBitmap(long word) {
    return PointerBitmap.smallBitmapSize(word) > PointerBitmap.SMALL_BITMAP_LIMIT
        ? null
        : PointerBitmap.ofSmallBitmap(word);
  }

  /** Info pointer, number of arguments, function, arguments. */
  private @Nullable PointerBitmap functionFrame(long frameAddr) {
    BlockGroup group = block(frameAddr);
    long[] words = group == null ? null : group.words(frameAddr, 3);
    return words == null || words[1] < 0 || words[1] > group.lengthBytes() / 8
        ? null
        : funBitmap(words[2], (int) words[1]);
  }

  /** Info pointer, BCO, what the BCO describes. */
  private @Nullable PointerBitmap byteCodeFrame(long frameAddr) {
    BlockGroup group = block(frameAddr);
    long[] words = group == null ? null : group.words(frameAddr, 2);
    PointerBitmap bitmap = words == null ? null : byteCodeBitmap(Target.untag(words[1]));
    return bitmap == null ? null : HeapBuilder.bitmap("P" + bitmap);
  }

  private @Nullable PointerBitmap byteCodeBitmap(long bcoAddr) {
    InfoTable info = infoAt(bcoAddr);
    long[] closure = closure(bcoAddr);
    return info != null && info.type() == ClosureType.BCO && closure != null
        ? BcoBitmap.read(layout.headerWords(), ClosureWords.of(closure))
        : null;
  }

  @Override
  public @Nullable PointerBitmap funBitmap(long funAddr, int arguments) {
    long address = Target.untag(funAddr);
    InfoTable info = infoAt(address);
    if (info == null) {
      return null;
    }
    PointerBitmap bitmap =
        info.type() == ClosureType.BCO
            ? byteCodeBitmap(address)
            : functions.get(info.address().address());
    return bitmap == null ? null : HeapBuilder.resized(bitmap, arguments);
  }

  @Override
  public @Nullable String constructorDescription(long infoAddr) {
    return descriptions.get(infoAddr);
  }

  @Override
  public Response.@Nullable SourceInfo sourceInfo(long infoAddr) {
    return sources.get(infoAddr);
  }

  @Override
  public List<BlockGroup> blocks() {
    return listed.groups();
  }

  @Override
  public @Nullable BlockGroup block(long address) {
    BlockGroup group = listed.find(address);
    return group != null ? group : unlisted.find(address);
  }

  @Override
  public Response.@Nullable Ccs costCentreStack(long ccsAddr) {
    return costCentreStacks.get(ccsAddr);
  }

  @Override
  public Response.@Nullable CostCentre costCentre(long address) {
    return costCentres.get(address);
  }

  @Override
  public Response.@Nullable IndexTable indexTable(long address) {
    return indexTables.get(address);
  }

  @Override
  public Response.@Nullable CcsMain mainCostCentreStack() {
    return mainCostCentreStack;
  }

  /** The info table of the closure or frame at an address, if there is one and it was recorded. */
  private @Nullable InfoTable infoAt(long address) {
    long[] recorded = closures.get(address);
    if (recorded != null) {
      return recorded.length == 0 ? null : parsedInfoTable(recorded[0]);
    }
    BlockGroup group = block(address);
    long[] first = group == null || address % 8 != 0 ? null : group.words(address, 1);
    return first == null ? null : parsedInfoTable(first[0]);
  }

  /** Of a table's words only the last two matter: layout, then type and SRT field. */
  private @Nullable InfoTable parsedInfoTable(long infoAddr) {
    long[] words = infoTables.get(infoAddr);
    if (words == null) {
      return null;
    }
    long last = words[words.length - 1];
    return new InfoTable(
        new InfoPtr(infoAddr), (int) last, words[words.length - 2], (int) (last >>> 32));
  }

  private static ClosureWords view(BlockGroup group, long address) {
    LongBuffer words =
        group.contents().position((int) (address - group.startAddr())).asLongBuffer();
    return new ClosureWords() {
      @Override
      public long word(int index) {
        return words.get(index);
      }

      @Override
      public int length() {
        return words.limit();
      }
    };
  }

  /** Collects what a recording holds. For one thread. */
  public static final class Builder {
    private static final int INFO_TABLE_WORDS = 2;

    private Response.@Nullable Version version;
    private AddressList roots = AddressList.of();
    private AddressList savedObjects = AddressList.of();
    private final Map<Long, long[]> closures = new HashMap<>();
    private final Map<Long, long[]> infoTables = new HashMap<>();
    private final Map<Long, Long> srts = new HashMap<>();
    private final Map<Long, PointerBitmap> frames = new HashMap<>();
    private final Map<Long, PointerBitmap> functions = new HashMap<>();
    private final Map<Long, String> descriptions = new HashMap<>();
    private final Map<Long, Response.SourceInfo> sources = new HashMap<>();
    private final Map<Long, Response.Ccs> costCentreStacks = new HashMap<>();
    private final Map<Long, Response.CostCentre> costCentres = new HashMap<>();
    private final Map<Long, Response.IndexTable> indexTables = new HashMap<>();
    private Response.@Nullable CcsMain mainCostCentreStack;
    private final Map<Long, BlockGroup> listed = new HashMap<>();
    private final Map<Long, BlockGroup> unlisted = new HashMap<>();

    /** A question to the recorded program and its answer; blocks are given to {@link #block}. */
    public Builder entry(Request request, Response response) {
      switch (response) {
        case Response.Version answer -> version = answer;
        case Response.Addresses(var addresses) -> addresses(request, addresses);
        case Response.MemoryChunks chunks -> chunks(request, chunks);
        case Response.Bitmap answer -> bitmap(request, answer);
        case Response.Text(String description) -> {
          if (request instanceof Request.ConDescr(var constructor)) {
            descriptions.put(constructor.address(), description);
          }
        }
        case Response.SourceInfo answer -> {
          if (request instanceof Request.SourceInfo(var infoTable)) {
            sources.put(infoTable.address(), answer);
          }
        }
        case Response.Ccs answer -> {
          if (request instanceof Request.Ccs(var stack)) {
            costCentreStacks.put(stack.address(), answer);
          }
        }
        case Response.CostCentre answer -> {
          if (request instanceof Request.CostCentre(long address)) {
            costCentres.put(address, answer);
          }
        }
        case Response.IndexTable answer -> {
          if (request instanceof Request.IndexTable(long address)) {
            indexTables.put(address, answer);
          }
        }
        case Response.CcsMain answer -> mainCostCentreStack = answer;
        case Response.Done _, Response.NoSourceInfo _, Response.Blocks _, Response.Refused _ -> {
          // Nothing that could be asked for again.
        }
      }
      return this;
    }

    /**
     * A block group, however often it was recorded.
     *
     * @param listed whether it was among all blocks; a compact region's counts as listed in any
     *     case, since older stubs list its first group only
     */
    public Builder block(BlockGroup group, boolean listed) {
      if (group.lengthBytes() > 0) {
        boolean compact = (group.flags() & BlockGroup.COMPACT) != 0;
        (listed || compact ? this.listed : unlisted).put(group.startAddr(), group);
      }
      return this;
    }

    /**
     * The recorded heap.
     *
     * @param where the recording's name in error messages
     * @throws MalformedDataException when the recording does not say which GHC it is from
     * @throws org.ghcdebug.protocol.error.UnsupportedTargetException when the layout of that GHC's
     *     closures is not known
     */
    public ReplayedHeap build(String where) {
      if (version == null) {
        throw new MalformedDataException(where, 0, "no answer to VERSION in the whole recording");
      }
      return new ReplayedHeap(this, version);
    }

    private void addresses(Request request, AddressList addresses) {
      switch (request) {
        case Request.Roots() -> roots = addresses;
        case Request.SavedObjects() -> savedObjects = addresses;
        case Request.Srt(var infoPointers) -> {
          for (int i = 0; i < addresses.size(); i++) {
            srts.put(infoPointers.get(i), addresses.get(i));
          }
        }
        default -> throw new IllegalArgumentException("addresses for " + request);
      }
    }

    private void chunks(Request request, Response.MemoryChunks chunks) {
      for (int i = 0; i < chunks.size(); i++) {
        if (request instanceof Request.Closures(var addresses) && chunks.sizeWords(i) > 0) {
          closures.put(Target.untag(addresses.get(i)), chunks.words(i));
        } else if (request instanceof Request.InfoTables(var infoPointers)
            && chunks.sizeWords(i) >= INFO_TABLE_WORDS) {
          infoTables.put(infoPointers.get(i), chunks.words(i));
        }
      }
    }

    private void bitmap(Request request, Response.Bitmap answer) {
      long[] bits = Arrays.copyOf(answer.pointers().toLongArray(), Math.ceilDiv(answer.size(), 64));
      var bitmap = new PointerBitmap(answer.size(), Words.of(bits));
      switch (request) {
        case Request.StackBitmap(long baseAddr, int offsetBytes) ->
            frames.put(baseAddr + Integer.toUnsignedLong(offsetBytes), bitmap);
        case Request.FunBitmap(long funAddr, _) ->
            functions.merge(Target.untag(funAddr), bitmap, (a, b) -> a.size() > b.size() ? a : b);
        default -> throw new IllegalArgumentException("a bitmap for " + request);
      }
    }
  }
}
