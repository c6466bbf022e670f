package org.ghcdebug.client.analysis.thread;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.FrameList;
import org.ghcdebug.protocol.closure.StackFrame;
import org.ghcdebug.protocol.closure.WhatNext;
import org.ghcdebug.protocol.closure.Words;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * The threads among a heap's roots.
 *
 * <p>Which thread another waits for is told by the heap for black holes, which name who evaluates
 * them, and for exceptions thrown to a thread. Nothing tells who will fill an MVar; taken as such
 * are the threads from whose stacks it can be reached in {@value #MVAR_STEPS} steps, as that of
 * {@code withMVar} can, which puts the value back; not those that wait for it themselves. So a
 * circle with MVars in it is a suspicion.
 */
public final class Threads {
  /** At most so many frames are named. */
  public static final int MAX_FRAMES = 5;

  private static final int MVAR_STEPS = 2;

  /** More chunks than a stack of the default limit, 80 % of memory, has on any machine. */
  private static final int MAX_CHUNKS = 1 << 22;

  // RTS MessageBlackHole and MessageThrowTo: their pointers behind the link.
  private static final int BLACK_HOLE = 2; // MessageBlackHole: link, tso, bh
  private static final int THROW_TO_TARGET = 2; // MessageThrowTo: link, source, target, exception

  private final Heap heap;
  private final Work work;
  private final Map<Long, ThreadInfo> threads = new LinkedHashMap<>(); // TSO -> thread
  private final Map<Long, Closure.Tso> tsos = new LinkedHashMap<>();
  private final Map<Long, Set<Long>> stackPointers = new HashMap<>(); // TSO -> what frames hold

  private Threads(Heap heap, Work work) {
    this.heap = heap;
    this.work = work;
  }

  /** Reads all threads, by id. O(their stacks); a round trip or two for a level of chunks. */
  public static List<ThreadInfo> of(Heap heap, Work work) {
    return new Threads(heap, work).read();
  }

  private List<ThreadInfo> read() {
    for (@Nullable Closure root : heap.closures(heap.roots())) {
      if (root instanceof Closure.Tso tso) {
        tsos.put(tso.address().address(), tso);
      }
    }
    heap.closures(addresses(tsos.values().stream().map(Closure.Tso::label).toList()));
    Map<Long, Frames> frames = stacks();
    tsos.forEach((addr, tso) -> threads.put(addr, describe(tso, frames.get(addr))));
    findWaits();
    threads.replaceAll((_, thread) -> thread.withCycle(cycle(thread)));
    return threads.values().stream().sorted(Comparator.comparingLong(ThreadInfo::id)).toList();
  }

  private static AddressList addresses(List<Long> addresses) {
    return AddressList.of(addresses.stream().mapToLong(Long::longValue).toArray());
  }

  /** What a stack is made of, chunk by chunk. */
  private static final class Frames {
    long count;
    long bytes;
    boolean isComplete = true;
    final List<String> top = new ArrayList<>();
  }

  /** Reads all stacks, one level of chunks of all threads after another. */
  private Map<Long, Frames> stacks() {
    Map<Long, Frames> frames = new HashMap<>();
    Map<Long, Long> chunks = new LinkedHashMap<>(); // TSO -> chunk to read
    tsos.forEach(
        (addr, tso) -> {
          frames.put(addr, new Frames());
          stackPointers.put(addr, new LinkedHashSet<>());
          chunks.put(addr, Target.untag(tso.stack()));
        });
    for (int level = 0; level < MAX_CHUNKS && !chunks.isEmpty(); level++) {
      work.checkStopped();
      List<Long> owners = List.copyOf(chunks.keySet());
      List<@Nullable Closure> read = heap.closures(addresses(List.copyOf(chunks.values())));
      chunks.clear();
      for (int i = 0; i < owners.size(); i++) {
        long owner = owners.get(i);
        long next =
            read.get(i) instanceof Closure.Stack stack
                ? add(frames.get(owner), stackPointers.get(owner), stack.frames())
                : unread(frames.get(owner));
        if (next != 0) {
          chunks.put(owner, next);
        }
      }
    }
    return frames;
  }

  private static long unread(Frames frames) {
    frames.isComplete = false;
    return 0;
  }

  /** Adds a chunk; the address of the next one, 0 at the end. */
  private long add(Frames total, Set<Long> pointers, FrameList chunk) {
    total.isComplete &= chunk.isComplete();
    long next = 0;
    for (StackFrame frame : chunk.frames()) {
      total.count++;
      total.bytes += (long) frame.sizeWords() * Target.WORD_BYTES;
      if (frame instanceof StackFrame.Underflow underflow) {
        next = Target.untag(underflow.nextChunk());
        continue;
      }
      if (total.top.size() < MAX_FRAMES) {
        heap.findCodeName(frame.info()).ifPresent(total.top::add);
      }
      Words slots = frame.slots().words();
      for (int i = 0; i < slots.size(); i++) {
        if (frame.slots().pointers().isPointer(i)) {
          pointers.add(Target.untag(slots.get(i)));
        }
      }
    }
    return next;
  }

  private ThreadInfo describe(Closure.Tso tso, Frames frames) {
    ThreadState state = state(tso);
    long on =
        state == ThreadState.BLOCKED && tso.blockReason().hasPointer()
            ? Target.untag(tso.blockInfo())
            : 0;
    return new ThreadInfo(
        tso.address().address(),
        tso.id(),
        heap.findThreadLabel(tso).orElse(""),
        state,
        frames.count,
        frames.bytes,
        frames.isComplete,
        frames.top,
        state == ThreadState.BLOCKED ? blockedOn(tso) : "",
        on,
        AddressList.of(),
        List.of());
  }

  private static ThreadState state(Closure.Tso tso) {
    if (tso.whatNext() == WhatNext.COMPLETE) {
      return ThreadState.FINISHED;
    }
    if (tso.whatNext() == WhatNext.KILLED) {
      return ThreadState.KILLED;
    }
    return switch (tso.blockReason()) {
      case NOT_BLOCKED, MIGRATING -> ThreadState.RUNNABLE;
      case MVAR, MVAR_READ, BLACK_HOLE, STM, THROW_TO -> ThreadState.BLOCKED;
      case READ, WRITE, DELAY, DO_PROC -> ThreadState.WAITING;
      case FOREIGN_CALL, INTERRUPTIBLE_FOREIGN_CALL -> ThreadState.FOREIGN_CALL;
      case UNKNOWN -> ThreadState.UNKNOWN;
    };
  }

  private static String blockedOn(Closure.Tso tso) {
    return switch (tso.blockReason()) {
      case MVAR -> "MVar";
      case MVAR_READ -> "MVar (readMVar)";
      case BLACK_HOLE -> "a thunk that another thread evaluates";
      case STM -> "STM (retry)";
      case THROW_TO -> "throwTo a thread that blocks exceptions";
      default -> "";
    };
  }

  private void findWaits() {
    Map<Long, Set<Long>> holders = holders();
    threads.replaceAll(
        (addr, thread) -> {
          if (thread.state() != ThreadState.BLOCKED) {
            return thread;
          }
          Set<Long> others = waitsFor(tsos.get(addr), thread.blockedOnAddr(), holders);
          others.retainAll(tsos.keySet());
          others.remove(addr);
          return thread.withWaits(addresses(List.copyOf(others)));
        });
  }

  private Set<Long> waitsFor(Closure.Tso tso, long on, Map<Long, Set<Long>> holders) {
    return switch (tso.blockReason()) {
      case BLACK_HOLE -> evaluators(on);
      case THROW_TO -> field(on, THROW_TO_TARGET);
      case MVAR, MVAR_READ -> new LinkedHashSet<>(holders.getOrDefault(on, Set.of()));
      default -> new LinkedHashSet<>();
    };
  }

  /** A pointer of an RTS message; none when it is no message. */
  private Set<Long> field(long message, int index) {
    return heap.closures(AddressList.of(message)).getFirst() instanceof Closure.Prim prim
            && index < prim.pointers().size()
        ? new LinkedHashSet<>(Set.of(Target.untag(prim.pointers().get(index))))
        : new LinkedHashSet<>();
  }

  /** Who evaluates the black hole that a message is about. */
  private Set<Long> evaluators(long message) {
    Set<Long> owners = new LinkedHashSet<>();
    for (long hole : field(message, BLACK_HOLE)) {
      if (heap.closures(AddressList.of(hole)).getFirst() instanceof Closure.BlackHole blackHole) {
        long indirectee = Target.untag(blackHole.indirectee());
        owners.add(indirectee);
        if (heap.closures(AddressList.of(indirectee)).getFirst()
            instanceof Closure.BlockingQueue queue) {
          owners.add(Target.untag(queue.owner()));
        }
      }
    }
    return owners;
  }

  /** For each MVar that is waited for, the threads from whose stacks it is near. */
  private Map<Long, Set<Long>> holders() {
    Map<Long, Set<Long>> holders = new HashMap<>();
    for (ThreadInfo thread : threads.values()) {
      if (thread.blockedOn().startsWith("MVar")) {
        holders.put(thread.blockedOnAddr(), new LinkedHashSet<>());
      }
    }
    if (!holders.isEmpty()) {
      stackPointers.forEach(
          (thread, pointers) -> {
            work.checkStopped();
            near(pointers).stream()
                .filter(holders::containsKey)
                .filter(variable -> threads.get(thread).blockedOnAddr() != variable)
                .forEach(variable -> holders.get(variable).add(thread));
          });
    }
    return holders;
  }

  private Set<Long> near(Set<Long> from) {
    Set<Long> all = new LinkedHashSet<>(from);
    Set<Long> level = from;
    for (int step = 0; step < MVAR_STEPS; step++) {
      Set<Long> next = new LinkedHashSet<>();
      for (@Nullable Closure closure : heap.closures(addresses(List.copyOf(level)))) {
        if (closure instanceof Closure.Fun
            || closure instanceof Closure.Constr
            || closure instanceof Closure.Pap) {
          closure.edges().stream()
              .filter(edge -> edge.kind() != EdgeKind.SRT)
              .map(edge -> Target.untag(edge.pointer()))
              .filter(all::add)
              .forEach(next::add);
        }
      }
      level = next;
    }
    return all;
  }

  /** The shortest way along waits from a thread back to itself. */
  private List<Long> cycle(ThreadInfo start) {
    Map<Long, Long> cameFrom = new HashMap<>(); // TSO -> the one that waits for it
    List<Long> level = List.of(start.address());
    while (!level.isEmpty()) {
      List<Long> next = new ArrayList<>();
      for (long waiting : level) {
        for (long awaited : waits(waiting)) {
          if (awaited == start.address()) {
            return path(cameFrom, waiting, start.address());
          }
          if (cameFrom.putIfAbsent(awaited, waiting) == null) {
            next.add(awaited);
          }
        }
      }
      level = next;
    }
    return List.of();
  }

  private long[] waits(long thread) {
    ThreadInfo info = threads.get(thread);
    return info == null ? new long[0] : info.waitsFor().toArray();
  }

  private List<Long> path(Map<Long, Long> cameFrom, long last, long start) {
    List<Long> ids = new ArrayList<>();
    for (long thread = last; thread != start; thread = cameFrom.getOrDefault(thread, start)) {
      ids.add(threads.get(thread).id());
    }
    ids.add(threads.get(start).id());
    return ids.reversed();
  }
}
