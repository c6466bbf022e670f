package org.ghcdebug.stub.heap;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.stub.heap.ClosureSpec.PlacedFrame;
import org.jspecify.annotations.Nullable;

/**
 * A heap that a {@link HeapBuilder} has laid out. It can say what it holds without decoding
 * anything, so that decoders can be compared with it. Immutable and safe to share.
 *
 * <p>Here only an address at which a closure was built is that of a closure.
 */
public final class BuiltHeap implements StubHeap {
  private static final Set<EdgeKind> KEPT_BY_KEY =
      EnumSet.of(EdgeKind.WEAK_VALUE, EdgeKind.WEAK_FINALIZER);

  private final Target target;
  private final AddressList roots;
  private final AddressList savedObjects;
  private final Map<Long, BuiltClosure> closures = new LinkedHashMap<>(); // in order of making
  private final Map<Long, PointerBitmap> arguments = new HashMap<>(); // closure -> its arguments
  private final Map<Long, PointerBitmap> frames = new HashMap<>(); // frame -> its payload
  private final Map<Long, Code> codes = new HashMap<>(); // info pointer -> code
  private final BlockGroup text;
  private final BlockGroup data;
  private final Memory blocks;
  private final CostCentres costCentres;

  BuiltHeap(
      Target target,
      Collection<ClosureSpec> specs,
      AddressList roots,
      AddressList savedObjects,
      TextSegment text,
      Region data,
      BlockAllocator blocks,
      CostCentres costCentres) {
    this.target = target;
    this.roots = roots;
    this.savedObjects = savedObjects;
    this.text = text.build();
    this.data = data.asGroup();
    this.blocks = new Memory(blocks.groups().stream().map(Region::asGroup).toList());
    this.costCentres = costCentres;
    text.codes().forEach(code -> codes.put(code.infoAddr(), code));
    for (ClosureSpec spec : specs) {
      closures.put(spec.address(), spec.built());
      if (spec.isApplicable()) {
        arguments.put(spec.address(), spec.arguments());
      }
      for (PlacedFrame placed : spec.frames()) {
        frames.put(spec.address() + 8L * placed.word(), placed.frame().answeredBitmap());
      }
    }
  }

  // What it holds.

  /** The address of a closure that was built, with the tag of pointers to it. */
  public long pointer(Ref closure) {
    return closure.pointer();
  }

  /** What is known of a closure that was built. */
  public BuiltClosure built(Ref closure) {
    return built(closure.closure().address());
  }

  /**
   * What is known of the closure at an address without tag.
   *
   * @throws IllegalArgumentException when none was built there
   */
  public BuiltClosure built(long closureAddr) {
    BuiltClosure closure = closures.get(closureAddr);
    if (closure == null) {
      throw new IllegalArgumentException("no closure at 0x%016x".formatted(closureAddr));
    }
    return closure;
  }

  /** All closures in the order in which they were made: static, unreachable and all. */
  public List<BuiltClosure> allClosures() {
    return List.copyOf(closures.values());
  }

  /** All code, in no particular order. */
  public Collection<Code> allCode() {
    return Collections.unmodifiableCollection(codes.values());
  }

  /**
   * The code of an info pointer.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Code code(long infoAddr) {
    Code code = codes.get(infoAddr);
    if (code == null) {
      throw new IllegalArgumentException("no code at 0x%016x".formatted(infoAddr));
    }
    return code;
  }

  /** The addresses of all stack frames, in no particular order. */
  public AddressList frames() {
    return AddressList.of(frames.keySet().stream().mapToLong(Long::longValue).toArray());
  }

  /**
   * The closures that roots and saved closures keep alive: all that can be reached from them, where
   * a weak pointer leads only to its C finalizers, and a key to what its weak pointers hold. Every
   * weak pointer of the heap counts, reached or not, as those in the RTS's lists do; a static key
   * is always alive. In no particular order.
   */
  public List<BuiltClosure> liveClosures() {
    var live = new LinkedHashMap<Long, BuiltClosure>();
    var pending = new ArrayDeque<Long>();
    for (long root : roots.toArray()) {
      pending.add(Target.untag(root));
    }
    for (long saved : savedObjects.toArray()) {
      pending.add(saved);
    }
    Map<Long, List<Edge>> keptByKey = keptByKey();
    keptByKey.forEach(
        (key, kept) -> {
          if (data.contains(key)) {
            kept.forEach(edge -> pending.add(edge.target().address()));
          }
        });
    while (!pending.isEmpty()) {
      long address = pending.remove();
      if (live.containsKey(address)) {
        continue;
      }
      BuiltClosure closure = built(address);
      live.put(address, closure);
      closure.edges().stream()
          .filter(edge -> edge.kind().isRetaining())
          .forEach(edge -> pending.add(edge.target().address()));
      keptByKey
          .getOrDefault(address, List.of())
          .forEach(edge -> pending.add(edge.target().address()));
    }
    return List.copyOf(live.values());
  }

  private Map<Long, List<Edge>> keptByKey() {
    var kept = new HashMap<Long, List<Edge>>();
    for (BuiltClosure closure : closures.values()) {
      for (Edge key : closure.edges()) {
        if (key.kind() == EdgeKind.WEAK_KEY) {
          List<Edge> edges = kept.computeIfAbsent(key.target().address(), _ -> new ArrayList<>());
          closure.edges().stream()
              .filter(edge -> KEPT_BY_KEY.contains(edge.kind()))
              .forEach(edges::add);
        }
      }
    }
    return kept;
  }

  /** Counts and bytes of closures by any property, such as {@link BuiltClosure#name}. */
  public static <K extends Comparable<K>> Map<K, Total> totals(
      Collection<BuiltClosure> closures, Function<BuiltClosure, K> key) {
    var totals = new TreeMap<K, Total>();
    for (BuiltClosure closure : closures) {
      totals.merge(key.apply(closure), new Total(1, closure.sizeBytes()), Total::plus);
    }
    return totals;
  }

  /** How many, and how large together. */
  public record Total(long count, long bytes) {
    Total plus(Total other) {
      return new Total(count + other.count, bytes + other.bytes);
    }
  }

  // What a stub would find.

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
    BuiltClosure closure = closures.get(address);
    if (closure == null) {
      return null;
    }
    return data.contains(address)
        ? data.words(address, closure.sizeWords())
        : blocks.words(address, closure.sizeWords());
  }

  @Override
  public long @Nullable [] infoTable(long infoAddr) {
    int words = target.profiling() == ProfilingMode.VANILLA ? 2 : 4;
    return codes.containsKey(infoAddr) ? text.words(infoAddr - 8L * words, words) : null;
  }

  @Override
  public long srt(long infoAddr) {
    Code code = codes.get(infoAddr);
    Ref srt = code == null ? null : code.srt();
    return srt == null ? 0 : srt.closure().address();
  }

  @Override
  public @Nullable PointerBitmap stackBitmap(long frameAddr) {
    return frames.get(frameAddr);
  }

  @Override
  public @Nullable PointerBitmap funBitmap(long funAddr, int count) {
    PointerBitmap bitmap = arguments.get(Target.untag(funAddr));
    return bitmap == null ? null : HeapBuilder.resized(bitmap, count);
  }

  @Override
  public @Nullable String constructorDescription(long infoAddr) {
    Code code = codes.get(infoAddr);
    return code != null && code.type().isConstructor() ? code.description() : null;
  }

  @Override
  public Response.@Nullable SourceInfo sourceInfo(long infoAddr) {
    Code code = codes.get(infoAddr);
    return code == null ? null : code.source();
  }

  @Override
  public List<BlockGroup> blocks() {
    return blocks.groups();
  }

  @Override
  public @Nullable BlockGroup block(long address) {
    return blocks.find(address);
  }

  @Override
  public Response.@Nullable Ccs costCentreStack(long ccsAddr) {
    return isProfiled() ? costCentres.stack(ccsAddr) : null;
  }

  @Override
  public Response.@Nullable CostCentre costCentre(long address) {
    return isProfiled() ? costCentres.costCentre(address) : null;
  }

  @Override
  public Response.@Nullable IndexTable indexTable(long address) {
    return isProfiled() ? costCentres.indexTable(address) : null;
  }

  @Override
  public Response.@Nullable CcsMain mainCostCentreStack() {
    return isProfiled() ? new Response.CcsMain(costCentres.main()) : null;
  }

  private boolean isProfiled() {
    return target.profiling() != ProfilingMode.VANILLA;
  }
}
