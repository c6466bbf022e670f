package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.analysis.string.Duplicates;
import org.ghcdebug.client.analysis.string.StringTally;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.work.Work;
import picocli.CommandLine.Command;

/** Equal values. */
@Command(
    name = "dups",
    header = "Find equal values that are there several times, and what sharing them would save.",
    description = {
      "",
      "Evaluated constructors are compared with all that they contain; Text and ByteString by"
          + " their",
      "contents. Parts that belong to nothing but the values of one row are counted there."
    },
    footer = {
      "",
      "Examples:",
      "  ghc-debug dups app.sock --top 20",
      "  ghc-debug dups app.sock --where 'module = Data.Text.Internal'"
    })
final class ListDuplicates extends ContentListing {
  ListDuplicates() {
    super(shape("dups", TYPE, List.of()));
  }

  @Override
  StringTally.Result find(HeapView view, ClosureSelection wanted, Work work) {
    return Duplicates.of(view.heap(), view.copy(work), view.graph(work), wanted, work);
  }
}
