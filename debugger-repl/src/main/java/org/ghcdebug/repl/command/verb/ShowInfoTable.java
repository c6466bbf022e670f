package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** An info table. */
@Command(
    name = "infotable",
    header = "Show the info table of a closure, or the one at an address.",
    footer = {"", "Example:", "  ghc-debug infotable app.sock 0x4200105010"})
final class ShowInfoTable implements Verb {
  /** An info table, with the name in it where it is a constructor's. */
  record Row(InfoTable table, @Nullable ConstructorName name) {}

  private static final Shape<Row, Void> SHAPE =
      Shape.facts(
          "infotable",
          List.<Column<Row>>of(
              new Column.Address<>("address", row -> row.table().address().address()),
              new Column.Text<>("type", row -> row.table().type().toString()),
              new Column.Id<>("typeNumber", row -> (long) row.table().typeNumber()),
              new Column.Count<>("pointers", row -> (long) row.table().pointers()),
              new Column.Count<>("nonPointers", row -> (long) row.table().nonPointers()),
              new Column.Text<>("package", row -> row.name() == null ? null : row.name().unit()),
              new Column.Text<>("module", row -> row.name() == null ? null : row.name().module()),
              new Column.Text<>(
                  "constructor", row -> row.name() == null ? null : row.name().name()),
              new Column.Id<>(
                  "constructorNumber",
                  row ->
                      row.table().type().isConstructor()
                          ? (long) row.table().constructorNumber()
                          : null),
              new Column.Address<>(
                  "srt", row -> row.table().srtAddr() == 0 ? null : row.table().srtAddr())));

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
    InfoTable table = find(heap, address.value());
    return View.of(SHAPE, List.of(new Row(table, heap.findConstructorName(table).orElse(null))));
  }

  /**
   * Of the closure there, else the table there: code is never taken for a closure of a known type.
   */
  static InfoTable find(Heap heap, long address) {
    Closure closure = heap.closures(AddressList.of(address)).getFirst();
    return closure == null || closure instanceof Closure.Unknown
        ? heap.infoTable(address)
        : closure.info();
  }
}
