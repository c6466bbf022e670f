package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.analysis.typegraph.TypeGraph;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which types refer to which. */
@Command(
    name = "typegraph",
    header = "Show which types refer to which, and how often.",
    description = {
      "",
      "bytes are the sizes of what is referred to, added up over all references. With --since the",
      "rows come by growth since an earlier heap of the program: the ends of a growing structure",
      "first, and last what is referred to less often, or no longer: references are 0 there.",
      "With --where only references from such closures count."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug typegraph app.sock --top 30",
      "  ghc-debug typegraph app.sock --since before.snapshot --by closure",
      "  ghc-debug typegraph app.sock --where 'module = Main'"
    })
final class ShowTypeGraph implements Verb {
  private record Row(TypeGraph.Edge edge, @Nullable Long growth) {
    long requireGrowth() {
      return Objects.requireNonNull(growth);
    }
  }

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
    TypeGraph now = fold(view, session.work());
    List<Row> rows =
        since == null
            ? now.edges().stream().map(edge -> new Row(edge, null)).toList()
            : grown(
                session.at(
                    since, (Debuggee other) -> fold(other.view(session.work()), session.work())),
                now);
    return View.of(
        SHAPE,
        rows,
        Completeness.of(view.tally(session.work()).missing(), new Totals(now.references())));
  }

  /** What changed, and what did not; what grew most comes first. */
  private static List<Row> grown(TypeGraph before, TypeGraph now) {
    Map<List<String>, Long> old = new LinkedHashMap<>(); // from and to -> references
    before.edges().forEach(edge -> old.put(ends(edge), edge.references()));
    List<Row> rows = new ArrayList<>();
    for (TypeGraph.Edge edge : now.edges()) {
      Long references = old.remove(ends(edge));
      rows.add(new Row(edge, edge.references() - (references == null ? 0 : references)));
    }
    old.forEach(
        (ends, references) ->
            rows.add(
                new Row(new TypeGraph.Edge(ends.getFirst(), ends.getLast(), 0, 0), -references)));
    rows.sort(Comparator.comparingLong(Row::requireGrowth).reversed());
    return rows;
  }

  private static List<String> ends(TypeGraph.Edge edge) {
    return List.of(edge.from(), edge.to());
  }

  private TypeGraph fold(HeapView view, Work work) {
    var reading = new GraphReading(view, work);
    return Answers.orUsage(
        "typegraph --by " + key,
        () ->
            TypeGraph.of(
                reading.graph(),
                info -> key.of(info, view.heap()),
                where.among(reading, work),
                work));
  }
}
