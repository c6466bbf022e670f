package org.ghcdebug.repl.command.verb;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.analysis.typegraph.TypeGraph;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Which types refer to which. */
@Command(
    name = "typegraph",
    header = "Show which types refer to which, and how often.",
    description = {
      "",
      "bytes are the sizes of what is referred to, added up over all references. With --since the",
      "rows come by growth since an earlier heap of the program: the ends of a growing structure",
      "first."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug typegraph app.sock --top 30",
      "  ghc-debug typegraph app.sock --since before.snapshot --by closure"
    })
final class ShowTypeGraph implements Verb {
  private record Row(TypeGraph.Edge edge, @Nullable Long growth) {}

  private record Totals(long references) {}

  private static final Shape<Row, Totals> SHAPE =
      Shape.table(
          "typegraph",
          List.<Column<Row>>of(
              new Column.Text<>("from", row -> row.edge().from()),
              new Column.Text<>("to", row -> row.edge().to()),
              new Column.Count<>("references", row -> row.edge().references()),
              new Column.Bytes<>("bytes", row -> row.edge().bytes()),
              new Column.Count<>("growth", Row::growth)),
          List.<Column<Totals>>of(new Column.Count<>("references", Totals::references)));

  @Option(
      names = "--by",
      paramLabel = "KEY",
      description = "constructor (unless given), type, closure, module, package or source.")
  private CensusKey key = CensusKey.CONSTRUCTOR;

  @Option(
      names = "--since",
      paramLabel = "TARGET",
      description = "An earlier heap; growth counts the references more than there.")
  private @Nullable String since;

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
    TypeGraph now = fold(view, session.work());
    Map<List<String>, Long> before = new HashMap<>();
    if (since != null) {
      session
          .at(since, (Debuggee other) -> fold(other.view(session.work()), session.work()))
          .edges()
          .forEach(edge -> before.put(List.of(edge.from(), edge.to()), edge.references()));
    }
    List<Row> rows =
        now.edges().stream()
            .map(
                edge ->
                    new Row(
                        edge,
                        since == null
                            ? null
                            : (Long)
                                (edge.references()
                                    - before.getOrDefault(List.of(edge.from(), edge.to()), 0L))))
            .sorted(
                (a, b) ->
                    a.growth() == null || b.growth() == null
                        ? 0
                        : Long.compare(b.growth(), a.growth()))
            .toList();
    return View.of(
        SHAPE,
        rows,
        Completeness.of(view.tally(session.work()).missing(), new Totals(now.references())));
  }

  private TypeGraph fold(HeapView view, Work work) {
    view.heap()
        .prefetchNames(view.tally(work).entries().stream().map(HeapTally.Entry::info).toList());
    return Answers.orUsage(
        "typegraph --by " + key,
        () -> TypeGraph.of(view.graph(work), info -> key.of(info, view.heap()), work));
  }
}
