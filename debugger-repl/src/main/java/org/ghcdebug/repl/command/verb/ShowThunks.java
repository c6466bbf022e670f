package org.ghcdebug.repl.command.verb;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.ghcdebug.client.analysis.dominator.DominatorGroups;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.analysis.dominator.ThunkChains;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What is still to be computed. */
@Command(
    name = "thunks",
    header = "Group thunks by where they are made, with the chains that they form.",
    description = {
      "",
      "A chain are thunks that hang one on another: depth is the length of the longest one of a",
      "group, head its first thunk, and holder what refers to that. Long chains are values that"
          + " were",
      "changed again and again without being evaluated. With --where only such thunks are counted,",
      "and chains that begin with them.",
      "",
      "Thunks are the closure types THUNK and its variants, AP and AP_STACK. A filter \"type ="
          + " THUNK\"",
      "means the first of these, so that count 'type = THUNK' can find fewer."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug thunks app.sock --sort depth --top 10",
      "  ghc-debug thunks app.sock --where 'module = Main'"
    })
final class ShowThunks implements Verb {
  /** Thunks of one place in the source. */
  record Row(
      String key,
      @Nullable String source,
      long count,
      long bytes,
      long retainedBytes,
      long depth,
      @Nullable Long head,
      @Nullable String holder) {}

  /** Sums over all rows. */
  record Totals(long count, long bytes) {}

  private static final Shape<Row, Totals> SHAPE =
      Shape.table(
          "thunks",
          List.<Column<Row>>of(
              new Column.Text<>("key", Row::key),
              new Column.Text<>("source", Row::source),
              new Column.Count<>("count", Row::count),
              new Column.Bytes<>("bytes", Row::bytes),
              new Column.Bytes<>("retainedBytes", Row::retainedBytes),
              new Column.Count<>("depth", Row::depth),
              new Column.Address<>("head", Row::head),
              new Column.Text<>("holder", Row::holder)),
          List.<Column<Totals>>of(
              new Column.Count<>("count", Totals::count),
              new Column.Bytes<>("bytes", Totals::bytes)));

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
    Dominators dominators = view.retainedSizes(work);
    Map<Integer, Integer> groups = new HashMap<>(); // kind -> group; 0 is what is no thunk
    Map<Integer, Integer> samples = new HashMap<>(); // group -> info id of some of its thunks
    int[] groupOfInfo =
        IntStream.range(0, graph.infoCount())
            .map(
                infoId -> {
                  InfoTable info = graph.info(infoId);
                  if (!ThunkChains.isThunk(info.type())) {
                    return 0;
                  }
                  int group = groups.computeIfAbsent(reading.kind(infoId), _ -> groups.size() + 1);
                  samples.putIfAbsent(group, infoId);
                  return group;
                })
            .toArray();
    int count = groups.size() + 1;
    IntPredicate wanted = where.among(reading, work);
    IntUnaryOperator groupOf =
        id -> wanted.test(id) ? groupOfInfo[graph.infoId(id)] : HeapGraph.NONE;
    var sums = DominatorGroups.of(dominators, count, groupOf);
    var chains = ThunkChains.of(dominators, count, groupOf, work);
    List<Row> rows =
        samples.entrySet().stream()
            .filter(group -> sums.count(group.getKey()) > 0)
            .map(
                group ->
                    row(
                        reading,
                        view.heap().displayName(graph.info(group.getValue())),
                        group.getKey(),
                        group.getValue(),
                        sums,
                        chains))
            .sorted(
                Comparator.comparingLong(Row::retainedBytes)
                    .reversed()
                    .thenComparing(Row::key)
                    .thenComparing(Row::count))
            .toList();
    var totals =
        new Totals(
            rows.stream().mapToLong(Row::count).sum(), rows.stream().mapToLong(Row::bytes).sum());
    return View.of(SHAPE, rows, Completeness.of(graph.missing(), totals));
  }

  private static Row row(
      GraphReading reading,
      String name,
      int group,
      int infoId,
      DominatorGroups sums,
      ThunkChains chains) {
    int head = chains.head(group);
    return new Row(
        name,
        reading.source(reading.graph().info(infoId)),
        sums.count(group),
        sums.shallowBytes(group),
        sums.retainedBytes(group),
        chains.depth(group),
        head == HeapGraph.NONE ? null : reading.graph().address(head),
        head == HeapGraph.NONE ? null : reading.holder(head));
  }
}
