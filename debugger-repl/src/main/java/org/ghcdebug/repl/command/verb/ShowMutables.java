package org.ghcdebug.repl.command.verb;

import java.util.List;
import java.util.stream.IntStream;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What can be changed. */
@Command(
    name = "mutables",
    header = "List mutable variables and arrays by what they keep alive.",
    description = {
      "",
      "IORefs (STRefs too), MVars, TVars and mutable arrays. holds names the value, or how many",
      "elements an array has; holder what refers to the variable."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug mutables app.sock --top 10",
      "  ghc-debug mutables app.sock --where 'type = MVAR and retained > 1MiB'"
    })
final class ShowMutables implements Verb {
  /** A variable or array. */
  record Row(
      long address,
      String kind,
      String type,
      String holds,
      String holder,
      long shallowBytes,
      long retainedBytes) {}

  /** Sums over all that are wanted, also those beyond {@link #MOST_ROWS}. */
  record Totals(long count, long shallowBytes) {}

  private static final int MOST_ROWS = 1000;

  private static final Shape<Row, Totals> SHAPE =
      Shape.table(
          "mutables",
          List.<Column<Row>>of(
              new Column.Address<>("address", Row::address),
              new Column.Text<>("kind", Row::kind),
              new Column.Text<>("type", Row::type),
              new Column.Text<>("holds", Row::holds),
              new Column.Text<>("holder", Row::holder),
              new Column.Bytes<>("shallowBytes", Row::shallowBytes),
              new Column.Bytes<>("retainedBytes", Row::retainedBytes)),
          List.<Column<Totals>>of(
              new Column.Count<>("count", Totals::count),
              new Column.Bytes<>("shallowBytes", Totals::shallowBytes)));

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
    boolean[] isMutable = new boolean[graph.infoCount()];
    for (int infoId = 0; infoId < isMutable.length; infoId++) {
      isMutable[infoId] = kind(graph.info(infoId).type()) != null;
    }
    int[] mutables =
        IntStream.range(0, graph.size())
            .filter(id -> isMutable[graph.infoId(id)])
            .filter(where.among(reading, work))
            .toArray();
    List<Row> rows =
        IntStream.of(Largest.of(mutables, dominators::retainedBytes, MOST_ROWS))
            .mapToObj(id -> row(reading, dominators, id))
            .toList();
    var totals =
        new Totals(mutables.length, IntStream.of(mutables).mapToLong(graph::sizeBytes).sum());
    Summary<Totals> summary = Completeness.of(graph.missing(), totals);
    return View.of(
        SHAPE,
        rows,
        new Summary<>(
            summary.complete(), summary.warnings(), totals, 0, mutables.length - rows.size()));
  }

  private static Row row(GraphReading reading, Dominators dominators, int id) {
    HeapGraph graph = reading.graph();
    ClosureType type = graph.infoOf(id).type();
    int[] held = graph.successorsOf(id);
    String holds =
        switch (type) {
          case MUT_VAR_CLEAN, MUT_VAR_DIRTY -> held.length == 0 ? "-" : reading.name(held[0]);
          case MVAR_CLEAN, MVAR_DIRTY ->
              held.length == 0 ? "-" : reading.name(held[held.length - 1]);
          case TVAR -> held.length == 0 ? "-" : reading.name(held[0]);
          default ->
              "%d elements".formatted(graph.firstSuccessor(id + 1) - graph.firstSuccessor(id));
        };
    return new Row(
        graph.address(id),
        String.valueOf(kind(type)),
        type.toString(),
        holds,
        reading.holder(id),
        graph.sizeBytes(id),
        dominators.retainedBytes(id));
  }

  /** What a programmer calls it; null when it cannot be changed. */
  static @Nullable String kind(ClosureType type) {
    return switch (type) {
      case MUT_VAR_CLEAN, MUT_VAR_DIRTY -> "IORef";
      case MVAR_CLEAN, MVAR_DIRTY -> "MVar";
      case TVAR -> "TVar";
      case MUT_ARR_PTRS_CLEAN,
          MUT_ARR_PTRS_DIRTY,
          SMALL_MUT_ARR_PTRS_CLEAN,
          SMALL_MUT_ARR_PTRS_DIRTY ->
          "mutable array";
      default -> null;
    };
  }
}
