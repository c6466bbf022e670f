package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.client.analysis.retainer.RetainerPaths;
import org.ghcdebug.client.analysis.retainer.Retainers;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.ShortestPaths;
import org.ghcdebug.client.query.Filter;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What keeps closures alive. */
@Command(
    name = "retainers",
    header = "Show what keeps closures alive: the shortest ways to them from the roots.",
    description = {
      "",
      "Ways through closures of the same kinds are shown once, with how many closures they lead"
          + " to;",
      "x7 is a run of seven closures of one kind, such as the cells of a list. What begins alike"
          + " is",
      "shown once, from the root down. Weak pointers are not followed."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug retainers app.sock Main.Session",
      "  ghc-debug retainers app.sock 'type = THUNK' --not-through 'module = Main'",
      "  ghc-debug retainers app.sock Text --from Main.Cache"
    })
final class FindRetainers implements Verb {
  /** One closure of a way, or a run of closures of one kind. */
  record Step(
      long address,
      String closure,
      String type,
      @Nullable String source,
      long times,
      @Nullable String root) {}

  /**
   * Ways that are alike.
   *
   * @param path one of them, from the closure asked for to the root
   * @param text what is new in it below the row before, from the root down
   */
  record Row(List<Step> path, long count, long bytes, String text) {}

  /** Sums over all rows. */
  record Totals(long count, long bytes) {}

  private static final Shape<Row, Totals> SHAPE =
      new Shape<>(
          "retainers",
          new Layout.Lines<>(Row::text, "none"),
          List.<Column<Row>>of(
              new Column.Records<>(
                  "path",
                  List.<Column<Step>>of(
                      new Column.Address<>("address", Step::address),
                      new Column.Text<>("closure", Step::closure),
                      new Column.Text<>("type", Step::type),
                      new Column.Text<>("source", Step::source),
                      new Column.Count<>("times", Step::times),
                      new Column.Text<>("root", Step::root)),
                  Row::path),
              new Column.Count<>("count", Row::count),
              new Column.Bytes<>("bytes", Row::bytes)),
          List.of(
              new Column.Count<>("count", Totals::count),
              new Column.Bytes<>("bytes", Totals::bytes)));

  @Parameters(arity = "1..*", paramLabel = "EXPR", description = "The closures asked for.")
  private List<String> expression = List.of();

  @Option(
      names = "--from",
      paramLabel = "EXPR",
      description = "Show ways from these closures instead of ways from the roots.")
  private @Nullable String from;

  @Option(
      names = "--not-through",
      paramLabel = "EXPR",
      description = "Show ways that do not lead through these closures.")
  private @Nullable String notThrough;

  @Option(
      names = {"--top", "--limit"},
      paramLabel = "N",
      description = "Show at most N kinds of ways, those of most bytes; 20 unless given.")
  private int limit = 20;

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
    if (limit < 1) {
      throw new UsageException("retainers: --top must be at least 1");
    }
    Filter wanted = Filters.parse(expression);
    Filter start = from == null ? null : Filters.parse(List.of(from));
    Filter avoided = notThrough == null ? null : Filters.parse(List.of(notThrough));
    Work work = session.work();
    var reading = new GraphReading(session.view(), work);
    HeapGraph graph = reading.graph();
    BitSet targets = reading.select(wanted, work);
    var search =
        new ShortestPaths.Search(
            targets, avoided == null ? new BitSet() : reading.select(avoided, work));
    ShortestPaths paths =
        start == null
            ? ShortestPaths.fromRoots(graph, search, work)
            : ShortestPaths.from(
                graph, reading.select(start, work).stream().toArray(), search, work);
    RetainerPaths found = Retainers.of(graph, reading::kind, paths, targets, work);
    List<Row> rows = rows(reading, found.paths());
    return View.of(SHAPE, rows, summary(graph, found));
  }

  private Summary<Totals> summary(HeapGraph graph, RetainerPaths found) {
    var totals =
        new Totals(
            found.paths().stream().mapToLong(RetainerPaths.Path::count).sum(),
            found.paths().stream().mapToLong(RetainerPaths.Path::bytes).sum());
    Summary<Totals> missing = Completeness.of(graph.missing(), totals);
    var warnings = new ArrayList<>(missing.warnings());
    if (found.unheldCount() > 0) {
      warnings.add(
          "no such way leads to %s closures of %s"
              .formatted(Values.count(found.unheldCount()), Values.bytes(found.unheldBytes())));
    }
    int more = found.paths().size() - limit;
    if (more > 0) {
      warnings.add(
          "%s more kinds of ways are left out; --top N shows more".formatted(Values.count(more)));
    }
    return Summary.of(missing.complete() && more <= 0, warnings, totals);
  }

  /** A step that several ways have in common, seen from the root. */
  private static final class Node {
    private final Map<String, Node> below = new LinkedHashMap<>(); // what it is -> the next step
    private RetainerPaths.@Nullable Path path; // that ends here
    private long bytes;
  }

  private List<Row> rows(GraphReading reading, List<RetainerPaths.Path> paths) {
    var top = new Node();
    for (RetainerPaths.Path path : paths.subList(0, Math.min(limit, paths.size()))) {
      Node node = top;
      for (RetainerPaths.Step step : path.steps().reversed()) {
        node.bytes += path.bytes();
        node = node.below.computeIfAbsent(key(reading, node == top, step), _ -> new Node());
      }
      node.bytes += path.bytes();
      node.path = path;
    }
    var rows = new ArrayList<Row>();
    addRows(reading, top, 0, new int[] {0}, rows);
    return rows;
  }

  private static String key(GraphReading reading, boolean isRoot, RetainerPaths.Step step) {
    int kind = reading.kind(reading.graph().infoId(step.closureId()));
    return isRoot ? reading.rootKinds(step.closureId()) + " " + kind : " " + kind;
  }

  /**
   * @param depth steps above the node
   * @param shown how many of them the row before shows already
   */
  private static void addRows(
      GraphReading reading, Node node, int depth, int[] shown, List<Row> rows) {
    RetainerPaths.Path path = node.path;
    if (path != null) {
      rows.add(row(reading, path, shown[0]));
      shown[0] = depth;
    }
    node.below.values().stream()
        .sorted(Comparator.comparingLong((Node below) -> below.bytes).reversed())
        .forEach(
            below -> {
              shown[0] = Math.min(shown[0], depth);
              addRows(reading, below, depth + 1, shown, rows);
            });
  }

  private static Row row(GraphReading reading, RetainerPaths.Path path, int shown) {
    var steps = new ArrayList<Step>();
    for (RetainerPaths.Step step : path.steps()) {
      int id = step.closureId();
      boolean isLast = steps.size() == path.steps().size() - 1;
      steps.add(
          new Step(
              reading.graph().address(id),
              reading.name(id),
              reading.type(id),
              reading.source(id),
              step.times(),
              isLast ? reading.rootKinds(id) : null));
    }
    var text = new StringBuilder();
    for (int depth = shown; depth < steps.size(); depth++) {
      Step step = steps.get(steps.size() - 1 - depth);
      text.append(text.isEmpty() ? "" : "\n").append("  ".repeat(depth));
      if (step.root() != null) {
        text.append(step.root()).append(": ");
      }
      text.append(step.closure()).append(step.times() > 1 ? " x" + step.times() : "");
      text.append("  ").append(Values.address(step.address()));
    }
    text.append(
        "  <- %s closures, %s".formatted(Values.count(path.count()), Values.bytes(path.bytes())));
    return new Row(steps, path.count(), path.bytes(), text.toString());
  }
}
