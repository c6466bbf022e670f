package org.ghcdebug.client.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.Code;
import org.ghcdebug.stub.heap.Frame;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.ghcdebug.stub.heap.Slot;

/**
 * Heaps of random shape: cycles, sharing, self references, static closures, stacks, weak pointers
 * and parts that nothing reaches.
 */
public final class RandomHeaps {
  private final Random random;
  private final HeapBuilder builder;
  private final List<Ref> refs = new ArrayList<>();
  private final List<Ref> functions = new ArrayList<>(); // defined, of three arguments
  private final Code function;

  private RandomHeaps(Target target, long seed) {
    random = new Random(seed);
    builder = new HeapBuilder(target);
    function = builder.function("PNP", 1, 0);
  }

  /** The same heap for the same seed. */
  public static BuiltHeap build(Target target, long seed, int closures) {
    return new RandomHeaps(target, seed).build(closures);
  }

  private BuiltHeap build(int closures) {
    for (int i = 0; i < closures; i++) {
      refs.add(builder.declare());
    }
    functions.add(builder.fun(function, any()));
    for (Ref ref : refs) {
      builder.define(ref, closure());
    }
    for (int i = random.nextInt(4); i >= 0; i--) {
      builder.root(any());
    }
    if (random.nextBoolean()) {
      builder.save(any());
    }
    return builder.nursery(random.nextInt(3)).build();
  }

  private Ref any() {
    return refs.get(random.nextInt(refs.size()));
  }

  private Ref anyFunction() {
    return functions.get(random.nextInt(functions.size()));
  }

  private Ref[] some(int atMost) {
    Ref[] some = new Ref[random.nextInt(atMost + 1)];
    for (int i = 0; i < some.length; i++) {
      some[i] = random.nextInt(5) == 0 ? any().untagged() : any();
    }
    return some;
  }

  private static Slot[] with(Ref[] pointers, Slot... words) {
    List<Slot> slots = new ArrayList<>(List.of(pointers));
    slots.addAll(List.of(words));
    return slots.toArray(Slot[]::new);
  }

  private Ref closure() {
    return switch (random.nextInt(19)) {
      case 0, 1, 2, 3 -> {
        Ref[] fields = some(4);
        Slot word = Slot.word(random.nextLong());
        yield builder.constr(
            builder.constructor("main:Main.C" + fields.length, fields.length, 1, fields.length),
            with(fields, word));
      }
      case 4 -> {
        Ref[] fields = some(3);
        yield builder.staticConstr(
            builder.constructor("main:Main.S" + fields.length, fields.length, 0, 0), fields);
      }
      case 5 -> {
        Ref[] free = some(3);
        Code thunk = builder.thunk(free.length, 1);
        if (random.nextBoolean()) {
          thunk.withSrt(builder.srt(any(), any()));
        }
        yield builder.thunk(thunk, with(free, Slot.word(7)));
      }
      case 6 -> {
        Ref fun = builder.fun(function, any());
        functions.add(fun);
        yield fun;
      }
      case 7 -> builder.pap(anyFunction(), any(), Slot.word(random.nextLong()));
      case 8 -> builder.ap(anyFunction(), any(), Slot.word(random.nextLong()), any());
      case 9 -> builder.mutVar(any());
      case 10 -> random.nextBoolean() ? builder.mVar(any()) : builder.mVar(null);
      case 11 -> builder.array(random.nextBoolean(), some(600));
      case 12 -> builder.smallArray(random.nextBoolean(), some(9));
      case 13 -> builder.byteArray(new byte[random.nextInt(100)]);
      case 14 -> builder.ind(any());
      case 15 -> builder.selector(0, any());
      case 16 -> rooted(builder.weak(any(), any(), random.nextBoolean() ? any() : null, null));
      case 17 -> builder.evaluatedCaf(any());
      default -> builder.thread(stack(), random.nextBoolean() ? "worker" : null);
    };
  }

  /** The RTS lists every weak pointer; a client without that list must find it by a root. */
  private Ref rooted(Ref weak) {
    builder.root(weak);
    return weak;
  }

  private Ref stack() {
    List<Frame> frames = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      frames.add(
          switch (random.nextInt(4)) {
            case 0 -> builder.updateFrame(any());
            case 1 -> builder.functionFrame(anyFunction(), any(), Slot.word(1), any());
            case 2 -> bigFrame();
            default ->
                builder.frame(
                    builder.returnAddress("PNP").withSrt(builder.srt(any())),
                    any(),
                    Slot.word(random.nextLong()),
                    any());
          });
    }
    frames.add(builder.stopFrame());
    return builder.stack(random.nextInt(20), frames.toArray(Frame[]::new));
  }

  private Frame bigFrame() {
    Slot[] payload = new Slot[70];
    StringBuilder kinds = new StringBuilder();
    for (int i = 0; i < payload.length; i++) {
      boolean pointer = random.nextBoolean();
      kinds.append(pointer ? 'P' : 'N');
      payload[i] = pointer ? any() : Slot.word(random.nextLong());
    }
    return builder.frame(builder.returnAddress(kinds.toString()), payload);
  }
}
