package org.ghcdebug.repl.command.verb;

import java.util.List;
import java.util.OptionalLong;
import org.ghcdebug.client.analysis.fragmentation.Fragmentation;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.protocol.extension.RtsFigure;
import org.ghcdebug.protocol.extension.RtsFigures;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** How the heap's blocks are filled. */
@Command(
    name = "frag",
    header = "Show how the heap's blocks are filled: why there is more memory than live data.",
    description = {
      "",
      "Rows are kinds of blocks, with what keeps them from being free. deadGroups are groups of",
      "blocks without anything alive. Of the totals, unlistedBytes are in megablocks that have",
      "blocks of the heap, but in none of these: free, or the RTS's own. The copying collector",
      "needs room for what it copies: -c or a smaller -F take less memory; -Fd returns free memory",
      "to the system sooner, and --disable-delayed-os-memory-return lets the system show it."
    },
    footer = {"", "Example:", "  ghc-debug frag app.sock"})
final class ShowFragmentation implements Verb {
  private record Totals(Fragmentation blocks, RtsFigures figures) {
    @Nullable Long figure(RtsFigure which) {
      OptionalLong found = figures.find(which);
      return found.isPresent() ? found.getAsLong() : null;
    }
  }

  private static final Shape<Fragmentation.Row, Totals> SHAPE =
      Shape.table(
          "frag",
          List.<Column<Fragmentation.Row>>of(
              new Column.Text<>("kind", row -> row.kind().label()),
              new Column.Count<>("groups", Fragmentation.Row::groups),
              new Column.Bytes<>("blockBytes", Fragmentation.Row::blockBytes),
              new Column.Bytes<>("usedBytes", Fragmentation.Row::usedBytes),
              new Column.Bytes<>("liveBytes", Fragmentation.Row::liveBytes),
              new Column.Bytes<>("otherBytes", Fragmentation.Row::otherBytes),
              new Column.Decimal<>("liveShare", Fragmentation.Row::liveShare),
              new Column.Count<>("deadGroups", Fragmentation.Row::deadGroups),
              new Column.Bytes<>("deadGroupBytes", Fragmentation.Row::deadGroupBytes),
              new Column.Text<>("advice", row -> row.kind().advice(), true)),
          List.<Column<Totals>>of(
              new Column.Count<>("groups", totals -> totals.blocks().groups()),
              new Column.Bytes<>("blockBytes", totals -> totals.blocks().blockBytes()),
              new Column.Bytes<>("usedBytes", totals -> totals.blocks().usedBytes()),
              new Column.Bytes<>("liveBytes", totals -> totals.blocks().liveBytes()),
              new Column.Count<>("deadGroups", totals -> totals.blocks().deadGroups()),
              new Column.Bytes<>("deadGroupBytes", totals -> totals.blocks().deadGroupBytes()),
              new Column.Count<>("megablocks", totals -> totals.blocks().megablocks()),
              new Column.Bytes<>("megablockBytes", totals -> totals.blocks().megablockBytes()),
              new Column.Bytes<>("unlistedBytes", totals -> totals.blocks().unlistedBytes()),
              new Column.Bytes<>("staticBytes", totals -> totals.blocks().staticBytes()),
              new Column.Bytes<>("systemBytes", totals -> totals.figure(RtsFigure.SYSTEM_BYTES)),
              new Column.Bytes<>(
                  "residentBytes", totals -> totals.figure(RtsFigure.RESIDENT_BYTES))));

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
    Fragmentation found = Fragmentation.of(view.copy(session.work()), session.work());
    Summary<Totals> summary =
        Completeness.of(
            view.tally(session.work()).missing(), new Totals(found, session.debuggee().figures()));
    return View.of(SHAPE, found.rows(), summary);
  }
}
