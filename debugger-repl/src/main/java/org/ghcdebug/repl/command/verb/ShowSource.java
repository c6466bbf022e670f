package org.ghcdebug.repl.command.verb;

import java.util.List;
import java.util.Optional;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Where a closure comes from. */
@Command(
    name = "source",
    header = "Show where in the program's source a closure's code is.",
    description = {"", "Programs compiled with -finfo-table-map know that."},
    footer = {"", "Example:", "  ghc-debug source app.sock 0x4200105010"})
final class ShowSource implements Verb {
  /** What the compiler has recorded. */
  record Row(InfoTable table, SourceInfo source) {}

  private static final Shape<Row, Void> SHAPE =
      Shape.facts(
          "source",
          List.<Column<Row>>of(
              new Column.Text<>("position", row -> row.source().position()),
              new Column.Text<>("module", row -> row.source().module()),
              new Column.Text<>("label", row -> row.source().label()),
              new Column.Text<>("type", row -> row.source().typeDescription()),
              new Column.Text<>("symbol", row -> row.source().tableName()),
              new Column.Address<>("info", row -> row.table().address().address())));

  @Parameters(paramLabel = "ADDR", description = "A closure, or the info pointer in it.")
  private Address address = new Address(0);

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
    Heap heap = session.view().heap();
    InfoTable table = ShowInfoTable.find(heap, address.value());
    Optional<SourceInfo> source = heap.findSourceInfo(table);
    return source.isPresent()
        ? View.of(SHAPE, List.of(new Row(table, source.get())))
        : View.of(
            SHAPE,
            List.of(),
            Summary.of(
                true,
                List.of(
                    "no source position for %s; compile with -finfo-table-map"
                        .formatted(table.address())),
                null));
  }
}
