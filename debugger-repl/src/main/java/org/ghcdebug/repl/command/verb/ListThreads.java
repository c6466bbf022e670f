package org.ghcdebug.repl.command.verb;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.ghcdebug.client.analysis.thread.ThreadInfo;
import org.ghcdebug.client.analysis.thread.Threads;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The program's threads. */
@Command(
    name = "threads",
    header = "List the threads: what they do, what they wait for, their stacks.",
    description = {
      "",
      "waitsFor are the threads of which one has to go on first, and cycle the threads that wait",
      "for each other in a circle. Who will fill an MVar is a guess: threads whose stacks lead to",
      "it, as withMVar's do."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug threads app.sock",
      "  ghc-debug threads app.sock --sort stackBytes --top 5"
    })
final class ListThreads implements Verb {
  /** A thread, and what to call those that it waits for. */
  private record Row(ThreadInfo thread, String waitsFor) {
    @Nullable String blockedOn() {
      return thread.blockedOn().isEmpty() ? null : thread.blockedOn();
    }

    @Nullable String cycle() {
      return thread.cycle().isEmpty()
          ? null
          : thread.cycle().stream().map(String::valueOf).collect(Collectors.joining(" → "))
              + " → "
              + thread.id();
    }
  }

  private record Totals(long threads, long frames, long stackBytes) {}

  private static final Shape<Row, Totals> SHAPE =
      Shape.table(
          "threads",
          List.<Column<Row>>of(
              new Column.Address<>("address", row -> row.thread().address()),
              new Column.Id<>("thread", row -> row.thread().id()),
              new Column.Text<>("label", row -> row.thread().label()),
              new Column.Text<>("state", row -> row.thread().state().label()),
              new Column.Text<>("blockedOn", Row::blockedOn),
              new Column.Address<>("blockedOnAddress", row -> row.thread().findBlockedOnAddr()),
              new Column.Text<>("waitsFor", Row::waitsFor),
              new Column.Text<>("cycle", Row::cycle),
              new Column.Count<>("frames", row -> row.thread().frames()),
              new Column.Bytes<>("stackBytes", row -> row.thread().stackBytes()),
              new Column.Text<>("top", row -> String.join(" < ", row.thread().topFrames()))),
          List.<Column<Totals>>of(
              new Column.Count<>("threads", Totals::threads),
              new Column.Count<>("frames", Totals::frames),
              new Column.Bytes<>("stackBytes", Totals::stackBytes)));

  @Mixin private WhereOption where = new WhereOption();

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
    HeapView view = session.view();
    ClosureSelection selection = where.lazily(view, session.work());
    List<ThreadInfo> all = Threads.of(view.heap(), session.work());
    Map<Long, ThreadInfo> byAddress =
        all.stream().collect(Collectors.toMap(ThreadInfo::address, Function.identity()));
    List<Row> rows =
        all.stream()
            .filter(thread -> Filters.wants(selection, view.heap().closure(thread.address())))
            .map(thread -> new Row(thread, names(thread, byAddress)))
            .toList();
    long incomplete = rows.stream().filter(row -> !row.thread().isStackComplete()).count();
    var totals =
        new Totals(
            rows.size(),
            rows.stream().mapToLong(row -> row.thread().frames()).sum(),
            rows.stream().mapToLong(row -> row.thread().stackBytes()).sum());
    return View.of(
        SHAPE,
        rows,
        Summary.of(
            incomplete == 0,
            incomplete == 0
                ? List.of()
                : List.of("%d stacks are not understood to their ends".formatted(incomplete)),
            totals));
  }

  private static String names(ThreadInfo thread, Map<Long, ThreadInfo> byAddress) {
    return LongStream.of(thread.waitsFor().toArray())
        .mapToObj(byAddress::get)
        .map(other -> other.id() + (other.label().isEmpty() ? "" : " \"" + other.label() + "\""))
        .collect(Collectors.joining(", "));
  }
}
