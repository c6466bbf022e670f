package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.FrameList;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.closure.StackFrame;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The frames of a stack, through all its chunks. */
@Command(
    name = "stack",
    header = "Show the stack frames of a thread, from the top down.",
    description = {
      "",
      "ADDR is a thread (TSO), a stack, a suspended computation (AP_STACK) or a continuation. With",
      "each frame comes the closure that it is about: the thunk under evaluation of an update",
      "frame, a handler, a function, else the first one that the frame keeps alive."
    },
    footer = {"", "Example:", "  ghc-debug stack app.sock 0x4200105010"})
final class ShowStack implements Verb {
  /**
   * @param address what the frame is about; null when it refers to nothing
   * @param code where its code comes from; null when the program does not say
   */
  record Row(
      String frame,
      @Nullable String code,
      @Nullable Long address,
      @Nullable String closure,
      long bytes,
      long frameAddress) {}

  /** Of all frames. */
  record Totals(long frames, long bytes) {}

  private static final Shape<Row, Totals> SHAPE =
      Shape.table(
          "stack",
          List.<Column<Row>>of(
              new Column.Text<>("frame", Row::frame),
              new Column.Text<>("code", Row::code),
              new Column.Address<>("address", Row::address),
              new Column.Text<>("closure", Row::closure),
              new Column.Bytes<>("bytes", Row::bytes),
              new Column.Address<>("frameAddress", Row::frameAddress)),
          List.<Column<Totals>>of(
              new Column.Count<>("frames", Totals::frames),
              new Column.Bytes<>("bytes", Totals::bytes)));

  @Parameters(paramLabel = "ADDR", description = "The thread or stack.")
  private Address address = new Address(0);

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
  }

  @Override
  public boolean needsTarget() {
    return true;
  }

  @Override
  public View<?, ?> run(Session session) {
    Heap heap = session.view().heap();
    var rows = new ArrayList<Row>();
    var warnings = new ArrayList<String>();
    Set<Long> chunks = new HashSet<>();
    long chunkAddr = ClosureRow.require(heap, address).address().address();
    while (chunkAddr != 0 && chunks.add(chunkAddr)) {
      session.work().checkStopped();
      Closure closure = heap.closure(chunkAddr);
      if (closure instanceof Closure.Tso thread) {
        chunkAddr = Target.untag(thread.stack());
        continue;
      }
      FrameList frames = frames(closure);
      addRows(heap, chunkAddr, frames.frames(), rows);
      if (!frames.isComplete()) {
        warnings.add("the stack is not understood to its end: " + frames.problem());
      }
      chunkAddr = nextChunk(frames);
    }
    long bytes = rows.stream().mapToLong(Row::bytes).sum();
    return View.of(
        SHAPE, rows, Summary.of(warnings.isEmpty(), warnings, new Totals(rows.size(), bytes)));
  }

  private static FrameList frames(Closure closure) {
    return switch (closure) {
      case Closure.Stack stack -> stack.frames();
      case Closure.ApStack suspended -> suspended.frames();
      case Closure.Continuation continuation -> continuation.frames();
      default ->
          throw new UsageException(
              "stack: there is a %s at %s; expected a TSO, STACK, AP_STACK or CONTINUATION"
                  .formatted(closure.info().type(), closure.address()));
    };
  }

  /** 0 at the end. */
  private static long nextChunk(FrameList frames) {
    return !frames.frames().isEmpty()
            && frames.frames().getLast() instanceof StackFrame.Underflow underflow
        ? Target.untag(underflow.nextChunk())
        : 0;
  }

  private static void addRows(Heap heap, long chunkAddr, List<StackFrame> frames, List<Row> rows) {
    long[] subjects = frames.stream().mapToLong(ShowStack::subject).toArray();
    List<@Nullable Closure> closures = ClosureRow.read(heap, AddressList.of(subjects));
    heap.prefetchNames(frames.stream().map(StackFrame::info).toList());
    for (int i = 0; i < subjects.length; i++) {
      StackFrame frame = frames.get(i);
      Closure closure = closures.get(i);
      rows.add(
          new Row(
              frame.info().type().toString(),
              code(heap, frame.info()),
              subjects[i] == 0 ? null : subjects[i],
              closure == null ? null : heap.displayName(closure),
              (long) frame.sizeWords() * Target.WORD_BYTES,
              chunkAddr + (long) frame.wordIndex() * Target.WORD_BYTES));
    }
  }

  /** The closure that a frame is about, untagged; 0 for none. */
  private static long subject(StackFrame frame) {
    return Target.untag(
        switch (frame) {
          case StackFrame.Fun fun -> fun.fun();
          case StackFrame.Bco bco -> bco.bco();
          default -> frame.slots().pointer(0);
        });
  }

  private static @Nullable String code(Heap heap, InfoTable info) {
    return heap.findCodeName(info)
        .map(
            name -> {
              String position = heap.findSourceInfo(info).map(SourceInfo::position).orElse("");
              return position.isEmpty() ? name : name + " (" + position + ")";
            })
        .orElse(null);
  }
}
