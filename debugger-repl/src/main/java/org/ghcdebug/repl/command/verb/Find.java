package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureCursor;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.query.Filter;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Rows;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Closures that a filter wants. */
@Command(
    name = "find",
    header = "List the closures that a filter wants.",
    description = {
      "",
      "A filter is a name, or comparisons joined by and, or, not and parentheses:",
      "",
      "  Map.Bin                        a constructor or binding, qualified or not",
      "  containers:Data.Map.Internal.Bin   in a package, with its version or without",
      "  <ARR_WORDS>                    a closure type",
      "  size > 1MiB and type = ARR_WORDS",
      "  source = leak.hs:77 or module ~ ^Data",
      "",
      "Comparisons are FIELD OP VALUE. Fields: type, constructor, name, module, package, source,",
      "size, retained, address, info, generation, ccs, era, text, root. OP is = != < <= > >= or ~,",
      "which finds a regular expression. Sizes take KiB, MiB and GiB. Quote what has blanks or",
      "parentheses in it; at the prompt also what has > or |."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug find app.sock Map.Bin --limit 10",
      "  ghc-debug find app.sock 'size > 64KiB and not type = STACK' --sort bytes",
      "  ghc-debug find app.sock 'text ~ ^ERROR' --json"
    })
final class Find implements Verb {
  private static final Shape<ClosureRow, Void> SHAPE = Shape.table("find", ClosureRow.COLUMNS);

  @Parameters(arity = "1..*", paramLabel = "EXPR", description = "The filter.")
  private List<String> expression = List.of();

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
    Filter filter = Filters.parse(expression);
    Work work = session.work();
    HeapView view = session.view();
    ClosureSelection selection = Filters.over(view, filter, work);
    Rows<ClosureRow> rows =
        sink ->
            view.copy(work).each(selection, closure -> sink.test(row(view.heap(), closure)), work);
    return new View<>(SHAPE, rows, () -> Completeness.of(view.tally(work).missing(), null));
  }

  private static ClosureRow row(Heap heap, ClosureCursor closure) {
    String name =
        closure.info().type() == ClosureType.TSO
            ? heap.displayName(heap.closure(closure.address()))
            : heap.displayName(closure.info());
    return new ClosureRow(
        null,
        closure.address(),
        name,
        closure.info().type().toString(),
        closure.sizeWords() * Target.WORD_BYTES);
  }
}
