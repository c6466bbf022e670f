package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.analysis.string.ContentRow;
import org.ghcdebug.client.analysis.string.StringTally;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.render.Column;
import picocli.CommandLine.Command;

/** Byte arrays by their contents. */
@Command(
    name = "arrwords",
    header = "Count byte arrays (ARR_WORDS) by their contents.",
    description = {
      "",
      "wastedBytes is what would be free if all of a row were one; mutable arrays can be equal by",
      "chance. value is the contents where they are text, else their first bytes."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug arrwords app.sock --top 20",
      "  ghc-debug arrwords app.sock --where 'size > 1MiB' --sort bytes"
    })
final class ListByteArrays extends ContentListing {
  ListByteArrays() {
    super(shape("arrwords", new Column.Text<>("hash", ContentRow::hash), List.of()));
  }

  @Override
  StringTally.Result find(HeapView view, ClosureSelection wanted, Work work) {
    return StringTally.arrays(view.heap(), view.copy(work), wanted, work);
  }
}
