package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What a closure refers to. */
@Command(
    name = "children",
    header = "List the closures that a closure refers to.",
    footer = {"", "Example:", "  ghc-debug children app.sock 0x4200105010"})
final class ShowChildren implements Verb {
  private static final Shape<ClosureRow, Void> SHAPE =
      Shape.table("children", ClosureRow.REFERENCE_COLUMNS);

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
    HeapView view = session.view();
    Heap heap = view.heap();
    Closure closure = ClosureRow.require(heap, address);
    List<Edge> edges = heap.references(closure);
    ClosureSelection wanted = where.lazily(view, session.work());
    List<ClosureRow> rows = ClosureRow.references(heap, edges, wanted);
    return View.of(SHAPE, rows, ClosureRow.summary(rows));
  }
}
