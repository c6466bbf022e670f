package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;

/** Which ghc-debug this is. */
@Command(
    name = "version",
    header = "Print the version of ghc-debug.",
    footer = {"", "Example:", "  ghc-debug version --json"})
final class Version implements Verb {
  /** What is told. */
  record Row(String version, String java, String ghc) {}

  private static final Shape<Row, Void> SHAPE =
      new Shape<>(
          "version",
          new Layout.Lines<>(
              row ->
                  "ghc-debug %s (Java %s; debugs GHC %s)"
                      .formatted(row.version(), row.java(), row.ghc())),
          List.of(
              new Column.Text<>("version", Row::version),
              new Column.Text<>("java", Row::java),
              new Column.Text<>("ghc", Row::ghc)),
          List.of());

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
  }

  @Override
  public boolean needsTarget() {
    return false;
  }

  @Override
  public View<?, ?> run(Session session) {
    // From the manifest; classes that are not in a jar have none.
    String version = Version.class.getPackage().getImplementationVersion();
    return View.of(
        SHAPE,
        List.of(
            new Row(
                version == null ? "development" : version,
                Runtime.version().toString(),
                "9.2 to 9.14")));
  }
}
