package org.ghcdebug.repl.command.verb;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.ghcdebug.client.debuggee.SnapshotFile;
import org.ghcdebug.repl.command.ExitCode;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What a snapshot file holds. */
@Command(
    name = "snapshot info",
    header = "Show what a snapshot file says about itself, and what is in it.",
    description = {
      "",
      "Reads its directory only; \"snapshot verify\" checks the rest. Files of the Haskell client",
      "are read whole, and say no more than their GHC and way."
    },
    footer = {"", "Example:", "  ghc-debug snapshot info app.snapshot"})
final class SnapshotInfo implements Verb {
  private static final Shape<SnapshotFile, Void> SHAPE =
      Shape.facts(
          "snapshot info",
          List.<Column<SnapshotFile>>of(
              new Column.Text<>("file", file -> file.path().toString()),
              new Column.Text<>("format", SnapshotFile::format),
              new Column.Text<>("ghc", file -> file.target().ghc().toString()),
              new Column.Text<>("way", SnapshotInfo::way),
              new Column.Bytes<>("fileBytes", SnapshotFile::fileBytes),
              new Column.Bytes<>("blockBytes", SnapshotFile::blockBytes),
              new Column.Records<>(
                  "facts",
                  List.<Column<Map.Entry<String, String>>>of(
                      new Column.Text<>("fact", Map.Entry::getKey),
                      new Column.Text<>("value", Map.Entry::getValue)),
                  SnapshotInfo::facts),
              new Column.Records<>(
                  "contents",
                  List.<Column<SnapshotFile.Contents>>of(
                      new Column.Text<>("kind", SnapshotFile.Contents::kind),
                      new Column.Count<>("chunks", SnapshotFile.Contents::chunks),
                      new Column.Bytes<>("bytes", SnapshotFile.Contents::bytes),
                      new Column.Bytes<>("storedBytes", SnapshotFile.Contents::storedBytes)),
                  SnapshotFile::contents)));

  @Parameters(paramLabel = "FILE", description = "A snapshot, ours or of the Haskell client.")
  private Path file = Path.of("");

  private static String way(SnapshotFile file) {
    return file.target().profiling().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static List<Map.Entry<String, String>> facts(SnapshotFile file) {
    Map<String, String> facts = new TreeMap<>(file.metadata());
    facts.putAll(file.summary());
    return List.copyOf(facts.entrySet());
  }

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
    SnapshotFile found = SnapshotFile.read(file);
    boolean isWhole = found.warnings().isEmpty();
    return View.of(
        SHAPE,
        List.of(found),
        new Summary<>(
            isWhole, found.warnings(), null, isWhole ? ExitCode.OK : ExitCode.DAMAGED, 0));
  }
}
