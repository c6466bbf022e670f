package org.ghcdebug.client.heap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.Resolution;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.decode.ClosureDecoder;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.decode.Layouts;
import org.ghcdebug.protocol.decode.Unresolved;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.ClosurePtr;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * A heap as a graph of decoded closures, read when they are asked for.
 *
 * <p>Good for one standstill of the program: when it has run on, closures have moved, and a new
 * heap is due. What one call needs is fetched in batches: a list of closures costs about three
 * round trips on a live source, however long it is. A closure that was read is kept in a bounded
 * cache of 64 MiB or an eighth of the Java heap, whichever is less; code (info tables, names,
 * bitmaps) is kept for good.
 *
 * <p>Pointers may be tagged wherever an address is taken. Not thread-safe, as sources are not. The
 * source is the caller's to close.
 *
 * <p>All methods throw what {@link HeapSource} says when the source fails.
 */
public final class Heap {
  private static final long MAX_CACHED_WORDS =
      Math.min(8 << 20, Runtime.getRuntime().maxMemory() / 8 / Long.BYTES);

  /** Fixed cost of a cached closure: its records and the map's entry. */
  private static final long CLOSURE_OVERHEAD_WORDS = 24;

  /**
   * How far a static closure can be from its info table: both are in one module, within reach of
   * the 32-bit offsets that GHC's code uses. The heap is hundreds of gigabytes away.
   */
  private static final long MODULE_REACH = 1L << 32;

  /** The longest chain that is followed; legal ones are short, cycles have no end. */
  private static final int MAX_INDIRECTIONS = 1000;

  private final HeapSource source;
  private final ClosureDecoder decoder;
  private final Code code;
  private final LinkedHashMap<Long, Closure> cache = new LinkedHashMap<>(256, 0.75f, true);
  private long cachedWords;
  private final Map<Long, Optional<ConstructorName>> names = new HashMap<>();
  private final Map<Long, Optional<SourceInfo>> sourceInfos = new HashMap<>();
  private final Map<Long, Optional<CodeSymbol>> symbols = new HashMap<>();
  private final Map<Long, Optional<CostCentreStack>> costCentreStacks = new HashMap<>();
  private boolean ended;

  /** A heap over a source; a live one must be paused. No I/O. */
  public Heap(HeapSource source) {
    this.source = source;
    this.decoder = new ClosureDecoder(Layouts.of(source.target()));
    this.code = new Code(source);
  }

  /** No I/O. */
  public Target target() {
    return source.target();
  }

  /** See {@link HeapSource#isInMemory}. */
  public boolean isInMemory() {
    return source.isInMemory();
  }

  /**
   * Ends it, because the program goes on: from now on every read is refused, since closures move.
   */
  public void end() {
    ended = true;
    cache.clear();
  }

  private void requireCurrent() {
    if (ended) {
      throw new SourceUnavailableException(
          source.description(),
          "this view of the heap has ended, and its addresses no longer mean anything; take a new"
              + " view");
    }
  }

  /** A handle of the closure at an address. No I/O. */
  public ClosureHandle handle(long pointer) {
    return new ClosureHandle(this, Target.untag(pointer));
  }

  /** See {@link HeapSource#roots}. */
  public AddressList roots() {
    requireCurrent();
    return source.roots();
  }

  /** See {@link HeapSource#savedObjects}. */
  public AddressList savedObjects() {
    requireCurrent();
    return source.savedObjects();
  }

  /** See {@link HeapSource#savedObjectNames}. */
  public List<String> savedObjectNames() {
    requireCurrent();
    return source.savedObjectNames();
  }

  /**
   * The closure at an address.
   *
   * @throws MalformedDataException when there is none, or a recording lacks it
   */
  public Closure closure(long pointer) {
    Closure closure = closures(AddressList.of(pointer)).getFirst();
    if (closure == null) {
      throw new MalformedDataException(
          source.description(),
          Target.untag(pointer),
          "no closure at 0x%016x, or none that is recorded".formatted(Target.untag(pointer)));
    }
    return closure;
  }

  /**
   * The closures at addresses, in order; {@code null} where there is none, as at 0. What cannot be
   * understood is a {@link Closure.Unknown}.
   */
  public List<@Nullable Closure> closures(AddressList pointers) {
    requireCurrent();
    Map<Long, @Nullable Closure> found = new HashMap<>();
    Set<Long> wanted = new LinkedHashSet<>();
    for (int i = 0; i < pointers.size(); i++) {
      long addr = Target.untag(pointers.get(i));
      Closure cached = cache.get(addr);
      if (addr == 0) {
        continue;
      }
      if (cached == null) {
        wanted.add(addr);
      } else {
        found.put(addr, cached);
      }
    }
    if (!wanted.isEmpty()) {
      fetch(wanted, found);
    }
    List<@Nullable Closure> closures = new ArrayList<>(pointers.size());
    for (int i = 0; i < pointers.size(); i++) {
      closures.add(found.get(Target.untag(pointers.get(i))));
    }
    return closures;
  }

  private void fetch(Set<Long> wanted, Map<Long, @Nullable Closure> found) {
    AddressList addresses = addressList(wanted);
    List<long @Nullable []> words = source.closures(addresses);
    Map<Long, long[]> raw = new LinkedHashMap<>();
    Set<Long> infoAddrs = new LinkedHashSet<>();
    for (int i = 0; i < addresses.size(); i++) {
      long[] closure = words.get(i);
      if (closure != null && closure.length > 0) {
        raw.put(addresses.get(i), closure);
        infoAddrs.add(closure[0]);
      }
    }
    code.loadInfoTables(infoAddrs);
    // What a closure lacks can be found only by decoding it, and a stack shows one unknown frame at
    // a time: so decode, fetch what all of them lack, and decode those again while that helps.
    Map<Long, long[]> left = raw;
    while (!left.isEmpty()) {
      Map<Long, long[]> incomplete = new LinkedHashMap<>();
      Set<Unresolved> lacking = new LinkedHashSet<>();
      left.forEach(
          (addr, closureWords) -> {
            Set<Unresolved> itsLack = new HashSet<>();
            Closure closure = decode(addr, closureWords, itsLack);
            if (closure != null) {
              found.put(addr, closure);
              itsLack.removeIf(what -> !code.canLoad(what));
              if (itsLack.isEmpty()) {
                remember(addr, closure);
              } else {
                incomplete.put(addr, closureWords);
                lacking.addAll(itsLack);
              }
            }
          });
      code.load(lacking);
      left = incomplete;
    }
  }

  private @Nullable Closure decode(long addr, long[] words, Set<Unresolved> lacking) {
    InfoTable info = code.infoTable(words[0]);
    return info == null
        ? null
        : decoder.decode(new ClosurePtr(addr), info, ClosureWords.of(words), code, lacking::add);
  }

  private void remember(long addr, Closure closure) {
    if (cache.put(addr, closure) == null) {
      cachedWords += costWords(closure);
    }
    var eldest = cache.values().iterator();
    while (cachedWords > MAX_CACHED_WORDS && cache.size() > 1) {
      cachedWords -= costWords(eldest.next());
      eldest.remove();
    }
  }

  private static long costWords(Closure closure) {
    return CLOSURE_OVERHEAD_WORDS + closure.sizeWords();
  }

  /**
   * The info table of an info pointer.
   *
   * @throws MalformedDataException when there is none, or a recording lacks it
   */
  public InfoTable infoTable(long infoAddr) {
    code.loadInfoTables(Set.of(infoAddr));
    InfoTable info = code.infoTable(infoAddr);
    if (info == null) {
      throw new MalformedDataException(
          source.description(), infoAddr, "no info table at 0x%016x".formatted(infoAddr));
    }
    return info;
  }

  /** Fetches names and source positions, so that asking for each costs nothing. */
  public void prefetchNames(Collection<InfoTable> infos) {
    Set<Long> unnamed = new LinkedHashSet<>();
    Set<Long> unlocated = new LinkedHashSet<>();
    for (InfoTable info : infos) {
      long infoAddr = info.address().address();
      if (info.hasConstructorName() && !names.containsKey(infoAddr)) {
        unnamed.add(infoAddr);
      }
      if (!sourceInfos.containsKey(infoAddr)) {
        unlocated.add(infoAddr);
      }
    }
    if (!unnamed.isEmpty()) {
      putEach(names, unnamed, source.constructorNames(addressList(unnamed)));
    }
    if (!unlocated.isEmpty()) {
      putEach(sourceInfos, unlocated, source.sourceInfos(addressList(unlocated)));
    }
    Set<Long> unknown = new LinkedHashSet<>();
    for (InfoTable info : infos) {
      long infoAddr = info.address().address();
      if (info.type().isCode()
          && !symbols.containsKey(infoAddr)
          && sourceInfos.getOrDefault(infoAddr, Optional.empty()).isEmpty()) {
        unknown.add(infoAddr);
      }
    }
    if (!unknown.isEmpty()) {
      putEach(symbols, unknown, source.symbols(addressList(unknown)));
    }
  }

  private static <V> void putEach(
      Map<Long, Optional<V>> known, Set<Long> keys, List<@Nullable V> values) {
    int i = 0;
    for (Long key : keys) {
      known.put(key, Optional.ofNullable(values.get(i++)));
    }
  }

  /**
   * Names that have been fetched so far: constructors and bindings with their modules, and the
   * modules alone; sorted. O(names), no I/O.
   */
  public SortedSet<String> knownNames() {
    SortedSet<String> known = new TreeSet<>();
    names.values().stream()
        .flatMap(Optional::stream)
        .forEach(
            name -> {
              known.add(name.qualifiedName());
              known.add(name.module());
            });
    sourceInfos.values().stream()
        .flatMap(Optional::stream)
        .forEach(
            code -> {
              known.add(code.module());
              if (!code.label().isEmpty()) {
                known.add(codeName(code));
              }
            });
    known.remove("");
    return known;
  }

  /** The name of a constructor; empty when it is none or has none. */
  public Optional<ConstructorName> findConstructorName(InfoTable info) {
    if (!info.hasConstructorName()) {
      return Optional.empty();
    }
    prefetchNames(Set.of(info));
    return names.getOrDefault(info.address().address(), Optional.empty());
  }

  /** What the program's info-table map says of code or a constructor; empty when nothing. */
  public Optional<SourceInfo> findSourceInfo(InfoTable info) {
    prefetchNames(Set.of(info));
    return sourceInfos.getOrDefault(info.address().address(), Optional.empty());
  }

  /**
   * What the symbols of the program's executable say about code; empty when nothing, or when they
   * cannot be read. For code that {@link #findSourceInfo} knows nothing of.
   */
  public Optional<CodeSymbol> findSymbol(InfoTable info) {
    prefetchNames(Set.of(info));
    return symbols.getOrDefault(info.address().address(), Optional.empty());
  }

  /**
   * A cost-centre stack of a profiled program, see {@link
   * org.ghcdebug.protocol.closure.ClosureHeader}.
   *
   * @return itself and those below it, the top first; empty when it is not known
   */
  public List<CostCentreStack> costCentreStack(long address) {
    List<CostCentreStack> stack = new ArrayList<>();
    for (long next = address; next != 0 && stack.size() < MAX_INDIRECTIONS; ) {
      Optional<CostCentreStack> found = costCentreStacks.get(next);
      if (found == null) {
        requireCurrent();
        found = Optional.ofNullable(source.costCentreStacks(AddressList.of(next)).getFirst());
        costCentreStacks.put(next, found);
      }
      found.ifPresent(stack::add);
      next = found.map(CostCentreStack::parentAddr).orElse(0L);
    }
    return stack;
  }

  /** {@code MAIN;Main.CAF;Main.insert}, the top last; empty when the stack is not known. */
  public Optional<String> findCostCentreStackName(long address) {
    List<CostCentreStack> stack = costCentreStack(address);
    return stack.isEmpty()
        ? Optional.empty()
        : Optional.of(
            stack.reversed().stream()
                .map(CostCentreStack::topName)
                .collect(Collectors.joining(";")));
  }

  /**
   * Follows indirections and evaluated black holes.
   *
   * @return the pointer to what it stands for, which is another such closure only when that is
   *     under evaluation, or in a cycle of them
   */
  public long resolve(long pointer) {
    return resolve(AddressList.of(pointer)).get(0);
  }

  /** {@link #resolve(long)} of each; a round trip or two for each step of the longest chain. */
  public AddressList resolve(AddressList pointers) {
    long[] resolved = pointers.toArray();
    int[] moving = IntStream.range(0, resolved.length).toArray(); // indexes in resolved
    for (int step = 0; moving.length > 0 && step < MAX_INDIRECTIONS; step++) {
      AddressList current =
          AddressList.of(IntStream.of(moving).mapToLong(i -> resolved[i]).toArray());
      List<@Nullable Closure> closures = closures(current);
      List<@Nullable Closure> owners = closures(blackHoleOwners(closures));
      int count = 0;
      for (int i = 0; i < moving.length; i++) {
        long next = indirectee(closures.get(i), owners.get(i));
        if (next != 0) {
          resolved[moving[i]] = next;
          moving[count++] = moving[i];
        }
      }
      moving = Arrays.copyOf(moving, count);
    }
    return AddressList.of(resolved);
  }

  /** What {@link Resolution#of} needs of each; 0 where it needs nothing. */
  private static AddressList blackHoleOwners(List<@Nullable Closure> closures) {
    long[] owners = new long[closures.size()];
    for (int i = 0; i < owners.length; i++) {
      Closure closure = closures.get(i);
      owners[i] = closure == null ? 0 : Resolution.neededPointer(closure);
    }
    return AddressList.of(owners);
  }

  /** What stands for the closure; 0 when it stands for itself. */
  private static long indirectee(@Nullable Closure closure, @Nullable Closure owner) {
    return closure != null
            && Resolution.of(closure, owner) instanceof Resolution.StandsFor(long pointer)
        ? pointer
        : 0;
  }

  /** What a closure refers to, labelled. See {@link Closure#edges}; no I/O. */
  public List<Edge> references(Closure closure) {
    return closure.edges();
  }

  /**
   * Whether a closure is in the program's static data and not on the heap. No I/O: told by the
   * distance from its info table.
   */
  public static boolean isStatic(Closure closure) {
    long distance = closure.address().address() - closure.info().address().address();
    return Math.abs(distance) < MODULE_REACH;
  }

  /**
   * What the program calls a thread ({@code labelThread}); empty when it says nothing, and before
   * GHC 9.6, which keeps labels elsewhere.
   */
  public Optional<String> findThreadLabel(Closure.Tso thread) {
    if (thread.label() == 0
        || !(closures(AddressList.of(thread.label())).getFirst()
            instanceof Closure.ArrWords label)) {
      return Optional.empty();
    }
    ByteBuffer words =
        ByteBuffer.allocate(label.data().size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    words.asLongBuffer().put(label.data().values());
    return Optional.of(
        StandardCharsets.UTF_8.decode(words.limit((int) label.sizeBytes())).toString());
  }

  /**
   * What to call a closure: {@code Module.Constructor}; {@code thread 5 "main"}; else where its
   * code comes from, such as {@code Main.main.go (Main.hs:12:3-20)}; else its type, such as {@code
   * ARR_WORDS}.
   */
  public String displayName(Closure closure) {
    if (closure instanceof Closure.Tso thread) {
      return "thread "
          + thread.id()
          + findThreadLabel(thread).map(label -> " \"" + label + "\"").orElse("");
    }
    return displayName(closure.info());
  }

  /** What to call closures with that info table; see {@link #displayName(Closure)}. */
  public String displayName(InfoTable info) {
    Optional<ConstructorName> name = findConstructorName(info);
    if (name.isPresent()) {
      return name.get().qualifiedName();
    }
    String position = findSourceInfo(info).map(SourceInfo::position).orElse("");
    return findCodeName(info).map(text -> located(text, position)).orElseGet(() -> typeName(info));
  }

  /**
   * {@code Module.binding} of the code of a function or thunk, such as {@code Main.main.go}; empty
   * when neither the program's info-table map nor its symbols say anything of it. From symbols come
   * {@code Main.main2} for an exported binding and {@code Main.(near main2)} for code before it.
   */
  public Optional<String> findCodeName(InfoTable info) {
    return findSourceInfo(info)
        .map(Heap::codeName)
        .filter(text -> !text.isEmpty())
        .or(
            () ->
                info.type().isCode()
                    ? findSymbol(info).map(CodeSymbol::qualifiedName)
                    : Optional.empty());
  }

  /**
   * Whether closures with that info table, and none of another kind, are called by {@link
   * #displayName(InfoTable)}. Not so where all that is known is a symbol near their code, or their
   * closure type: then unlike closures are called alike.
   */
  public boolean isNamed(InfoTable info) {
    if (findConstructorName(info).isPresent()
        || findSourceInfo(info).filter(source -> !codeName(source).isEmpty()).isPresent()) {
      return true;
    }
    return info.type().isCode()
        ? findSymbol(info).filter(CodeSymbol::isExact).isPresent()
        : !info.type().isConstructor();
  }

  private static String codeName(SourceInfo info) {
    String name = info.label().isEmpty() ? info.tableName() : info.label();
    return info.module().isEmpty() || name.startsWith(info.module() + ".")
        ? name
        : info.module() + "." + name;
  }

  private static String located(String name, String position) {
    return position.isEmpty() ? name : "%s (%s)".formatted(name, position);
  }

  private static String typeName(InfoTable info) {
    return info.type() == ClosureType.UNKNOWN ? "type " + info.typeNumber() : info.type().name();
  }

  private static AddressList addressList(Collection<Long> addresses) {
    return AddressList.of(addresses.stream().mapToLong(Long::longValue).toArray());
  }
}
