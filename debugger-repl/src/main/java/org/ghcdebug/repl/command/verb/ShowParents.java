package org.ghcdebug.repl.command.verb;

import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Rows;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What refers to a closure. */
@Command(
    name = "parents",
    header = "List the closures that refer to a closure.",
    description = {
      "",
      "The field is the one that refers to it. A root comes first in its own list, with its kind"
          + " for",
      "a field."
    },
    footer = {"", "Example:", "  ghc-debug parents app.sock 0x4200105010 --limit 10"})
final class ShowParents implements Verb {
  private static final Shape<ClosureRow, Void> SHAPE =
      Shape.table("parents", ClosureRow.REFERENCE_COLUMNS);

  @Parameters(paramLabel = "ADDR", description = "The closure.")
  private Address address = new Address(0);

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
    Work work = session.work();
    HeapView view = session.view();
    var reading = new GraphReading(view, work);
    HeapGraph graph = reading.graph();
    int id = reading.require(address);
    ClosureSelection wanted = where.lazily(view, work);
    String kinds = reading.rootKinds(id);
    Rows<ClosureRow> rows =
        sink -> {
          if (kinds != null
              && Filters.wants(wanted, view.heap().closure(graph.address(id)))
              && !sink.test(row(view.heap(), reading, kinds, id))) {
            return;
          }
          for (int parent : graph.predecessorsOf(id)) {
            work.checkStopped();
            Closure closure = view.heap().closure(graph.address(parent));
            if (Filters.wants(wanted, closure)
                && !sink.test(row(view.heap(), reading, reading.fields(parent, id), parent))) {
              return;
            }
          }
        };
    return new View<>(SHAPE, rows, () -> Completeness.of(graph.missing(), null));
  }

  private static ClosureRow row(Heap heap, GraphReading reading, String field, int id) {
    long addr = reading.graph().address(id);
    return ClosureRow.of(heap, field, Target.untag(addr), heap.closure(addr));
  }
}
