package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.analysis.assertion.HeapAssertion;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.ExitCode;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What a test of the heap asks. */
@Command(
    name = "assert",
    header = "Check assertions over the heap; the exit code is 1 when one of them fails.",
    description = {
      "",
      "  count(EXPR) <= 100                   how many closures there are",
      "  bytes(EXPR) < 10MiB                  their sizes added up",
      "  retained(EXPR) < 1GiB                what would be free if all of them were gone",
      "  reachable(EXPR, from: EXPR) = 0      how many of them others lead to",
      "",
      "Several are each quoted. A heap of which something could not be read passes no upper bound."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug assert app.sock 'count(Main.Session) <= 100'",
      "  ghc-debug assert app.sock 'reachable(type = THUNK, from: Main.Server) = 0'"
    })
final class Assert implements Verb {
  private record Row(String assertion, long actual, boolean holds) {}

  private static final Shape<Row, Void> SHAPE =
      new Shape<>(
          "assert",
          new Layout.Lines<>(
              row ->
                  "%s: %s, found %s"
                      .formatted(
                          row.holds() ? "holds" : "failed",
                          row.assertion(),
                          Values.count(row.actual()))),
          List.of(
              new Column.Text<>("assertion", Row::assertion),
              new Column.Count<>("actual", Row::actual),
              new Column.Flag<>("holds", Row::holds)),
          List.of());

  @Parameters(
      arity = "1..*",
      paramLabel = "ASSERTION",
      description =
          "What should hold; in quotes, as < and > mean files to shells and at the prompt.")
  private List<String> words = List.of();

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
    List<HeapAssertion> assertions = Answers.orUsage("assert", this::parse);
    HeapView view = session.view();
    Work work = session.work();
    Summary<Void> gaps = Completeness.of(view.tally(work).missing(), null);
    var warnings = new ArrayList<>(gaps.warnings());
    List<Row> rows = new ArrayList<>();
    for (HeapAssertion assertion : assertions) {
      HeapAssertion.Outcome outcome =
          assertion.test(
              view.copy(work),
              filter -> Filters.over(view, filter, work),
              () -> view.graph(work),
              work);
      if (!outcome.hasStart()) {
        warnings.add("no closure to start from: nothing matches %s".formatted(assertion.from()));
      }
      boolean isSure = gaps.complete() || !assertion.isUpperBound();
      if (outcome.holds() && !isSure) {
        warnings.add("what is missing may be what was looked for, so the assertion does not pass");
      }
      rows.add(new Row(assertion.text(), outcome.actual(), outcome.holds() && isSure));
    }
    boolean allHold = rows.stream().allMatch(Row::holds);
    return View.of(
        SHAPE,
        rows,
        new Summary<>(gaps.complete(), warnings, null, allHold ? ExitCode.OK : ExitCode.FAILED, 0));
  }

  /** Each word is one, or all words are the parts of one. */
  private List<HeapAssertion> parse() {
    return words.size() > 1 && words.stream().allMatch(HeapAssertion::isOne)
        ? words.stream().map(HeapAssertion::parse).toList()
        : List.of(HeapAssertion.parse(String.join(" ", words)));
  }
}
