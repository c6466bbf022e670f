package org.ghcdebug.protocol.closure;

import java.util.ArrayList;
import java.util.List;

/** Lists the references of decoded closures. */
final class EdgeCollector {
  private final List<Edge> edges = new ArrayList<>();

  private EdgeCollector() {}

  static List<Edge> edges(Closure closure) {
    EdgeCollector collector = new EdgeCollector();
    collector.addUnlessZero(EdgeKind.SRT, 0, closure.info().srtAddr());
    collector.addFields(closure);
    return List.copyOf(collector.edges);
  }

  private void addFields(Closure closure) {
    switch (closure) {
      case Closure.Constr(_, Words pointers, _) -> addAll(EdgeKind.PAYLOAD, pointers);
      case Closure.Fun(_, Words pointers, _) -> addAll(EdgeKind.PAYLOAD, pointers);
      case Closure.Thunk(_, Words pointers, _) -> addAll(EdgeKind.PAYLOAD, pointers);
      case Closure.Prim(_, Words pointers, _) -> addAll(EdgeKind.PAYLOAD, pointers);
      case Closure.Selector(_, long selectee) -> add(EdgeKind.SELECTEE, 0, selectee);
      case Closure.Pap(_, _, long fun, Slots arguments) -> {
        add(EdgeKind.FUN, 0, fun);
        addPointers(EdgeKind.ARGUMENT, 0, arguments);
      }
      case Closure.Ap(_, _, long fun, Slots arguments) -> {
        add(EdgeKind.FUN, 0, fun);
        addPointers(EdgeKind.ARGUMENT, 0, arguments);
      }
      case Closure.ApStack(_, long fun, FrameList frames) -> {
        add(EdgeKind.FUN, 0, fun);
        addFrames(frames);
      }
      case Closure.Bco(_, long instructions, long literals, long pointers, _, _) -> {
        add(EdgeKind.BCO_INSTRUCTIONS, 0, instructions);
        add(EdgeKind.BCO_LITERALS, 0, literals);
        add(EdgeKind.BCO_POINTERS, 0, pointers);
      }
      case Closure.Ind(_, long indirectee) -> add(EdgeKind.INDIRECTEE, 0, indirectee);
      case Closure.BlackHole(_, long indirectee) -> add(EdgeKind.INDIRECTEE, 0, indirectee);
      case Closure.BlockingQueue(_, long link, long blackHole, long owner, long queue) -> {
        add(EdgeKind.BLOCKING_QUEUE_LINK, 0, link);
        add(EdgeKind.BLOCKING_QUEUE_BLACK_HOLE, 0, blackHole);
        add(EdgeKind.BLOCKING_QUEUE_OWNER, 0, owner);
        add(EdgeKind.BLOCKING_QUEUE_QUEUE, 0, queue);
      }
      case Closure.MVar(_, long head, long tail, long value) -> {
        add(EdgeKind.MVAR_HEAD, 0, head);
        add(EdgeKind.MVAR_TAIL, 0, tail);
        add(EdgeKind.MVAR_VALUE, 0, value);
      }
      case Closure.TVar(_, long currentValue, long watchQueue, _) -> {
        add(EdgeKind.TVAR_VALUE, 0, currentValue);
        add(EdgeKind.TVAR_WATCH_QUEUE, 0, watchQueue);
      }
      case Closure.MutVar(_, long value) -> add(EdgeKind.MUT_VAR_VALUE, 0, value);
      case Closure.MutArrPtrs(_, Words elements, _) -> addAll(EdgeKind.ELEMENT, elements);
      case Closure.SmallMutArrPtrs(_, Words elements) -> addAll(EdgeKind.ELEMENT, elements);
      case Closure.Weak(_, long cFinalizers, long key, long value, long finalizer, long link) -> {
        add(EdgeKind.WEAK_C_FINALIZERS, 0, cFinalizers);
        add(EdgeKind.WEAK_KEY, 0, key);
        add(EdgeKind.WEAK_VALUE, 0, value);
        add(EdgeKind.WEAK_FINALIZER, 0, finalizer);
        addUnlessZero(EdgeKind.WEAK_LINK, 0, link);
      }
      case Closure.Tso tso -> {
        add(EdgeKind.TSO_LINK, 0, tso.link());
        add(EdgeKind.TSO_STACK, 0, tso.stack());
        if (tso.blockReason().hasPointer()) {
          add(EdgeKind.TSO_BLOCK_INFO, 0, tso.blockInfo());
        }
        add(EdgeKind.TSO_TREC, 0, tso.transaction());
        addUnlessZero(EdgeKind.TSO_LABEL, 0, tso.label());
        add(EdgeKind.TSO_BLOCKED_EXCEPTIONS, 0, tso.blockedExceptions());
        add(EdgeKind.TSO_BLOCKING_QUEUES, 0, tso.blockingQueues());
      }
      case Closure.Stack stack -> addFrames(stack.frames());
      case Closure.Continuation continuation -> addFrames(continuation.frames());
      case Closure.TrecChunk(_, long previous, List<Closure.TrecEntry> entries) -> {
        add(EdgeKind.TREC_PREVIOUS, 0, previous);
        for (int i = 0; i < entries.size(); i++) {
          add(EdgeKind.TREC_TVAR, i, entries.get(i).tvar());
          add(EdgeKind.TREC_EXPECTED, i, entries.get(i).expectedValue());
          add(EdgeKind.TREC_NEW, i, entries.get(i).newValue());
        }
      }
      case Closure.Unknown(_, Words pointers, _, _) -> addAll(EdgeKind.PAYLOAD, pointers);
      case Closure.ArrWords _, Closure.CompactNfData _ -> {}
    }
  }

  private void addFrames(FrameList frames) {
    for (StackFrame frame : frames.frames()) {
      int index = frame.wordIndex();
      addUnlessZero(EdgeKind.SRT, index, frame.info().srtAddr());
      switch (frame) {
        case StackFrame.Fun(_, long fun, Slots arguments) -> {
          add(EdgeKind.FUN, index + 2, fun);
          addPointers(EdgeKind.STACK_SLOT, index + 3, arguments);
        }
        case StackFrame.Bco(_, long bco, Slots slots) -> {
          add(EdgeKind.STACK_SLOT, index + 1, bco);
          addPointers(EdgeKind.STACK_SLOT, index + 2, slots);
        }
        case StackFrame.Underflow(_, Slots slots) ->
            addPointers(EdgeKind.STACK_NEXT_CHUNK, index + 1, slots);
        case StackFrame.Return _,
            StackFrame.Update _,
            StackFrame.Catch _,
            StackFrame.Stop _,
            StackFrame.Atomically _,
            StackFrame.CatchRetry _,
            StackFrame.CatchStm _,
            StackFrame.Annotation _ ->
            addPointers(EdgeKind.STACK_SLOT, index + 1, frame.slots());
      }
    }
  }

  private void addAll(EdgeKind kind, Words pointers) {
    for (int i = 0; i < pointers.size(); i++) {
      add(kind, i, pointers.get(i));
    }
  }

  /** Adds those of the slots that are pointers; slot 0 has the given index. */
  private void addPointers(EdgeKind kind, int firstIndex, Slots slots) {
    for (int i = 0; i < slots.words().size(); i++) {
      if (slots.pointers().isPointer(i)) {
        add(kind, firstIndex + i, slots.words().get(i));
      }
    }
  }

  private void addUnlessZero(EdgeKind kind, int index, long pointer) {
    if (pointer != 0) {
      add(kind, index, pointer);
    }
  }

  private void add(EdgeKind kind, int index, long pointer) {
    edges.add(new Edge(kind, index, pointer));
  }
}
