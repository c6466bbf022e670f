package org.ghcdebug.stub.heap;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.ghcdebug.protocol.closure.BlockReason;
import org.ghcdebug.protocol.target.Target;

/**
 * Makes heaps of all kinds of closures that refer to each other at random: with cycles, sharing,
 * closures that refer to themselves, weak pointers and parts that nothing reaches. The same seed
 * gives the same heap.
 */
public final class RandomHeap {
  private static final int MAX_FIELDS = 5;
  private static final int MAX_FRAMES = 6;
  private static final int SIZES = 400; // of arrays; some make large objects, most do not

  private final Random random;
  private final HeapBuilder heap;
  private final List<Ref> all = new ArrayList<>();
  private final List<Ref> functions = new ArrayList<>();
  private final List<Ref> stacks = new ArrayList<>();
  private final Ref byteCode;
  private final List<Code> constructors = new ArrayList<>();
  private final List<Code> thunks = new ArrayList<>();
  private final List<Code> returnAddresses = new ArrayList<>();
  private final List<Supplier<Ref>> kinds;

  private RandomHeap(Target target, long seed, int closures) {
    random = new Random(seed);
    heap = new HeapBuilder(target);
    for (int i = 0; i < closures; i++) {
      all.add(heap.declare());
    }
    for (int i = 0; i < 2 * MAX_FIELDS; i++) {
      int pointers = random.nextInt(MAX_FIELDS);
      int words = random.nextInt(MAX_FIELDS) + (pointers == 0 ? 1 : 0);
      constructors.add(heap.constructor("main:Random.Con" + i, pointers, words, i));
      thunks.add(
          heap.thunk(pointers, words)
              .withSource("Int", "thunk" + i, "Random", "Random.hs:" + i + ":1-9"));
      returnAddresses.add(heap.returnAddress(payload(i < 8 ? i : 100)));
      functions.add(
          heap.fun(heap.function(payload(1 + 3 * i), pointers, words), slots(pointers, words)));
    }
    functions.add(heap.staticFunction(heap.topLevelFunction("PNP", 1), any()));
    byteCode =
        heap.bco(
            heap.byteArray(new byte[16]),
            heap.byteArray(new byte[8]),
            heap.array(false, any()),
            payload(70));
    returnAddresses.getFirst().withSrt(heap.srt(any(), any()));
    thunks.getLast().withSrt(heap.caf(heap.topLevelThunk().withSrt(heap.srt(any()))));
    stacks.add(heap.stack(3, heap.stopFrame()));
    kinds =
        List.of(
            this::constr,
            this::constr,
            this::constr,
            this::thunk,
            () -> oneOf(functions),
            () -> heap.staticConstr(heap.constructor("main:Random.Nullary", 0, 0, 0)),
            () -> heap.evaluatedCaf(any()),
            () -> heap.selector(random.nextInt(MAX_FIELDS), any()),
            this::pap,
            () -> heap.ap(byteCode, arguments(byteCode, 70)),
            () -> heap.apStack(any(), frames()),
            () -> heap.ind(any()),
            () -> heap.blackHole(any(), random.nextInt(3)),
            () -> heap.blockingQueue(any(), any(), any(), any()),
            () -> heap.byteArray(new byte[random.nextInt(20 * SIZES)]),
            () -> heap.pinnedByteArray(new byte[random.nextInt(20 * SIZES)]),
            () -> heap.array(random.nextBoolean(), some(SIZES)),
            () -> heap.smallArray(random.nextBoolean(), some(2 * SIZES)),
            () -> heap.mutVar(any()),
            () -> heap.mVar(any(), any(), any()),
            () -> heap.mVar(null),
            () -> heap.tVar(any(), heap.rtsConstant("END_STM_WATCH_QUEUE"), random.nextLong()),
            this::weak,
            () -> heap.prim(heap.primitive(random.nextBoolean(), 2, 1), any(), any(), word()),
            this::trecChunk,
            this::stack,
            () -> heap.thread(oneOf(stacks), random.nextBoolean() ? "label" : null),
            () -> heap.thread(oneOf(stacks), null, BlockReason.MVAR, any()),
            () -> heap.thread(oneOf(stacks), null, BlockReason.FOREIGN_CALL, word()),
            this::compact);
  }

  /**
   * Makes a heap.
   *
   * @param closures how many, besides those that code and threads need
   */
  public static BuiltHeap of(Target target, long seed, int closures) {
    return new RandomHeap(target, seed, closures).build();
  }

  private BuiltHeap build() {
    for (Ref declared : all) {
      heap.define(declared, oneOf(kinds).get());
    }
    for (int i = 0; i < 1 + all.size() / 20; i++) {
      heap.root(any());
    }
    heap.save(any()).nursery(2);
    return heap.build();
  }

  private Ref constr() {
    Code code = oneOf(constructors);
    return heap.constr(code, slots(code.pointers(), code.nonPointers()));
  }

  private Ref thunk() {
    Code code = oneOf(thunks);
    return heap.thunk(code, slots(code.pointers(), code.nonPointers()));
  }

  private Ref pap() {
    Ref function = oneOf(functions);
    int arity = function.closure().arguments().size();
    return heap.pap(function, arguments(function, random.nextInt(arity + 1)));
  }

  private Ref weak() {
    return heap.weak(
        any(), any(), random.nextBoolean() ? any() : null, random.nextBoolean() ? any() : null);
  }

  private Ref trecChunk() {
    var entries = new HeapBuilder.TrecEntry[random.nextInt(17)];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = new HeapBuilder.TrecEntry(any(), any(), any(), i);
    }
    return heap.trecChunk(any(), entries);
  }

  private Ref stack() {
    Frame last = random.nextBoolean() ? heap.stopFrame() : heap.underflowFrame(oneOf(stacks));
    var frames = new ArrayList<>(List.of(frames()));
    frames.add(last);
    Ref stack = heap.stack(random.nextInt(SIZES), frames.toArray(Frame[]::new));
    stacks.add(stack);
    return stack;
  }

  private Ref compact() {
    CompactRegion region = heap.compactRegion();
    Ref member = heap.staticConstr(heap.constructor("main:Random.End", 0, 0, 0));
    for (int i = random.nextInt(300); i >= 0; i--) {
      Code code = heap.constructor("main:Random.Compacted", 1, 2, 0);
      member = heap.constr(code, member, word(), word());
      region.add(member);
    }
    return random.nextBoolean() ? member : region.closure();
  }

  private Frame[] frames() {
    var frames = new Frame[random.nextInt(MAX_FRAMES)];
    for (int i = 0; i < frames.length; i++) {
      frames[i] = frame();
    }
    return frames;
  }

  private Frame frame() {
    Ref function = oneOf(functions);
    int arity = function.closure().arguments().size();
    Code returnAddress = oneOf(returnAddresses);
    return switch (random.nextInt(8)) {
      case 0 -> heap.updateFrame(any());
      case 1 -> heap.catchFrame(any());
      case 2 -> heap.atomicallyFrame(any(), any());
      case 3 -> heap.catchStmFrame(any(), any());
      case 4 -> heap.catchRetryFrame(random.nextBoolean(), any(), any());
      case 5 -> heap.functionFrame(function, arguments(function, random.nextInt(arity + 1)));
      case 6 -> heap.byteCodeFrame(byteCode, arguments(byteCode, 70));
      default -> {
        var slots = new Slot[returnAddress.bitmap().size()];
        for (int i = 0; i < slots.length; i++) {
          slots[i] = returnAddress.bitmap().isPointer(i) ? any() : word();
        }
        yield heap.frame(returnAddress, slots);
      }
    };
  }

  private Slot[] arguments(Ref function, int count) {
    var slots = new Slot[count];
    for (int i = 0; i < count; i++) {
      slots[i] = function.closure().arguments().isPointer(i) ? any() : word();
    }
    return slots;
  }

  private Slot[] slots(int pointers, int words) {
    var slots = new Slot[pointers + words];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = i < pointers ? any() : word();
    }
    return slots;
  }

  private String payload(int words) {
    var text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(random.nextBoolean() ? 'P' : 'N');
    }
    return text.toString();
  }

  /** Any of the closures, tagged or not. */
  private Ref any() {
    Ref ref = oneOf(all);
    return random.nextInt(4) == 0 ? ref.untagged() : ref;
  }

  private Ref[] some(int limit) {
    var refs = new Ref[random.nextInt(limit)];
    for (int i = 0; i < refs.length; i++) {
      refs[i] = any();
    }
    return refs;
  }

  private Slot word() {
    return Slot.word(random.nextLong());
  }

  private <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
