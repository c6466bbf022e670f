package org.ghcdebug.repl.command.verb;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.debuggee.SnapshotFile;
import org.ghcdebug.client.debuggee.SnapshotResult;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A snapshot that can be given away. */
@Command(
    name = "snapshot redact",
    header = "Write a copy of a snapshot without its contents, to be given to others.",
    description = {
      "",
      "What is alive, its types, sizes and references stay, so that questions about them have the",
      "same answers. Text, byte strings, numbers and characters become zeros, and so does all that",
      "is not alive. Therefore strings, arrwords, dups and filters on text are refused, print,",
      "closure and dump warn, and suspects says nothing of slices. One static closure stands for",
      "all characters below 256, one for all small numbers. Names of code, addresses, sizes, the",
      "program's name and the names of saved objects stay."
    },
    footer = {"", "Example:", "  ghc-debug snapshot redact app.snapshot -o public.snapshot"})
final class SnapshotRedact implements Verb {
  private static final List<Column<SnapshotResult>> COLUMNS =
      List.of(
          new Column.Text<>("file", result -> result.file().toString()),
          new Column.Bytes<>("fileBytes", SnapshotResult::fileBytes),
          new Column.Bytes<>("blockBytes", SnapshotResult::blockBytes),
          new Column.Count<>("count", SnapshotResult::closures),
          new Column.Bytes<>("bytes", SnapshotResult::bytes));

  private static final Shape<SnapshotResult, Void> SHAPE =
      new Shape<>(
          "snapshot redact", new Layout.Lines<>(SnapshotRedact::sentence), COLUMNS, List.of());

  @Parameters(paramLabel = "FILE", description = "A snapshot, ours or of the Haskell client.")
  private Path file = Path.of("");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write; replaced if it is there.")
  private Path output = Path.of("");

  private static String sentence(SnapshotResult result) {
    return "%s: %s closures without their contents, %s in the file"
        .formatted(
            result.file(), Values.count(result.closures()), Values.bytes(result.fileBytes()));
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
    SnapshotFile.Redaction redaction =
        Answers.orUsage("snapshot redact", () -> SnapshotFile.redact(file, output, session.work()));
    Summary<Void> missing = Completeness.of(redaction.result().missing(), null);
    List<String> warnings = new ArrayList<>(redaction.warnings());
    warnings.addAll(missing.warnings());
    return View.of(
        SHAPE,
        List.of(redaction.result()),
        Summary.of(missing.complete() && warnings.isEmpty(), warnings, null));
  }
}
