package org.ghcdebug.protocol.decode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.ghcdebug.protocol.closure.BlockReason;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureHeader;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.FrameHeader;
import org.ghcdebug.protocol.closure.FrameList;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.ProfilingHeader;
import org.ghcdebug.protocol.closure.Slots;
import org.ghcdebug.protocol.closure.StackFrame;
import org.ghcdebug.protocol.closure.Words;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.layout.TsoLayout;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.ClosurePtr;
import org.ghcdebug.protocol.target.InfoPtr;
import org.jspecify.annotations.Nullable;

/** Makes random closures of every type, as values and as the words that stand for them. */
final class SyntheticClosures implements CodeTables {
  /** A closure, and the memory it would have. */
  record Sample(Closure closure, long[] words) {}

  private static final long CLOSURE_ADDR = 0x4200100000L;

  private final Random random;
  private final ClosureLayout layout;
  private final int h;
  private final Map<Long, InfoTable> infoTables = new HashMap<>();
  private final Map<Long, PointerBitmap> bigBitmaps = new HashMap<>();
  private final Map<Long, PointerBitmap> funBitmaps = new HashMap<>();
  private long nextCodeAddr = 0x400000;

  SyntheticClosures(Random random, ClosureLayout layout) {
    this.random = random;
    this.layout = layout;
    this.h = layout.headerWords();
  }

  /** Types that occur as closures of the heap with this layout, and have a size. */
  static List<ClosureType> types(ClosureLayout layout) {
    return Arrays.stream(ClosureType.values())
        .filter(type -> type.number() > 0 && type.number() < layout.closureTypeCount())
        .filter(type -> !type.isFrame() && type != ClosureType.WHITEHOLE)
        .toList();
  }

  Sample closure(ClosureType type) {
    Words words = words(random.nextInt(6));
    return switch (type) {
      case CONSTR,
          CONSTR_1_0,
          CONSTR_0_1,
          CONSTR_2_0,
          CONSTR_1_1,
          CONSTR_0_2,
          CONSTR_NOCAF,
          FUN,
          FUN_1_0,
          FUN_0_1,
          FUN_2_0,
          FUN_1_1,
          FUN_0_2,
          FUN_STATIC,
          THUNK_STATIC,
          THUNK,
          THUNK_1_0,
          THUNK_0_1,
          THUNK_2_0,
          THUNK_1_1,
          THUNK_0_2,
          PRIM,
          MUT_PRIM ->
          withPayload(type);
      case THUNK_SELECTOR -> {
        Memory memory = memory(info(type, random.nextInt(5)));
        memory.garbage();
        long selectee = memory.random();
        yield memory.sample(header -> new Closure.Selector(header, selectee));
      }
      case PAP, AP -> {
        Memory memory = memory(info(type, 0));
        if (type == ClosureType.AP) {
          memory.garbage();
        }
        int arity = random.nextInt();
        Slots arguments = slots(random.nextInt(70));
        long fun = functionOf(arguments.pointers());
        memory.halves(arity, arguments.words().size());
        memory.add(fun).addAll(arguments.words());
        yield memory.sample(
            header ->
                type == ClosureType.PAP
                    ? new Closure.Pap(header, arity, fun, arguments)
                    : new Closure.Ap(header, arity, fun, arguments));
      }
      case AP_STACK -> {
        Memory memory = memory(info(type, 0));
        memory.garbage();
        List<long[]> contents = new ArrayList<>();
        List<StackFrame> frames = frames(h + 3, false, contents);
        long fun = random.nextLong();
        memory.add(contents.stream().mapToLong(frame -> frame.length).sum()).add(fun);
        contents.forEach(memory::addAll);
        yield memory.sample(header -> new Closure.ApStack(header, fun, new FrameList(frames, "")));
      }
      case CONTINUATION -> {
        Memory memory = memory(info(type, random.nextLong()));
        long maskFrame = memory.random();
        long maskOffset = memory.random();
        List<long[]> contents = new ArrayList<>();
        List<StackFrame> frames = frames(h + 3, false, contents);
        memory.add(contents.stream().mapToLong(frame -> frame.length).sum());
        contents.forEach(memory::addAll);
        yield memory.sample(
            header ->
                new Closure.Continuation(header, maskFrame, maskOffset, new FrameList(frames, "")));
      }
      case STACK -> {
        Memory memory = memory(info(type, 0));
        int unused = random.nextInt(5);
        int dirty = random.nextInt(256);
        int marking = random.nextInt(256);
        List<long[]> contents = new ArrayList<>();
        List<StackFrame> frames = frames(h + 2 + unused, true, contents);
        int area = unused + (int) contents.stream().mapToLong(frame -> frame.length).sum();
        memory.add(area | (long) dirty << 32 | (long) marking << 40 | random.nextLong() << 48);
        long spAddr = CLOSURE_ADDR + 8L * (h + 2 + unused);
        memory.add(spAddr);
        for (int i = 0; i < unused; i++) {
          memory.garbage();
        }
        contents.forEach(memory::addAll);
        yield memory.sample(
            header ->
                new Closure.Stack(header, area, dirty, marking, spAddr, new FrameList(frames, "")));
      }
      case BCO -> {
        Memory memory = memory(info(type, 0));
        long instructions = memory.random();
        long literals = memory.random();
        long pointers = memory.random();
        int arity = random.nextInt();
        PointerBitmap bitmap = bitmap(random.nextInt(140));
        long[] rtsBits = bitmap.bits().values();
        for (int i = 0; i < rtsBits.length; i++) {
          rtsBits[i] = ~rtsBits[i]; // beyond the size: anything
        }
        memory.halves(arity, h + 5 + rtsBits.length);
        memory.add(bitmap.size()).addAll(rtsBits);
        yield memory.sample(
            header -> new Closure.Bco(header, instructions, literals, pointers, arity, bitmap));
      }
      case IND, IND_STATIC -> {
        Memory memory = memory(info(type, random.nextLong()));
        long indirectee = memory.random();
        yield memory.sample(header -> new Closure.Ind(header, indirectee));
      }
      case BLACKHOLE -> {
        Memory memory = memory(info(type, random.nextLong()));
        long indirectee = memory.random();
        yield memory.sample(header -> new Closure.BlackHole(header, indirectee));
      }
      case MUT_VAR_CLEAN, MUT_VAR_DIRTY -> {
        Memory memory = memory(info(type, random.nextLong()));
        long value = memory.random();
        yield memory.sample(header -> new Closure.MutVar(header, value));
      }
      case BLOCKING_QUEUE -> {
        Memory memory = memory(info(type, random.nextLong()));
        long[] fields = memory.randoms(4);
        yield memory.sample(
            header ->
                new Closure.BlockingQueue(header, fields[0], fields[1], fields[2], fields[3]));
      }
      case MVAR_CLEAN, MVAR_DIRTY -> {
        Memory memory = memory(info(type, random.nextLong()));
        long[] fields = memory.randoms(3);
        yield memory.sample(header -> new Closure.MVar(header, fields[0], fields[1], fields[2]));
      }
      case TVAR -> {
        Memory memory = memory(info(type, random.nextLong()));
        long[] fields = memory.randoms(3);
        yield memory.sample(header -> new Closure.TVar(header, fields[0], fields[1], fields[2]));
      }
      case ARR_WORDS -> {
        Memory memory = memory(info(type, 0));
        int padding = words.size() == 0 ? 0 : random.nextInt(8);
        memory.add(8L * words.size() - padding).addAll(words);
        yield memory.sample(
            header -> new Closure.ArrWords(header, 8L * words.size() - padding, words));
      }
      case MUT_ARR_PTRS_CLEAN,
          MUT_ARR_PTRS_DIRTY,
          MUT_ARR_PTRS_FROZEN_DIRTY,
          MUT_ARR_PTRS_FROZEN_CLEAN -> {
        Memory memory = memory(info(type, 0));
        Words cards = words((words.size() + 1023) / 1024);
        memory.add(words.size()).add(words.size() + cards.size()).addAll(words).addAll(cards);
        yield memory.sample(header -> new Closure.MutArrPtrs(header, words, cards));
      }
      case SMALL_MUT_ARR_PTRS_CLEAN,
          SMALL_MUT_ARR_PTRS_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_CLEAN -> {
        Memory memory = memory(info(type, 0));
        memory.add(words.size()).addAll(words);
        yield memory.sample(header -> new Closure.SmallMutArrPtrs(header, words));
      }
      case WEAK -> {
        Memory memory = memory(info(type, random.nextLong()));
        long[] fields = memory.randoms(5);
        yield memory.sample(
            header ->
                new Closure.Weak(header, fields[0], fields[1], fields[2], fields[3], fields[4]));
      }
      case TSO -> thread();
      case TREC_CHUNK -> {
        Memory memory = memory(info(type, 0));
        long previous = memory.random();
        int used = random.nextInt(ClosureLayout.TREC_CHUNK_ENTRIES + 1);
        memory.add(used);
        List<Closure.TrecEntry> entries = new ArrayList<>();
        for (int i = 0; i < ClosureLayout.TREC_CHUNK_ENTRIES; i++) {
          long[] entry = memory.randoms(4);
          if (i < used) {
            entries.add(new Closure.TrecEntry(entry[0], entry[1], entry[2], entry[3]));
          }
        }
        yield memory.sample(header -> new Closure.TrecChunk(header, previous, entries));
      }
      case COMPACT_NFDATA -> {
        Memory memory = memory(info(type, 0));
        long[] f = memory.randoms(9);
        yield memory.sample(
            header ->
                new Closure.CompactNfData(
                    header, f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]));
      }
      case INVALID_OBJECT,
          WHITEHOLE,
          UNKNOWN,
          RET_BCO,
          RET_SMALL,
          RET_BIG,
          RET_FUN,
          UPDATE_FRAME,
          CATCH_FRAME,
          UNDERFLOW_FRAME,
          STOP_FRAME,
          ATOMICALLY_FRAME,
          CATCH_RETRY_FRAME,
          CATCH_STM_FRAME,
          ANN_FRAME ->
          throw new IllegalArgumentException(type + " is no closure");
    };
  }

  private Sample withPayload(ClosureType type) {
    String name = type.name();
    boolean fixed = name.matches(".*_\\d_\\d");
    int pointers = fixed ? name.charAt(name.length() - 3) - '0' : random.nextInt(5);
    int nonPointers = fixed ? name.charAt(name.length() - 1) - '0' : random.nextInt(5);
    Memory memory = memory(info(type, pointers | (long) nonPointers << 32));
    if (type.isThunk() && type != ClosureType.THUNK_STATIC) {
      memory.garbage();
    }
    Words first = Words.of(memory.randoms(pointers));
    Words rest = Words.of(memory.randoms(nonPointers));
    return memory.sample(
        header -> {
          if (type.isConstructor()) {
            return new Closure.Constr(header, first, rest);
          } else if (type.isFunction()) {
            return new Closure.Fun(header, first, rest);
          }
          return type.isThunk()
              ? new Closure.Thunk(header, first, rest)
              : new Closure.Prim(header, first, rest);
        });
  }

  private Sample thread() {
    Memory memory = memory(info(ClosureType.TSO, 0));
    boolean wide = layout.tso().equals(TsoLayout.WIDE_WHY_BLOCKED);
    boolean labelled = !layout.tso().equals(TsoLayout.WITHOUT_LABEL);
    long[] links = memory.randoms(3);
    int whatNext = random.nextInt(5);
    BlockReason[] reasons = BlockReason.values();
    int whyBlocked = reasons[random.nextInt(reasons.length - 1)].number();
    int flags = random.nextInt();
    int middle = wide ? random.nextInt(0x10000) : whyBlocked;
    memory.halves(whatNext | middle << 16, flags);
    if (wide) {
      memory.halves(whyBlocked, random.nextInt());
    }
    long blockInfo = memory.random();
    long id = memory.random();
    int errno = random.nextInt();
    int dirty = random.nextInt();
    memory.halves(errno, dirty);
    long[] middleFields = memory.randoms(3);
    long label = labelled ? memory.random() : 0;
    long[] lastFields = memory.randoms(3);
    int stackWords = random.nextInt();
    memory.halves(stackWords, random.nextInt());
    CcsPtr ccs = layout.isProfiled() ? new CcsPtr(memory.random()) : null;
    return memory.sample(
        header ->
            new Closure.Tso(
                header,
                links[0],
                links[1],
                links[2],
                whatNext,
                whyBlocked,
                flags,
                blockInfo,
                id,
                errno,
                dirty,
                middleFields[0],
                middleFields[1],
                middleFields[2],
                label,
                lastFields[0],
                lastFields[1],
                lastFields[2],
                stackWords,
                ccs));
  }

  /** Frames from a word index on; the last is one that ends a stack, or any other. */
  private List<StackFrame> frames(int firstIndex, boolean ofThread, List<long[]> contents) {
    List<StackFrame> frames = new ArrayList<>();
    int index = firstIndex;
    for (int i = random.nextInt(6); i > 0; i--) {
      index +=
          addFrame(INNER_FRAMES.get(random.nextInt(INNER_FRAMES.size())), index, frames, contents);
    }
    if (ofThread) {
      addFrame(
          random.nextBoolean() ? ClosureType.STOP_FRAME : ClosureType.UNDERFLOW_FRAME,
          index,
          frames,
          contents);
    }
    return frames;
  }

  /** Returns the number of words added; none when this release has no such frame. */
  private int addFrame(
      ClosureType type, int index, List<StackFrame> frames, List<long[]> contents) {
    if (type.number() >= layout.closureTypeCount()) {
      return 0;
    }
    Slots slots = slots(random.nextInt(type == ClosureType.RET_BIG ? 200 : 59));
    boolean big =
        type == ClosureType.RET_BIG || type == ClosureType.RET_FUN || type == ClosureType.RET_BCO;
    InfoTable info = info(type, big ? random.nextLong() : smallBitmap(slots.pointers()));
    long[] fixed =
        switch (type) {
          case RET_FUN -> new long[] {slots.words().size(), functionOf(slots.pointers())};
          case RET_BCO -> new long[] {functionOf(slots.pointers())};
          default -> new long[0];
        };
    long[] words = concat(new long[] {info.address().address()}, fixed, slots.words().values());
    FrameHeader header = new FrameHeader(index, info, words.length);
    if (type == ClosureType.RET_BIG) {
      bigBitmaps.put(info.address().address(), slots.pointers());
    }
    contents.add(words);
    frames.add(
        switch (type) {
          case RET_SMALL, RET_BIG -> new StackFrame.Return(header, slots);
          case RET_FUN -> new StackFrame.Fun(header, fixed[1], slots);
          case RET_BCO -> new StackFrame.Bco(header, fixed[0], slots);
          case UPDATE_FRAME -> new StackFrame.Update(header, slots);
          case CATCH_FRAME -> new StackFrame.Catch(header, slots);
          case UNDERFLOW_FRAME -> new StackFrame.Underflow(header, slots);
          case STOP_FRAME -> new StackFrame.Stop(header, slots);
          case ATOMICALLY_FRAME -> new StackFrame.Atomically(header, slots);
          case CATCH_RETRY_FRAME -> new StackFrame.CatchRetry(header, slots);
          case CATCH_STM_FRAME -> new StackFrame.CatchStm(header, slots);
          case ANN_FRAME -> new StackFrame.Annotation(header, slots);
          default -> throw new IllegalArgumentException(type + " is no frame");
        });
    return words.length;
  }

  private static final List<ClosureType> INNER_FRAMES =
      Arrays.stream(ClosureType.values())
          .filter(ClosureType::isFrame)
          .filter(type -> type != ClosureType.STOP_FRAME && type != ClosureType.UNDERFLOW_FRAME)
          .toList();

  private static long[] concat(long[]... parts) {
    return Arrays.stream(parts).flatMapToLong(Arrays::stream).toArray();
  }

  private static long smallBitmap(PointerBitmap pointers) {
    long bits = 0;
    for (int i = 0; i < pointers.size(); i++) {
      bits |= pointers.isPointer(i) ? 0 : 1L << i;
    }
    return pointers.size() | bits << 6;
  }

  /** A new function or BCO, maybe tagged, whose arguments have that bitmap. */
  private long functionOf(PointerBitmap arguments) {
    long address = nextCodeAddr += 64;
    funBitmaps.put(address, arguments);
    return address + random.nextInt(8);
  }

  private InfoTable info(ClosureType type, long tableLayout) {
    InfoTable info =
        new InfoTable(
            new InfoPtr(nextCodeAddr += 64),
            type.number(),
            tableLayout,
            random.nextBoolean() ? random.nextInt() : 0);
    infoTables.put(info.address().address(), info);
    return info;
  }

  private Words words(int count) {
    return Words.of(random.longs(count).toArray());
  }

  private PointerBitmap bitmap(int size) {
    byte[] pointers = new byte[size];
    for (int i = 0; i < size; i++) {
      pointers[i] = (byte) random.nextInt(2);
    }
    return PointerBitmap.ofBytes(pointers);
  }

  private Slots slots(int count) {
    return new Slots(words(count), bitmap(count));
  }

  private Memory memory(InfoTable info) {
    return new Memory(info);
  }

  /** The words of a closure, in order. */
  private final class Memory {
    private final InfoTable info;
    private final List<Long> words = new ArrayList<>();
    private final @Nullable ProfilingHeader profiling;

    Memory(InfoTable info) {
      this.info = info;
      words.add(info.address().address());
      profiling = layout.isProfiled() ? new ProfilingHeader(new CcsPtr(random()), random()) : null;
    }

    Memory add(long word) {
      words.add(word);
      return this;
    }

    Memory addAll(long... more) {
      for (long word : more) {
        add(word);
      }
      return this;
    }

    Memory addAll(Words more) {
      return addAll(more.values());
    }

    /** Adds a word made of two halves. */
    void halves(int low, int high) {
      add(Integer.toUnsignedLong(low) | (long) high << 32);
    }

    /** Adds a random word, never 0, which can mean that there is no pointer. */
    long random() {
      long word = random.nextLong() | 1;
      add(word);
      return word;
    }

    long[] randoms(int count) {
      return random.longs(count).map(_ -> random()).toArray();
    }

    void garbage() {
      random();
    }

    /** A closure, whose header {@code make} gets now that its size is known. */
    Sample sample(Function<ClosureHeader, Closure> make) {
      long[] memory = words.stream().mapToLong(Long::longValue).toArray();
      ClosureHeader header =
          new ClosureHeader(new ClosurePtr(CLOSURE_ADDR), info, memory.length, profiling);
      return new Sample(make.apply(header), memory);
    }
  }

  @Override
  public @Nullable InfoTable infoTable(long infoAddr) {
    return infoTables.get(infoAddr);
  }

  @Override
  public @Nullable PointerBitmap funBitmap(long funAddr, int arguments) {
    return funBitmaps.get(funAddr);
  }

  @Override
  public @Nullable PointerBitmap stackBitmap(long frameAddr, long infoAddr) {
    return bigBitmaps.get(infoAddr);
  }

  @Override
  public @Nullable PointerBitmap bcoBitmap(long bcoAddr) {
    return funBitmaps.get(bcoAddr);
  }
}
