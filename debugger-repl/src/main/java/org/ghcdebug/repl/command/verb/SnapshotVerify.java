package org.ghcdebug.repl.command.verb;

import java.nio.file.Path;
import java.util.List;
import org.ghcdebug.client.debuggee.SnapshotFile;
import org.ghcdebug.repl.command.ExitCode;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Whether a snapshot file is as it was written. */
@Command(
    name = "snapshot verify",
    header = "Read a whole snapshot file, check every byte of it, and list what is damaged.",
    description = {
      "",
      "No rows: all is well. Exit code 5 when something is damaged. The format of the Haskell"
          + " client",
      "has no checksums; of such a file only the structure is checked."
    },
    footer = {"", "Example:", "  ghc-debug snapshot verify app.snapshot"})
final class SnapshotVerify implements Verb {
  private static final Shape<SnapshotFile.Damage, SnapshotFile.Verification> SHAPE =
      Shape.table(
          "snapshot verify",
          List.<Column<SnapshotFile.Damage>>of(
              new Column.Count<>("offsetBytes", SnapshotFile.Damage::offsetBytes),
              new Column.Bytes<>("lostBytes", SnapshotFile.Damage::lostBytes),
              new Column.Text<>("problem", SnapshotFile.Damage::problem)),
          List.<Column<SnapshotFile.Verification>>of(
              new Column.Count<>("chunks", SnapshotFile.Verification::chunks),
              new Column.Bytes<>("bytes", SnapshotFile.Verification::bytes)));

  @Parameters(paramLabel = "FILE", description = "A snapshot, ours or of the Haskell client.")
  private Path file = Path.of("");

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
    SnapshotFile.Verification found = SnapshotFile.verify(file);
    int damages = found.damages().size();
    return View.of(
        SHAPE,
        found.damages(),
        damages == 0
            ? Summary.of(true, List.of(), found)
            : new Summary<>(
                false,
                List.of(
                    "%s is damaged in %s places; what is there can be read, verbs say what is missing"
                        .formatted(file, Values.count(damages))),
                found,
                ExitCode.DAMAGED,
                0));
  }
}
