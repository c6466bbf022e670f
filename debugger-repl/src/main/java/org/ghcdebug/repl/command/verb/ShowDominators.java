package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.ghcdebug.client.analysis.dominator.DominatorGroups;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What would be free if a closure went. */
@Command(
    name = "dominators",
    header = "List the closures that keep most of the heap alive by themselves.",
    description = {
      "",
      "A closure retains what could not be reached without it. Those at the top of the tree are",
      "listed, or with --at those directly below one of them; children says how many there are.",
      "",
      "With --by the rows are groups: closures of a constructor or module retain what their"
          + " members",
      "retain, each closure counted once. The groups' figures overlap.",
      "",
      "--where narrows the rows, or the members of the groups; the total is then what the closures",
      "that are left retain together."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug dominators app.sock --top 10",
      "  ghc-debug dominators app.sock --by module",
      "  dominators --at $1"
    })
final class ShowDominators implements Verb {
  /** What groups are made by. */
  enum Key {
    CONSTRUCTOR,
    MODULE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A closure; or a group, which has neither address nor children. */
  record Row(
      @Nullable Long address,
      String closure,
      @Nullable String type,
      long count,
      long shallowBytes,
      long retainedBytes,
      @Nullable Long children) {}

  /** Rows beyond this are left out: most of a heap can lie at the top of its tree. */
  private static final int MOST_ROWS = 1000;

  private static final Shape<Row, Long> SHAPE =
      Shape.table(
          "dominators",
          List.<Column<Row>>of(
              new Column.Address<>("address", Row::address),
              new Column.Text<>("closure", Row::closure),
              new Column.Text<>("type", Row::type),
              new Column.Count<>("count", Row::count),
              new Column.Bytes<>("shallowBytes", Row::shallowBytes),
              new Column.Bytes<>("retainedBytes", Row::retainedBytes),
              new Column.Count<>("children", Row::children)),
          List.of(new Column.Bytes<>("retainedBytes", total -> total)));

  @Option(
      names = "--at",
      paramLabel = "ADDR",
      description = "List what this closure dominates directly.")
  private @Nullable Address at;

  @Option(names = "--by", paramLabel = "KEY", description = "Group by constructor or module.")
  private @Nullable Key by;

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
    if (at != null && by != null) {
      throw new UsageException("dominators: --at and --by exclude each other");
    }
    Work work = session.work();
    HeapView view = session.view();
    var reading = new GraphReading(view, work);
    int top = at == null ? Dominators.ROOT : reading.require(at);
    Dominators dominators = view.retainedSizes(work);
    IntPredicate wanted = where.among(reading, work);
    return by == null
        ? closures(reading, dominators, top, wanted)
        : View.of(
            SHAPE,
            groups(reading, dominators, by, wanted),
            Completeness.of(reading.graph().missing(), retainedTogether(dominators, wanted)));
  }

  private static long retainedTogether(Dominators dominators, IntPredicate wanted) {
    return DominatorGroups.of(dominators, 1, id -> wanted.test(id) ? 0 : HeapGraph.NONE)
        .retainedBytes(0);
  }

  private View<Row, Long> closures(
      GraphReading reading, Dominators dominators, int top, IntPredicate wanted) {
    HeapGraph graph = reading.graph();
    int[] below = IntStream.of(dominators.dominatedBy(top)).filter(wanted).toArray();
    long total =
        where.isGiven()
            ? IntStream.of(below).mapToLong(dominators::retainedBytes).sum()
            : dominators.retainedBytes(top);
    Summary<Long> summary = Completeness.of(graph.missing(), total);
    int[] shown = Largest.of(below, dominators::retainedBytes, MOST_ROWS);
    int[] children = dominators.countDominatedBy(shown);
    var rows = new ArrayList<Row>();
    for (int i = 0; i < shown.length; i++) {
      int id = shown[i];
      rows.add(
          new Row(
              graph.address(id),
              reading.name(id),
              reading.type(id),
              1,
              graph.sizeBytes(id),
              dominators.retainedBytes(id),
              (long) children[i]));
    }
    return View.of(
        SHAPE,
        rows,
        new Summary<>(
            summary.complete(),
            summary.warnings(),
            summary.totals(),
            summary.exitCode(),
            below.length - shown.length));
  }

  private static List<Row> groups(
      GraphReading reading, Dominators dominators, Key by, IntPredicate wanted) {
    HeapGraph graph = reading.graph();
    Map<String, Integer> groups = new HashMap<>();
    int[] groupOfInfo =
        IntStream.range(0, graph.infoCount())
            .map(
                infoId ->
                    groups.computeIfAbsent(
                        switch (by) {
                          case CONSTRUCTOR -> reading.constructor(graph.info(infoId));
                          case MODULE -> reading.module(graph.info(infoId));
                        },
                        _ -> groups.size()))
            .toArray();
    var sums =
        DominatorGroups.of(
            dominators,
            groups.size(),
            id -> wanted.test(id) ? groupOfInfo[graph.infoId(id)] : HeapGraph.NONE);
    return groups.entrySet().stream()
        .filter(group -> sums.count(group.getValue()) > 0)
        .map(
            group ->
                new Row(
                    null,
                    group.getKey(),
                    null,
                    sums.count(group.getValue()),
                    sums.shallowBytes(group.getValue()),
                    sums.retainedBytes(group.getValue()),
                    null))
        .sorted(Comparator.comparingLong(Row::retainedBytes).reversed().thenComparing(Row::closure))
        .toList();
  }
}
