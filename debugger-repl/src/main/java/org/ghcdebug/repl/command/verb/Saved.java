package org.ghcdebug.repl.command.verb;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What the program has registered. */
@Command(
    name = "saved",
    header = "List the closures that the program saved for the debugger (saveClosures).",
    footer = {"", "Example:", "  saved", "  print $1"})
final class Saved implements Verb {
  private static final Shape<ClosureRow, Void> SHAPE =
      Shape.table("saved", ClosureRow.NAMED_COLUMNS);

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
    AddressList saved = heap.savedObjects();
    List<String> savedNames = heap.savedObjectNames();
    Map<Long, String> names = new HashMap<>();
    for (int i = 0; i < saved.size(); i++) {
      String name = savedNames.get(i);
      if (!name.isEmpty()) {
        names.merge(saved.get(i), name, (one, other) -> one + ", " + other);
      }
    }
    List<ClosureRow> rows =
        ClosureRow.list(heap, saved, where.lazily(view, session.work())).stream()
            .map(row -> row.named(names.get(row.address())))
            .toList();
    return View.of(SHAPE, rows, ClosureRow.summary(rows));
  }
}
