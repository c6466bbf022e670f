package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.protocol.extension.Hello;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** What is attached to. */
@Command(
    name = "info",
    header = "Show what is known about a target, and its state.",
    footer = {"", "Example:", "  ghc-debug info app.sock"})
final class Info implements Verb {
  /** A figure that the RTS keeps; bytes or nanoseconds as its name says, or a count. */
  record Figure(String name, long value) {}

  /** A target, what its debuggee library says, and how its blocks were read last. */
  record Row(
      TargetInfo target, @Nullable Hello hello, List<Figure> figures, @Nullable String blockPath) {
    private <T> @Nullable T said(Function<Hello, T> what) {
      return hello == null ? null : what.apply(hello);
    }

    private @Nullable String rts() {
      return said(
          rts -> {
            List<String> words = new ArrayList<>();
            words.add(rts.isThreaded() ? "threaded" : "not threaded");
            words.add(rts.capabilityCount() + " capabilities");
            words.add(rts.generationCount() + " generations");
            if (rts.isNonMoving()) {
              words.add("non-moving collector");
            }
            if (rts.isDynamic()) {
              words.add("dynamic");
            }
            if (rts.isDebug()) {
              words.add("debug");
            }
            return String.join(", ", words);
          });
    }

    private @Nullable String pauseModes() {
      return said(
          can -> !can.canPause() ? "none" : can.canFork() ? "copy, hold, fork" : "copy, hold");
    }
  }

  private static final Shape<Row, Void> SHAPE = Shape.facts("info", columns());

  private static List<Column<Row>> columns() {
    List<Column<Row>> columns = new ArrayList<>(TargetInfo.columns(Row::target));
    columns.add(new Column.Text<>("library", row -> row.said(Hello::library)));
    columns.add(new Column.Text<>("program", row -> row.said(Hello::program)));
    columns.add(
        new Column.Text<>(
            "arguments", row -> row.said(hello -> String.join(" ", hello.arguments()))));
    columns.add(new Column.Id<>("pid", row -> row.said(Hello::pid)));
    columns.add(new Column.Time<>("startedAt", row -> row.said(Hello::startedAt)));
    columns.add(new Column.Text<>("rts", Row::rts));
    columns.add(new Column.Text<>("pauseModes", Row::pauseModes));
    columns.add(new Column.Flag<>("infoTableMap", row -> row.said(Hello::hasInfoTableMap)));
    columns.add(new Column.Text<>("blocksReadBy", Row::blockPath));
    columns.add(
        new Column.Records<>(
            "figures",
            List.<Column<Figure>>of(
                new Column.Text<>("figure", Figure::name),
                new Column.Count<>("value", Figure::value)),
            Row::figures));
    return columns;
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
    Debuggee debuggee = session.debuggee();
    List<Figure> figures =
        debuggee.figures().values().entrySet().stream()
            .map(figure -> new Figure(figure.getKey().key(), figure.getValue()))
            .toList();
    return View.of(
        SHAPE,
        List.of(
            new Row(
                TargetInfo.of(debuggee),
                debuggee.hello().orElse(null),
                figures,
                debuggee.blockPath().orElse(null))));
  }
}
