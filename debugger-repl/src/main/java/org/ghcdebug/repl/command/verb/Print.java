package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.value.HaskellPrinter;
import org.ghcdebug.client.value.PrintLimits;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A value in Haskell's notation. */
@Command(
    name = "print",
    header = "Print a value in Haskell's notation.",
    description = {
      "",
      "Lists, strings, Text, ByteString, numbers, Map and other well-known types are shown as",
      "Haskell programs write them; what is not evaluated yet is shown as such, and stays so."
    },
    footer = {"", "Example:", "  ghc-debug print app.sock 0x4200105010"})
final class Print implements Verb {
  /** A value. */
  record Row(long address, String value) {}

  private static final Shape<Row, Void> SHAPE =
      new Shape<>(
          "print",
          new Layout.Lines<>(Row::value),
          List.of(
              new Column.Address<>("address", Row::address),
              new Column.Text<>("value", Row::value)),
          List.of());

  @Parameters(paramLabel = "ADDR", description = "The closure to print.")
  private Address address = new Address(0);

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Print constructors within constructors to this depth.")
  private int depth = PrintLimits.DEFAULT.depth();

  @Option(
      names = "--elements",
      paramLabel = "N",
      description = "Print at most N elements of a list, map or array.")
  private int elements = PrintLimits.DEFAULT.elements();

  @Option(
      names = "--chars",
      paramLabel = "N",
      description = "Print at most N characters of a string.")
  private int chars = PrintLimits.DEFAULT.characters();

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
    if (depth < 1 || elements < 1 || chars < 1) {
      throw new UsageException("print: limits must be at least 1");
    }
    HeapView view = session.view();
    Heap heap = view.heap();
    // The printer shows what is missing within a value; a value that is missing whole is an error.
    ClosureRow.require(heap, address);
    String value =
        new HaskellPrinter(heap, new PrintLimits(depth, elements, chars)).print(address.value());
    var row = new Row(Target.untag(address.value()), value);
    Summary<Void> summary =
        value.contains("<missing 0x")
            ? Summary.of(
                false, List.of("parts of the value, shown as <missing>, could not be read"), null)
            : Summary.ok();
    return View.of(SHAPE, List.of(row), summary.withNotes(Redacted.notes(view)));
  }
}
