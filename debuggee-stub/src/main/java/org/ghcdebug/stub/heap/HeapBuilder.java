package org.ghcdebug.stub.heap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ghcdebug.protocol.closure.BlockReason;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.decode.Layouts;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.ClosureSpec.Area;
import org.ghcdebug.stub.heap.ClosureSpec.EdgeSpec;
import org.ghcdebug.stub.heap.ClosureSpec.PlacedFrame;
import org.jspecify.annotations.Nullable;

/**
 * Builds heaps closure by closure, and lays them out in memory as the RTS of a given GHC and way
 * would: info tables before the code, static closures in the data segment, all others in blocks of
 * 4 KiB or groups of their own.
 *
 * <p>Closures refer to each other by {@link Ref}; cycles are made with {@link #declare} and {@link
 * #define}. Where {@link Slot}s are asked for, they are given in memory order: a reference for each
 * pointer, {@link Slot#word} for anything else. What does not fit the code is an {@link
 * IllegalArgumentException}. Nothing says that the heap must make sense to Haskell.
 *
 * <p>Closures lie in memory in the order in which they are made, whether anything reaches them or
 * not. Not thread-safe; builds one heap.
 */
public final class HeapBuilder {
  private static final long DATA_START_ADDR = 0x1000_0000L;

  /** What {@code -hb} puts into the second profiling word: created in era 1, never used. */
  private static final long CREATED_IN_ERA_1 = 0x4000_0000L;

  private static final long JUNK = 0xAAAA_AAAA_AAAA_AAAAL;

  private final Target target;
  private final ClosureLayout layout;
  private final int h; // words of a header
  private final TextSegment text;
  private final CostCentres costCentres = new CostCentres();
  private final List<ClosureSpec> closures = new ArrayList<>();
  private final List<CompactRegion> regions = new ArrayList<>();
  private final List<Ref> roots = new ArrayList<>();
  private final List<Ref> saved = new ArrayList<>();
  private final Map<String, Code> rtsCodes = new HashMap<>(); // name -> code
  private final Map<String, Ref> rtsConstants = new HashMap<>();
  private CcsPtr currentCcs;
  private int nurseryBlocks;
  private long threads;

  /**
   * An empty heap.
   *
   * @throws org.ghcdebug.protocol.error.UnsupportedTargetException when the layout of its closures
   *     is not known
   */
  public HeapBuilder(Target target) {
    this.target = target;
    this.layout = Layouts.of(target);
    this.h = target.headerWords();
    this.text = new TextSegment(target);
    this.currentCcs = costCentres.main();
  }

  /** The GHC and way that it builds for. */
  public Target target() {
    return target;
  }

  // Code.

  /**
   * A constructor.
   *
   * @param description such as {@code containers-0.6.7:Data.Map.Internal.Bin}
   * @param number its number in the data type, from 0
   */
  public Code constructor(String description, int pointers, int nonPointers, int number) {
    // A nullary constructor's table claims a word all the same, the least that a closure has.
    int words = pointers + nonPointers == 0 ? 1 : nonPointers;
    return text.constructor(
        byPayload(ClosureType.CONSTR, pointers, words), description, pointers, words, number);
  }

  /**
   * The code of functions that are closures of the heap or static.
   *
   * @param arguments a {@code P} for each argument word that is a pointer, {@code N} for each other
   * @param pointers free variables that are pointers
   * @param nonPointers words of other free variables
   */
  public Code function(String arguments, int pointers, int nonPointers) {
    return text.function(
        byPayload(ClosureType.FUN, pointers, nonPointers),
        bitmap(arguments),
        pointers,
        nonPointers);
  }

  /** The code of a top-level function; see {@link #staticFunction}. */
  public Code topLevelFunction(String arguments, int srtEntries) {
    return text.function(ClosureType.FUN_STATIC, bitmap(arguments), srtEntries, 0);
  }

  /** The code of thunks with that many free variables. */
  public Code thunk(int pointers, int nonPointers) {
    return text.other(byPayload(ClosureType.THUNK, pointers, nonPointers), pointers, nonPointers);
  }

  /** The code of a constant applicative form; see {@link #caf}. */
  public Code topLevelThunk() {
    return text.other(ClosureType.THUNK_STATIC, 0, 0);
  }

  /**
   * A return address.
   *
   * @param payload a {@code P} for each word of the frame that is a pointer, {@code N} for each
   *     other
   */
  public Code returnAddress(String payload) {
    PointerBitmap bitmap = bitmap(payload);
    boolean small = bitmap.size() <= PointerBitmap.SMALL_BITMAP_LIMIT;
    return text.frame(small ? ClosureType.RET_SMALL : ClosureType.RET_BIG, bitmap);
  }

  /**
   * The code of an RTS structure without a layout of its own, such as a StableName or a queue cell.
   *
   * @param mutable whether it is a MUT_PRIM
   */
  public Code primitive(boolean mutable, int pointers, int nonPointers) {
    return text.other(mutable ? ClosureType.MUT_PRIM : ClosureType.PRIM, pointers, nonPointers);
  }

  // References, roots and the like.

  /** A reference to a closure that is given later, by {@link #define}. */
  public Ref declare() {
    return Ref.unbound();
  }

  /**
   * Says what a declared reference refers to.
   *
   * @return the same closure
   * @throws IllegalStateException when it has been said before
   */
  public Ref define(Ref declared, Ref closure) {
    declared.bind(closure);
    return closure;
  }

  /** Adds a stable pointer. Threads are roots without being added. */
  public HeapBuilder root(Ref closure) {
    roots.add(closure);
    return this;
  }

  /** Adds to the closures that the program registered for the debugger. */
  public HeapBuilder save(Ref closure) {
    saved.add(closure);
    return this;
  }

  /** Adds allocation areas, full of junk, that every client gets to see among the blocks. */
  public HeapBuilder nursery(int blocks) {
    nurseryBlocks += blocks;
    return this;
  }

  /** The root of the cost-centre stacks; of use in profiled programs. */
  public CcsPtr mainCostCentreStack() {
    return costCentres.main();
  }

  /** A cost-centre stack with a new cost centre on top of another stack. */
  public CcsPtr costCentreStack(
      CcsPtr parent, String label, String module, String location, boolean isCaf) {
    return costCentres.push(parent, label, module, location, isCaf);
  }

  /** The stack to which closures are attributed from now on; the main one at first. */
  public HeapBuilder attributeTo(CcsPtr stack) {
    currentCcs = stack;
    return this;
  }

  // Closures.

  /** A constructor in the heap, with at least one field. */
  public Ref constr(Code code, Slot... fields) {
    require(code.type().isConstructor(), "not a constructor: " + code);
    return payload(code, 0, fields).add(Area.HEAP);
  }

  /** A static constructor; of a nullary one no field is given. */
  public Ref staticConstr(Code code, Slot... fields) {
    require(code.type().isConstructor(), "not a constructor: " + code);
    if (fields.length == 0 && code.pointers() == 0 && code.nonPointers() == 1) {
      return new Assembly(code).add(Area.STATIC, h + 1, h);
    }
    Assembly closure = payload(code, 0, fields);
    return closure.add(Area.STATIC, closure.sizeWords(), closure.sizeWords() + 1);
  }

  /** A function with free variables. */
  public Ref fun(Code code, Slot... freeVariables) {
    require(
        code.type().isFunction() && code.type() != ClosureType.FUN_STATIC,
        "not code of a heap function: " + code);
    return payload(code, 0, freeVariables).applicable(code.bitmap()).add(Area.HEAP);
  }

  /**
   * A top-level function.
   *
   * @param srtEntries when it serves as its own SRT: what that holds
   */
  public Ref staticFunction(Code code, Ref... srtEntries) {
    require(code.type() == ClosureType.FUN_STATIC, "not code of a top-level function: " + code);
    Assembly closure = payload(code, 0, srtEntries).applicable(code.bitmap());
    return closure.add(Area.STATIC, closure.sizeWords(), closure.sizeWords() + 1);
  }

  /** A thunk in the heap. */
  public Ref thunk(Code code, Slot... freeVariables) {
    require(
        code.type().isThunk() && code.type() != ClosureType.THUNK_STATIC,
        "not code of a heap thunk: " + code);
    return payload(code, 1, freeVariables).add(Area.HEAP);
  }

  /** A CAF that has not been evaluated yet. */
  public Ref caf(Code code) {
    require(code.type() == ClosureType.THUNK_STATIC, "not code of a top-level thunk: " + code);
    return new Assembly(code).add(Area.STATIC, h, h + 3);
  }

  /** A CAF whose evaluation has begun, or has ended with that value. */
  public Ref evaluatedCaf(Ref indirectee) {
    return rts(ClosureType.IND_STATIC, 1, 0)
        .pointer(EdgeKind.INDIRECTEE, 0, indirectee)
        .add(Area.STATIC, h + 1, h + 3);
  }

  /** A static reference table for {@link Code#withSrt}. */
  public Ref srt(Ref... entries) {
    String name = "SRT_" + entries.length;
    Code code =
        rtsCodes.computeIfAbsent(
            name, _ -> text.constructor(ClosureType.CONSTR, name, entries.length, 0, 0));
    return staticConstr(code, Stream.of(entries).map(Ref::untagged).toArray(Slot[]::new));
  }

  /** A static closure of the RTS without contents, such as {@code END_TSO_QUEUE}. */
  public Ref rtsConstant(String name) {
    return rtsConstants.computeIfAbsent(
        name,
        _ ->
            new Assembly(text.constructor(ClosureType.CONSTR_NOCAF, name, 0, 1, 0))
                .add(Area.STATIC, h + 1, h)
                .untagged());
  }

  /** A selector thunk of a payload word of its selectee. */
  public Ref selector(int field, Ref selectee) {
    return new Assembly(text.selector(field))
        .word(0)
        .pointer(EdgeKind.SELECTEE, 0, selectee)
        .add(Area.HEAP);
  }

  /** A partial application of a function or byte code that is known by now. */
  public Ref pap(Ref fun, Slot... arguments) {
    PointerBitmap bitmap = arguments(fun, arguments);
    return rts(ClosureType.PAP, 0, 0)
        .slot(Slot.halves(bitmap.size() - arguments.length, arguments.length))
        .pointer(EdgeKind.FUN, 0, fun)
        .arguments(bitmap, arguments)
        .add(Area.HEAP);
  }

  /** An application of a function or byte code that is known by now. */
  public Ref ap(Ref fun, Slot... arguments) {
    PointerBitmap bitmap = arguments(fun, arguments);
    return rts(ClosureType.AP, 0, 0)
        .word(0)
        .slot(Slot.halves(0, arguments.length))
        .pointer(EdgeKind.FUN, 0, fun)
        .arguments(bitmap, arguments)
        .add(Area.HEAP);
  }

  /** A suspended computation: frames, and what to enter first. */
  public Ref apStack(Ref fun, Frame... frames) {
    return rts(ClosureType.AP_STACK, 0, 0)
        .word(0)
        .word(sizeWords(frames))
        .pointer(EdgeKind.FUN, 0, fun)
        .frames(frames)
        .add(Area.HEAP);
  }

  /**
   * Byte code.
   *
   * @param arguments a {@code P} for each word it takes that is a pointer, {@code N} for each other
   */
  public Ref bco(Ref instructions, Ref literals, Ref pointers, String arguments) {
    PointerBitmap bitmap = bitmap(arguments);
    int bitmapWords = bitmap.bits().size();
    Assembly closure =
        rts(ClosureType.BCO, 4, 0)
            .pointer(EdgeKind.BCO_INSTRUCTIONS, 0, instructions)
            .pointer(EdgeKind.BCO_LITERALS, 0, literals)
            .pointer(EdgeKind.BCO_POINTERS, 0, pointers)
            .slot(Slot.halves(bitmap.size(), h + 5 + bitmapWords))
            .word(bitmap.size());
    for (int i = 0; i < bitmapWords; i++) {
      closure.word(TextSegment.invertedBits(bitmap, i));
    }
    return closure.applicable(bitmap).add(Area.HEAP);
  }

  /** An indirection in the heap. */
  public Ref ind(Ref indirectee) {
    return rts(ClosureType.IND, 1, 0).pointer(EdgeKind.INDIRECTEE, 0, indirectee).add(Area.HEAP);
  }

  /**
   * A thunk under evaluation or evaluated.
   *
   * @param indirectee a TSO, a BLOCKING_QUEUE, or the value
   * @param slopWords what is left of the thunk behind it
   */
  public Ref blackHole(Ref indirectee, int slopWords) {
    Assembly closure = rts(ClosureType.BLACKHOLE, 1, 0).pointer(EdgeKind.INDIRECTEE, 0, indirectee);
    return closure.add(Area.HEAP, closure.sizeWords(), closure.sizeWords() + slopWords);
  }

  /** Threads waiting for a black hole. */
  public Ref blockingQueue(Ref link, Ref blackHole, Ref owner, Ref queue) {
    return rts(ClosureType.BLOCKING_QUEUE, 4, 0)
        .pointer(EdgeKind.BLOCKING_QUEUE_LINK, 0, link)
        .pointer(EdgeKind.BLOCKING_QUEUE_BLACK_HOLE, 0, blackHole)
        .pointer(EdgeKind.BLOCKING_QUEUE_OWNER, 0, owner)
        .pointer(EdgeKind.BLOCKING_QUEUE_QUEUE, 0, queue)
        .add(Area.HEAP);
  }

  /** A byte array. */
  public Ref byteArray(byte... bytes) {
    return byteArray(bytes, Area.HEAP);
  }

  /** A byte array that never moves. */
  public Ref pinnedByteArray(byte... bytes) {
    return byteArray(bytes, Area.PINNED);
  }

  /** A boxed array with a card table. */
  public Ref array(boolean mutable, Ref... elements) {
    int cardWords = Math.ceilDiv(Math.ceilDiv(elements.length, ClosureLayout.CARD_ELEMENTS), 8);
    Assembly closure =
        rts(mutable ? ClosureType.MUT_ARR_PTRS_DIRTY : ClosureType.MUT_ARR_PTRS_FROZEN_CLEAN, 0, 0)
            .word(elements.length)
            .word(elements.length + cardWords)
            .pointers(EdgeKind.ELEMENT, elements);
    for (int i = 0; i < cardWords; i++) {
      closure.word(0x0001_0001_0001_0001L);
    }
    return closure.add(Area.HEAP);
  }

  /** A boxed array without a card table. */
  public Ref smallArray(boolean mutable, Ref... elements) {
    return rts(
            mutable
                ? ClosureType.SMALL_MUT_ARR_PTRS_DIRTY
                : ClosureType.SMALL_MUT_ARR_PTRS_FROZEN_CLEAN,
            0,
            0)
        .word(elements.length)
        .pointers(EdgeKind.ELEMENT, elements)
        .add(Area.HEAP);
  }

  /** A mutable variable. */
  public Ref mutVar(Ref value) {
    return rts(ClosureType.MUT_VAR_DIRTY, 1, 0)
        .pointer(EdgeKind.MUT_VAR_VALUE, 0, value)
        .add(Area.HEAP);
  }

  /** An MVar nobody waits for; empty without a value. */
  public Ref mVar(@Nullable Ref value) {
    Ref end = rtsConstant("END_TSO_QUEUE");
    return mVar(end, end, value == null ? end : value);
  }

  /** An MVar with its queue. */
  public Ref mVar(Ref head, Ref tail, Ref value) {
    return rts(ClosureType.MVAR_CLEAN, 3, 0)
        .pointer(EdgeKind.MVAR_HEAD, 0, head)
        .pointer(EdgeKind.MVAR_TAIL, 0, tail)
        .pointer(EdgeKind.MVAR_VALUE, 0, value)
        .add(Area.HEAP);
  }

  /** A transactional variable. */
  public Ref tVar(Ref value, Ref watchQueue, long updates) {
    return rts(ClosureType.TVAR, 2, 1)
        .pointer(EdgeKind.TVAR_VALUE, 0, value)
        .pointer(EdgeKind.TVAR_WATCH_QUEUE, 0, watchQueue)
        .word(updates)
        .add(Area.HEAP);
  }

  /**
   * A weak pointer.
   *
   * @param finalizer {@code null} for none
   * @param link next in the RTS's list of weak pointers; {@code null} at its end
   */
  public Ref weak(Ref key, Ref value, @Nullable Ref finalizer, @Nullable Ref link) {
    Ref none = rtsConstant("NO_FINALIZER");
    return rts(ClosureType.WEAK, 1, 4)
        .pointer(EdgeKind.WEAK_C_FINALIZERS, 0, none)
        .pointer(EdgeKind.WEAK_KEY, 0, key)
        .pointer(EdgeKind.WEAK_VALUE, 0, value)
        .pointer(EdgeKind.WEAK_FINALIZER, 0, finalizer == null ? none : finalizer)
        .pointer(EdgeKind.WEAK_LINK, 0, link)
        .add(Area.HEAP);
  }

  /** An RTS structure. */
  public Ref prim(Code code, Slot... payload) {
    require(
        code.type() == ClosureType.PRIM || code.type() == ClosureType.MUT_PRIM,
        "not code of a primitive: " + code);
    return payload(code, 0, payload).add(Area.HEAP);
  }

  /** Part of a transaction's log. */
  public Ref trecChunk(Ref previous, TrecEntry... entries) {
    require(entries.length <= ClosureLayout.TREC_CHUNK_ENTRIES, "too many entries");
    Assembly closure =
        rts(ClosureType.TREC_CHUNK, 0, 0)
            .pointer(EdgeKind.TREC_PREVIOUS, 0, previous)
            .word(entries.length);
    for (int i = 0; i < entries.length; i++) {
      closure
          .pointer(EdgeKind.TREC_TVAR, i, entries[i].tVar())
          .pointer(EdgeKind.TREC_EXPECTED, i, entries[i].expected())
          .pointer(EdgeKind.TREC_NEW, i, entries[i].replacement())
          .word(entries[i].updates());
    }
    int unusedEntries = ClosureLayout.TREC_CHUNK_ENTRIES - entries.length;
    return closure.repeat(unusedEntries * ClosureLayout.TREC_ENTRY_WORDS, JUNK).add(Area.HEAP);
  }

  /** A compact region, empty at first. */
  public CompactRegion compactRegion() {
    Assembly closure = rts(ClosureType.COMPACT_NFDATA, 0, 9);
    for (int i = 0; i < 9; i++) {
      closure.word(0);
    }
    var region = new CompactRegion(closure.add(Area.COMPACT));
    regions.add(region);
    return region;
  }

  // Threads and stacks.

  /** A thread that could run. */
  public Ref thread(Ref stack, @Nullable String label) {
    return thread(stack, label, BlockReason.NOT_BLOCKED, rtsConstant("END_TSO_QUEUE"));
  }

  /**
   * A thread.
   *
   * @param label lost where threads have none, before GHC 9.6
   * @param blockInfo the closure that the reason tells about; {@link Slot#word} when it is none
   */
  public Ref thread(Ref stack, @Nullable String label, BlockReason reason, Slot blockInfo) {
    require(
        reason.hasPointer() == blockInfo instanceof Ref,
        "the block info of a thread blocked on " + reason);
    TsoLayout tso = layout.tso();
    Ref end = rtsConstant("END_TSO_QUEUE");
    Assembly closure =
        rts(ClosureType.TSO, 0, 0)
            .pointer(EdgeKind.TSO_LINK, 0, end)
            .word(0) // global_link
            .pointer(EdgeKind.TSO_STACK, 0, stack);
    long running = 1; // what_next: ThreadRunGHC
    if (tso.whyBlockedBytes() == 2) {
      closure.word(running | (long) reason.number() << 16);
    } else {
      closure.word(running | 0xAAAA_0000L).slot(Slot.halves(reason.number(), 0xAAAA_AAAA));
    }
    closure.slot(EdgeKind.TSO_BLOCK_INFO, 0, blockInfo);
    closure.word(++threads).word(0).word(0).word(0x50_0000); // id, errno and dirty, bound, cap
    closure.pointer(EdgeKind.TSO_TREC, 0, rtsConstant("NO_TREC"));
    if (tso.hasLabel()) {
      Ref labelText = label == null ? null : byteArray(label.getBytes(UTF_8));
      closure.pointer(EdgeKind.TSO_LABEL, 0, labelText);
    }
    closure
        .pointer(EdgeKind.TSO_BLOCKED_EXCEPTIONS, 0, end)
        .pointer(EdgeKind.TSO_BLOCKING_QUEUES, 0, end)
        .word(0) // alloc_limit
        .word(stack.closure().sizeWords());
    if (layout.isProfiled()) {
      closure.word(currentCcs.address());
    }
    return closure.add(Area.HEAP);
  }

  /**
   * A chunk of a stack.
   *
   * @param unusedWords room before the top frame, full of junk
   * @param frames from the top down
   */
  public Ref stack(int unusedWords, Frame... frames) {
    int areaWords = unusedWords + sizeWords(frames);
    return rts(ClosureType.STACK, 0, 0)
        .slot(Slot.halves(areaWords, 0))
        .slot(new Slot.Self(8L * (h + 2 + unusedWords)))
        .repeat(unusedWords, JUNK)
        .frames(frames)
        .add(Area.HEAP);
  }

  /** A captured slice of a stack; GHC 9.6 and newer. */
  public Ref continuation(Frame... frames) {
    requireType(ClosureType.CONTINUATION);
    return rts(ClosureType.CONTINUATION, 0, 0)
        .word(0)
        .word(0)
        .word(sizeWords(frames))
        .frames(frames)
        .add(Area.HEAP);
  }

  /** A frame of compiled code. */
  public Frame frame(Code returnAddress, Slot... payload) {
    require(
        returnAddress.type() == ClosureType.RET_SMALL
            || returnAddress.type() == ClosureType.RET_BIG,
        "not a return address: " + returnAddress);
    require(payload.length == returnAddress.bitmap().size(), "words for " + returnAddress);
    return new Frame(returnAddress, returnAddress.bitmap(), List.of(), payload);
  }

  /** The frame that will overwrite a thunk with its value. */
  public Frame updateFrame(Ref updatee) {
    return rtsFrame(ClosureType.UPDATE_FRAME, updatee);
  }

  /** An exception handler. */
  public Frame catchFrame(Ref handler) {
    return rtsFrame(ClosureType.CATCH_FRAME, handler);
  }

  /** A transaction. */
  public Frame atomicallyFrame(Ref code, Ref result) {
    return rtsFrame(ClosureType.ATOMICALLY_FRAME, code, result);
  }

  /** An exception handler in a transaction. */
  public Frame catchStmFrame(Ref code, Ref handler) {
    return rtsFrame(ClosureType.CATCH_STM_FRAME, code, handler);
  }

  /** An {@code orElse} in a transaction. */
  public Frame catchRetryFrame(boolean runningAlternative, Ref first, Ref alternative) {
    Slot running = Slot.word(runningAlternative ? 1 : 0);
    return rtsFrame(ClosureType.CATCH_RETRY_FRAME, running, first, alternative);
  }

  /** The bottom of a thread's stack. */
  public Frame stopFrame() {
    return rtsFrame(ClosureType.STOP_FRAME);
  }

  /** A stack annotation; GHC 9.14 and newer. */
  public Frame annotationFrame(Ref annotation) {
    requireType(ClosureType.ANN_FRAME);
    return rtsFrame(ClosureType.ANN_FRAME, annotation);
  }

  /** The bottom of a chunk that is not a thread's first. */
  public Frame underflowFrame(Ref nextChunk) {
    Code code = rtsFrameCode(ClosureType.UNDERFLOW_FRAME, bitmap("P"));
    return new Frame(code, code.bitmap(), List.of(), nextChunk);
  }

  /** A function saved at a heap check, with arguments; the function must be known by now. */
  public Frame functionFrame(Ref fun, Slot... arguments) {
    PointerBitmap bitmap = arguments(fun, arguments);
    Code code = rtsFrameCode(ClosureType.RET_FUN, PointerBitmap.EMPTY);
    return new Frame(
        code,
        resized(bitmap, arguments.length),
        List.of(Slot.word(arguments.length), fun),
        arguments);
  }

  /** A frame of the byte code interpreter; the byte code must be known by now. */
  public Frame byteCodeFrame(Ref bco, Slot... payload) {
    PointerBitmap bitmap = arguments(bco, payload);
    require(bitmap.size() == payload.length, "words for the byte code");
    Code code = rtsFrameCode(ClosureType.RET_BCO, PointerBitmap.EMPTY);
    return new Frame(code, bitmap, List.of(bco), payload);
  }

  // Building.

  /**
   * Lays everything out.
   *
   * @throws IllegalStateException when a declared reference was never defined
   */
  public BuiltHeap build() {
    Region data = Region.growing(DATA_START_ADDR);
    var blocks = new BlockAllocator();
    var homes = new HashMap<ClosureSpec, Region>();
    for (ClosureSpec closure : closures) {
      place(closure, data, blocks, homes);
    }
    data.reserve(8); // what command CLOSURES reads beyond a last nullary constructor
    regions.forEach(region -> region.place(blocks, homes));
    for (int i = 0; i < nurseryBlocks; i++) {
      blocks.group(BlockAllocator.BLOCK_BYTES, 0);
    }
    regions.forEach(CompactRegion::link);
    homes.forEach(this::write);
    Stream<Ref> threadsFirst =
        Stream.concat(closures.stream().filter(HeapBuilder::isThread).map(Ref::to), roots.stream());
    return new BuiltHeap(
        target,
        closures,
        addresses(threadsFirst),
        addresses(saved.stream().map(Ref::untagged)),
        text,
        data,
        blocks,
        costCentres);
  }

  private static void place(
      ClosureSpec closure, Region data, BlockAllocator blocks, Map<ClosureSpec, Region> homes) {
    Region home =
        switch (closure.area()) {
          case HEAP -> blocks.forClosure(closure.extentWords());
          case PINNED -> blocks.forPinned(closure.extentWords());
          case STATIC -> data;
          case COMPACT -> null; // placed by its region
        };
    if (home != null) {
      closure.place(home.reserve(8 * closure.extentWords()));
      homes.put(closure, home);
    }
  }

  private void write(ClosureSpec closure, Region home) {
    long address = closure.address();
    home.putLong(address, closure.code().infoAddr());
    if (layout.isProfiled()) {
      home.putLong(address + 8, closure.ccsAddr());
      home.putLong(address + 16, profilingWord());
    }
    long wordAddr = address + 8L * h;
    for (Slot slot : closure.payload()) {
      long word =
          switch (slot) {
            case Ref ref -> ref.pointer();
            case Slot.Word(long value) -> value;
            case Slot.Self(long offsetBytes) -> address + offsetBytes;
          };
      home.putLong(wordAddr, word);
      wordAddr += 8;
    }
  }

  private long profilingWord() {
    return switch (target.profiling()) {
      case BIOGRAPHY -> CREATED_IN_ERA_1;
      case ERA -> 1;
      case VANILLA, PROFILED, RETAINER, OTHER_HEAP_PROFILE -> 0;
    };
  }

  private static boolean isThread(ClosureSpec closure) {
    return closure.code().type() == ClosureType.TSO;
  }

  private static AddressList addresses(Stream<Ref> refs) {
    return AddressList.of(refs.mapToLong(Ref::pointer).toArray());
  }

  /** Checks the words against the code, and begins a closure with them. */
  private Assembly payload(Code code, int paddingWords, Slot... words) {
    require(
        words.length == code.pointers() + code.nonPointers(), words.length + " words for " + code);
    var closure = new Assembly(code).repeat(paddingWords, 0);
    for (int i = 0; i < words.length; i++) {
      require(i < code.pointers() == words[i] instanceof Ref, "word " + i + " for " + code);
      closure.slot(EdgeKind.PAYLOAD, i, words[i]);
    }
    return closure;
  }

  private Ref byteArray(byte[] bytes, Area area) {
    Assembly closure = rts(ClosureType.ARR_WORDS, 0, 0).word(bytes.length);
    var padded =
        ByteBuffer.allocate(8 * Math.ceilDiv(bytes.length, 8))
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(0, bytes);
    while (padded.hasRemaining()) {
      closure.word(padded.getLong());
    }
    return closure.add(area);
  }

  /** The general type, or the one of the five after it that stands for a payload that small. */
  private static ClosureType byPayload(ClosureType general, int pointers, int nonPointers) {
    int offset =
        switch (pointers + nonPointers) {
          case 1 -> 2 - pointers; // _1_0, _0_1
          case 2 -> 5 - pointers; // _2_0, _1_1, _0_2
          default -> 0;
        };
    return ClosureType.ofNumber(general.number() + offset);
  }

  /** A {@code P} for each word that is a pointer, an {@code N} for each other. */
  static PointerBitmap bitmap(String words) {
    var bytes = new byte[words.length()];
    for (int i = 0; i < bytes.length; i++) {
      char word = words.charAt(i);
      require(word == 'P' || word == 'N', "'" + word + "' in the bitmap " + words);
      bytes[i] = (byte) (word == 'P' ? 1 : 0);
    }
    return PointerBitmap.ofBytes(bytes);
  }

  private static PointerBitmap arguments(Ref fun, Slot... arguments) {
    PointerBitmap bitmap = fun.closure().arguments();
    require(
        arguments.length <= bitmap.size(),
        arguments.length + " arguments for " + fun.closure().code());
    return bitmap;
  }

  /** Describes that many words: what goes beyond the bitmap is no pointer. */
  static PointerBitmap resized(PointerBitmap bitmap, int words) {
    var bytes = new byte[words];
    for (int i = 0; i < words; i++) {
      bytes[i] = (byte) (bitmap.isPointer(i) ? 1 : 0);
    }
    return PointerBitmap.ofBytes(bytes);
  }

  private static void requirePointers(PointerBitmap bitmap, Slot... words) {
    for (int i = 0; i < words.length; i++) {
      require(bitmap.isPointer(i) == words[i] instanceof Ref, "word " + i + " for " + bitmap);
    }
  }

  private static int sizeWords(Frame... frames) {
    return Stream.of(frames).mapToInt(Frame::sizeWords).sum();
  }

  private Assembly rts(ClosureType type, int pointers, int nonPointers) {
    return new Assembly(
        rtsCodes.computeIfAbsent(type.name(), _ -> text.other(type, pointers, nonPointers)));
  }

  private Code rtsFrameCode(ClosureType type, PointerBitmap payload) {
    return rtsCodes.computeIfAbsent(type.name(), _ -> text.frame(type, payload));
  }

  /** A frame of the RTS that begins, in profiled programs, with a profiling header. */
  private Frame rtsFrame(ClosureType type, Slot... words) {
    var payload = new ArrayList<Slot>();
    if (layout.isProfiled()) {
      payload.add(Slot.word(currentCcs.address()));
      payload.add(Slot.word(0));
    }
    payload.addAll(List.of(words));
    Code code = rtsFrameCode(type, pointersAmong(payload));
    return new Frame(code, code.bitmap(), List.of(), payload.toArray(Slot[]::new));
  }

  private static PointerBitmap pointersAmong(List<Slot> words) {
    var bytes = new byte[words.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (words.get(i) instanceof Ref ? 1 : 0);
    }
    return PointerBitmap.ofBytes(bytes);
  }

  private void requireType(ClosureType type) {
    require(type.number() < layout.closureTypeCount(), "GHC " + target.ghc() + " has no " + type);
  }

  private static void require(boolean condition, String problem) {
    if (!condition) {
      throw new IllegalArgumentException(problem);
    }
  }

  /** What a transaction has done to a variable. */
  public record TrecEntry(Ref tVar, Ref expected, Ref replacement, long updates) {}

  /** A closure's words in the making, from the first after the header on. */
  private final class Assembly {
    private final Code code;
    private final List<Slot> words = new ArrayList<>();
    private final List<EdgeSpec> edges = new ArrayList<>();
    private final List<PlacedFrame> frames = new ArrayList<>();
    private PointerBitmap arguments = PointerBitmap.EMPTY;

    Assembly(Code code) {
      this.code = code;
    }

    /** Words so far, header included. */
    int sizeWords() {
      return h + words.size();
    }

    Assembly applicable(PointerBitmap arguments) {
      this.arguments = arguments;
      return this;
    }

    Assembly word(long value) {
      words.add(Slot.word(value));
      return this;
    }

    Assembly repeat(int count, long value) {
      for (int i = 0; i < count; i++) {
        word(value);
      }
      return this;
    }

    /** A word that is no reference. */
    Assembly slot(Slot slot) {
      words.add(slot);
      return this;
    }

    /** A word that is a reference if it is given as one. */
    Assembly slot(EdgeKind kind, int index, Slot slot) {
      if (slot instanceof Ref ref) {
        edges.add(new EdgeSpec(kind, index, ref));
      }
      return slot(slot);
    }

    /** A reference, or 0 for none. */
    Assembly pointer(EdgeKind kind, int index, @Nullable Ref ref) {
      return ref == null ? word(0) : slot(kind, index, ref);
    }

    Assembly pointers(EdgeKind kind, Ref... refs) {
      for (int i = 0; i < refs.length; i++) {
        pointer(kind, i, refs[i]);
      }
      return this;
    }

    Assembly arguments(PointerBitmap bitmap, Slot... slots) {
      requirePointers(bitmap, slots);
      for (int i = 0; i < slots.length; i++) {
        slot(EdgeKind.ARGUMENT, i, slots[i]);
      }
      return this;
    }

    Assembly frames(Frame... added) {
      for (Frame frame : added) {
        int start = sizeWords();
        frames.add(new PlacedFrame(frame, start));
        word(frame.code().infoAddr());
        words.addAll(frame.words());
        for (EdgeSpec edge : frame.edges()) {
          edges.add(new EdgeSpec(edge.kind(), start + edge.index(), edge.target()));
        }
      }
      return this;
    }

    Ref add(Area area) {
      return add(area, sizeWords(), sizeWords());
    }

    Ref add(Area area, int sizeWords, int extentWords) {
      var closure =
          new ClosureSpec(
              code,
              arguments,
              currentCcs.address(),
              words,
              edges,
              frames,
              area,
              sizeWords,
              extentWords);
      closures.add(closure);
      return Ref.to(closure);
    }
  }
}
