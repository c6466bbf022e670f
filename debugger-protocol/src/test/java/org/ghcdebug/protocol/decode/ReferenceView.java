package org.ghcdebug.protocol.decode;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.ProfilingHeader;
import org.ghcdebug.protocol.closure.Slots;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.closure.StackFrame;
import org.ghcdebug.protocol.closure.TsoFlag;
import org.ghcdebug.protocol.closure.Words;
import org.jspecify.annotations.Nullable;

/**
 * Our closures as the Haskell client 0.7 shows its own.
 *
 * <p>It leaves out the last frame of every stack: STOP_FRAME, or the frame that keeps the result of
 * a finished thread and which the RTS's collector follows like any other (scavenge_stack,
 * rts/sm/Scav.c).
 */
final class ReferenceView {
  private final RecordedHeap heap;

  ReferenceView(RecordedHeap heap) {
    this.heap = heap;
  }

  /** What Haskell's {@code show} gives for the closure. */
  String show(Closure closure) {
    return switch (closure) {
      case Closure.Constr(_, Words pointers, Words nonPointers) -> {
        ConstructorName name =
            Objects.requireNonNull(heap.names.get(closure.info().address().address()));
        yield closure(
            "Constr",
            closure,
            payload(pointers, nonPointers),
            "constrDesc = ConstrDesc {pkg = %s, modl = %s, name = %s}"
                .formatted(string(name.unit()), string(name.module()), string(name.name())));
      }
      case Closure.Fun(_, Words pointers, Words nonPointers) ->
          closure("Fun", closure, srt(closure.info()), payload(pointers, nonPointers));
      case Closure.Thunk(_, Words pointers, Words nonPointers) ->
          closure("Thunk", closure, srt(closure.info()), payload(pointers, nonPointers));
      case Closure.Prim(_, Words pointers, Words nonPointers) ->
          closure(
              closure.info().typeNumber() == 50 ? "Prim" : "MutPrim",
              closure,
              payload(pointers, nonPointers));
      case Closure.Selector(_, long selectee) ->
          closure("Selector", closure, "selectee = " + pointer(selectee));
      case Closure.Pap(_, int arity, long fun, Slots arguments) ->
          closure(
              "PAP",
              closure,
              "arity = " + arity,
              "n_args = " + arguments.words().size(),
              "fun = " + pointer(fun),
              "pap_payload = GenPapPayload {getValues = " + slots(arguments) + "}");
      case Closure.Ind(_, long indirectee) ->
          closure("Ind", closure, "indirectee = " + pointer(indirectee));
      case Closure.BlackHole(_, long indirectee) ->
          closure("Blackhole", closure, "indirectee = " + pointer(indirectee));
      case Closure.BlockingQueue(_, long link, long blackHole, long owner, long queue) ->
          closure(
              "BlockingQueue",
              closure,
              "link = " + pointer(link),
              "blackHole = " + pointer(blackHole),
              "owner = " + pointer(owner),
              "queue = " + pointer(queue));
      case Closure.MVar(_, long head, long tail, long value) ->
          closure(
              "MVar",
              closure,
              "queueHead = " + pointer(head),
              "queueTail = " + pointer(tail),
              "value = " + pointer(value));
      case Closure.TVar(_, long value, long watchQueue, long updates) ->
          closure(
              "TVar",
              closure,
              "current_value = " + pointer(value),
              "tvar_watch_queue = " + pointer(watchQueue),
              "num_updates = " + updates);
      case Closure.MutVar(_, long value) -> closure("MutVar", closure, "var = " + pointer(value));
      case Closure.ArrWords(_, long bytes, Words data) ->
          closure("ArrWords", closure, "bytes = " + bytes, "arrWords = " + unsigned(data));
      case Closure.MutArrPtrs(_, Words elements, Words cards) ->
          closure(
              "MutArr",
              closure,
              "mccPtrs = " + elements.size(),
              "mccSize = " + (elements.size() + cards.size()),
              "mccPayload = " + pointers(elements));
      case Closure.SmallMutArrPtrs(_, Words elements) ->
          closure(
              "SmallMutArr",
              closure,
              "mccPtrs = " + elements.size(),
              "mccPayload = " + pointers(elements));
      case Closure.Weak(_, long cFinalizers, long key, long value, long finalizer, long link) ->
          closure(
              "Weak",
              closure,
              "cfinalizers = " + pointer(cFinalizers),
              "key = " + pointer(key),
              "value = " + pointer(value),
              "finalizer = " + pointer(finalizer),
              "mlink = " + maybePointer(link));
      case Closure.Tso tso -> tso(tso);
      case Closure.Stack stack ->
          closure(
              "Stack",
              closure,
              "stack_size = " + stack.areaWords(),
              "stack_dirty = " + stack.dirty(),
              "stack_marking = " + stack.marking(),
              "frames = GenStackFrames {getFrames = "
                  + list(
                      Math.max(0, stack.frames().frames().size() - 1),
                      i -> frame(stack.frames().frames().get(i)))
                  + "}");
      case Closure.TrecChunk(_, long previous, List<Closure.TrecEntry> entries) ->
          closure(
              "TRecChunk",
              closure,
              "prev_chunk = " + pointer(previous),
              "next_idx = " + entries.size(),
              "entries = " + list(entries.size(), i -> trecEntry(entries.get(i))));
      case Closure.Ap _,
          Closure.ApStack _,
          Closure.Bco _,
          Closure.Continuation _,
          Closure.CompactNfData _,
          Closure.Unknown _ ->
          throw new AssertionError("the recordings contain no such closure: " + closure);
    };
  }

  private String tso(Closure.Tso tso) {
    return closure(
        "TSO",
        tso,
        "_link = " + pointer(tso.link()),
        "global_link = " + pointer(tso.globalLink()),
        "tsoStack = " + pointer(tso.stack()),
        "trec = " + pointer(tso.transaction()),
        "blocked_exceptions = " + pointer(tso.blockedExceptions()),
        "bq = " + pointer(tso.blockingQueues()),
        "threadLabel = " + maybePointer(tso.label()),
        "what_next = "
            + switch (tso.whatNext()) {
              case RUN_COMPILED -> "ThreadRunGHC";
              case RUN_INTERPRETED -> "ThreadInterpret";
              case KILLED -> "ThreadKilled";
              case COMPLETE -> "ThreadComplete";
              case UNKNOWN -> "?";
            },
        "why_blocked = "
            + switch (tso.blockReason()) {
              case NOT_BLOCKED -> "NotBlocked";
              case MVAR -> "BlockedOnMVar";
              case MVAR_READ -> "BlockedOnMVarRead";
              case BLACK_HOLE -> "BlockedOnBlackHole";
              case STM -> "BlockedOnSTM";
              case FOREIGN_CALL -> "BlockedOnCCall";
              case THROW_TO -> "BlockedOnMsgThrowTo";
              default -> "?";
            },
        "flags = " + flags(tso.flagBits()),
        "threadId = " + tso.id(),
        "saved_errno = " + tso.savedErrno(),
        "dirty = " + tso.dirty(),
        "alloc_limit = " + tso.allocationLimitBytes(),
        "tot_stack_size = " + tso.stackWords(),
        "prof = Nothing");
  }

  /** As the client lists them. */
  static String flags(int bits) {
    return TsoFlag.ofBits(bits).stream()
        .map(
            flag ->
                switch (flag) {
                  case LOCKED -> "TsoLocked";
                  case BLOCKS_EXCEPTIONS -> "TsoBlockx";
                  case INTERRUPTIBLE -> "TsoInterruptible";
                  case STOPPED_ON_BREAKPOINT -> "TsoStoppedOnBreakpoint";
                  case MARKED -> "TsoMarked";
                  case SQUEEZED -> "TsoSqueezed";
                  case ALLOCATION_LIMIT -> "TsoAllocLimit";
                  case STOP_NEXT_BREAKPOINT, STOP_AFTER_RETURN -> "?";
                })
        .collect(Collectors.joining(",", "[", "]"));
  }

  private String frame(StackFrame frame) {
    return "DebugStackFrame {frame_info = %s, frame_%s, values = %s}"
        .formatted(table(frame.info()), srt(frame.info()), slots(frame.slots()));
  }

  private static String trecEntry(Closure.TrecEntry entry) {
    return "TRecEntry {tvar = %s, expected_value = %s, new_value = %s, trec_num_updates = %d}"
        .formatted(
            pointer(entry.tvar()),
            pointer(entry.expectedValue()),
            pointer(entry.newValue()),
            entry.updates());
  }

  private String closure(String name, Closure closure, String... fields) {
    return "%sClosure {info = %s, profHeader = %s, %s}"
        .formatted(
            name, table(closure.info()), profiling(closure.profiling()), String.join(", ", fields));
  }

  private static String profiling(@Nullable ProfilingHeader header) {
    return header == null
        ? "Nothing"
        : "Just (ProfHeader {ccs = %s, hp = OtherHeader %s})"
            .formatted(pointer(header.ccs().address()), Long.toUnsignedString(header.word()));
  }

  private static String table(InfoTable info) {
    return ("StgInfoTableWithPtr {tableId = %s, decodedTable = "
            + "StgInfoTable {ptrs = %d, nptrs = %d, tipe = %s, srtlen = %d}}")
        .formatted(
            pointer(info.address().address()),
            info.layout() & 0xffff_ffffL,
            info.layout() >>> 32,
            info.type(),
            info.srtField());
  }

  private String srt(InfoTable info) {
    return "srt = GenSrtPayload {getSrt = " + maybePointer(info.srtAddr()) + "}";
  }

  private static String payload(Words pointers, Words nonPointers) {
    return "ptrArgs = " + pointers(pointers) + ", dataArgs = " + unsigned(nonPointers);
  }

  private static String slots(Slots slots) {
    return list(
        slots.words().size(),
        i ->
            slots.pointers().isPointer(i)
                ? "SPtr " + pointer(slots.words().get(i))
                : "SNonPtr " + Long.toUnsignedString(slots.words().get(i)));
  }

  private static String pointers(Words words) {
    return list(words.size(), i -> pointer(words.get(i)));
  }

  private static String unsigned(Words words) {
    return list(words.size(), i -> Long.toUnsignedString(words.get(i)));
  }

  private static String list(int size, IntFunction<String> element) {
    return IntStream.range(0, size).mapToObj(element).collect(Collectors.joining(",", "[", "]"));
  }

  private static String maybePointer(long pointer) {
    return pointer == 0 ? "Nothing" : "Just " + pointer(pointer);
  }

  private static String pointer(long pointer) {
    return "0x" + Long.toHexString(pointer & ~7L);
  }

  /** A Haskell string literal. */
  private static String string(String text) {
    StringBuilder literal = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            character -> {
              if (character == '"' || character == '\\') {
                literal.append('\\').appendCodePoint(character);
              } else if (character < 128) {
                literal.appendCodePoint(character);
              } else {
                literal.append('\\').append(character);
              }
            });
    return literal.append('"').toString();
  }

  static String show(@Nullable SourceInfo source) {
    return source == null
        ? "Nothing"
        : ("Just (SourceInformation {infoName = %s, infoClosureType = %s, infoType = %s,"
                + " infoLabel = %s, infoModule = %s, infoPosition = %s})")
            .formatted(
                string(source.tableName()),
                ClosureType.ofNumber(source.closureTypeNumber()),
                string(source.typeDescription()),
                string(source.label()),
                string(source.module()),
                // The client keeps the colon between an empty file and an empty span.
                string(source.position().isEmpty() ? ":" : source.position()));
  }

  /**
   * The references that the client lists as children, in its order, untagged. It differs from ours
   * in threads, where it lists the next of all threads, which is not kept alive, and leaves out
   * what the thread is blocked on; and in the last frame of stacks, see above.
   */
  static List<Long> children(Closure closure) {
    List<Long> children = new ArrayList<>();
    int lastFrame =
        closure instanceof Closure.Stack stack && !stack.frames().frames().isEmpty()
            ? stack.frames().frames().getLast().wordIndex()
            : Integer.MAX_VALUE;
    for (Edge edge : closure.edges()) {
      switch (edge.kind()) {
        case TSO_LINK -> {
          children.add(edge.target().address());
          children.add(((Closure.Tso) closure).globalLink());
        }
        case TSO_BLOCK_INFO, TSO_LABEL -> {}
        default -> {
          if (edge.index() < lastFrame && !(edge.kind() == EdgeKind.SRT && edge.index() > 0)) {
            children.add(edge.target().address());
          }
        }
      }
    }
    if (closure instanceof Closure.Tso tso && tso.label() != 0) {
      children.add(tso.label());
    }
    return children;
  }
}
