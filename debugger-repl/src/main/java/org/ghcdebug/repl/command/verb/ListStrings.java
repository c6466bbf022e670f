package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.analysis.string.StringTally;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.render.Column;
import picocli.CommandLine.Command;

/** Strings by their contents. */
@Command(
    name = "strings",
    header = "Count strings by their contents: which are there many times.",
    description = {
      "",
      "String, Text, ByteString and ShortByteString; of lazy ones each chunk. wastedBytes is what",
      "would be free if all of a row were one. Rows with most of it come first."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug strings app.sock --top 20",
      "  ghc-debug strings app.sock --where 'module = Data.Text.Internal' --sort bytes"
    })
final class ListStrings extends ContentListing {
  ListStrings() {
    super(
        shape(
            "strings",
            TYPE,
            List.of(new Column.Count<>("unreadable", StringTally.Result::unreadable))));
  }

  @Override
  StringTally.Result find(HeapView view, ClosureSelection wanted, Work work) {
    return StringTally.strings(view.heap(), view.copy(work), wanted, work);
  }
}
