package org.ghcdebug.repl.command.verb;

import java.nio.file.Path;
import java.util.List;
import org.ghcdebug.client.debuggee.SnapshotResult;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The heap into a file. */
@Command(
    name = "snapshot",
    header = "Write the heap into a file, which every verb takes as its target.",
    description = {
      "",
      "A running program is held still while its heap is copied, and the file is written at the",
      "same time. Until it is whole it is called FILE.partial, and it stays so when the program is",
      "lost on the way."
    },
    footer = {"", "Example:", "  ghc-debug snapshot app.sock -o app.snapshot"})
final class TakeSnapshot implements Verb {
  private static final List<Column<SnapshotResult>> COLUMNS =
      List.of(
          new Column.Text<>("file", result -> result.file().toString()),
          new Column.Bytes<>("fileBytes", SnapshotResult::fileBytes),
          new Column.Bytes<>("blockBytes", SnapshotResult::blockBytes),
          new Column.Count<>("count", SnapshotResult::closures),
          new Column.Bytes<>("bytes", SnapshotResult::bytes));

  private static final Shape<SnapshotResult, Void> SHAPE =
      new Shape<>("snapshot", new Layout.Lines<>(TakeSnapshot::sentence), COLUMNS, List.of());

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write; replaced if it is there.")
  private Path file = Path.of("");

  private static String sentence(SnapshotResult result) {
    return "%s: %s closures in %s of blocks, %s in the file"
        .formatted(
            result.file(),
            Values.count(result.closures()),
            Values.bytes(result.blockBytes()),
            Values.bytes(result.fileBytes()));
  }

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
    SnapshotResult result = session.debuggee().snapshot(file, session.work());
    return View.of(SHAPE, List.of(result), Completeness.of(result.missing(), null));
  }
}
