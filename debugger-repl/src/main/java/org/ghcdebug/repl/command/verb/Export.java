package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.ghcdebug.client.export.GraphFormat;
import org.ghcdebug.client.export.PropertyGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Rows;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Part of the heap as a graph for other tools. */
@Command(
    name = "export",
    header = "Write part of the heap as a graph for Graphviz, yEd, Gephi and the like.",
    description = {
      "",
      "references: closures, nearest to --from first, with the fields that refer to one another.",
      "dominators: closures that retain most, each below the one that keeps it alive by itself.",
      "types: which constructors refer to which, those with most references first.",
      "",
      "Closures are labeled by constructor or binding and size; full names, addresses and retained",
      "sizes are their properties (in dot, tooltips). hidden counts references that are not drawn."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug export app.sock --as dot --from Main.Server --depth 4 -o heap.dot",
      "  ghc-debug export app.sock --as graphml --graph dominators --limit 500 -o heap.graphml",
      "  export --as dot --from $1 | dot -Tsvg > heap.svg"
    })
final class Export implements Verb {
  /** What is drawn. */
  enum Graph {
    REFERENCES,
    DOMINATORS,
    TYPES
  }

  private record Totals(long nodes, long edges) {}

  private static final Shape<String, Totals> SHAPE =
      new Shape<>(
          "export",
          new Layout.Verbatim<>(line -> line),
          List.of(new Column.Text<>("text", line -> line)),
          List.of(
              new Column.Count<>("nodes", Totals::nodes),
              new Column.Count<>("edges", Totals::edges)));

  @Option(
      names = "--as",
      paramLabel = "FORMAT",
      required = true,
      description = "dot (Graphviz), graphml or gml.")
  private GraphFormat format = GraphFormat.DOT;

  @Option(
      names = "--graph",
      paramLabel = "GRAPH",
      description = "references (unless given), dominators or types.")
  private Graph graph = Graph.REFERENCES;

  @Option(
      names = "--from",
      paramLabel = "EXPR|ADDR",
      description = "Begin at these closures instead of the roots.")
  private @Nullable String from;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Follow references to this depth; 3 unless given. Not for types.")
  private int depth = 3;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Draw at most N closures, or references between types; 200 unless given.")
  private int limit = 200;

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
    if (depth < 0 || limit < 1) {
      throw new UsageException("export: --depth must be at least 0 and --limit at least 1");
    }
    Work work = session.work();
    var reading = new GraphReading(session.view(), work);
    BitSet starts = starts(reading, work);
    var drawing = new Drawing(reading, depth, limit);
    PropertyGraph drawn =
        switch (graph) {
          case REFERENCES -> drawing.references(starts, work);
          case DOMINATORS -> drawing.dominators(session.view().retainedSizes(work), starts);
          case TYPES -> drawing.types(starts, work);
        };
    List<String> lines = new ArrayList<>();
    format.write(drawn, lines::add);
    Summary<Totals> summary =
        Completeness.of(
            reading.graph().missing(), new Totals(drawn.nodes().size(), drawn.edges().size()));
    return new View<>(SHAPE, new Rows.Listed<>(lines), () -> withCut(summary, drawing.leftOut()));
  }

  /** The closures to begin at; null for the roots. */
  private @Nullable BitSet starts(GraphReading reading, Work work) {
    if (from == null) {
      return null;
    }
    Optional<Address> address = Address.find(from);
    if (address.isPresent()) {
      var one = new BitSet();
      one.set(reading.require(address.get()));
      return one;
    }
    BitSet found = reading.select(Filters.parse(List.of(from)), work);
    if (found.isEmpty()) {
      throw new UsageException("export: no closure is alive that --from %s wants".formatted(from));
    }
    return found;
  }

  private Summary<Totals> withCut(Summary<Totals> summary, long leftOut) {
    if (leftOut == 0) {
      return summary;
    }
    List<String> warnings = new ArrayList<>(summary.warnings());
    warnings.add(
        "%s or more %s are left out; --limit N draws more"
            .formatted(
                Values.count(leftOut), graph == Graph.TYPES ? "pairs of types" : "closures"));
    return Summary.of(false, warnings, summary.totals());
  }
}
