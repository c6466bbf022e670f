package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Where the garbage collector starts. */
@Command(
    name = "roots",
    header = "List the roots of the heap: threads, stable names and stable pointers.",
    footer = {"", "Example:", "  ghc-debug roots app.sock --top 10"})
final class Roots implements Verb {
  private static final Shape<ClosureRow, Void> SHAPE = Shape.table("roots", ClosureRow.COLUMNS);

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
    List<ClosureRow> rows = ClosureRow.list(heap, heap.roots(), where.lazily(view, session.work()));
    return View.of(SHAPE, rows, ClosureRow.summary(rows));
  }
}
