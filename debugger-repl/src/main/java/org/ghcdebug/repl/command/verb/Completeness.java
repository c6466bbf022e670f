package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.Values;

/** Says what figures over the whole heap lack. */
final class Completeness {
  private Completeness() {}

  static <T> Summary<T> of(HeapTally.Missing missing, T totals) {
    var warnings = new ArrayList<String>();
    warn(warnings, missing.closuresWithoutInfo(), "without a known info table are not counted");
    warn(warnings, missing.unreadableClosures(), "that something points to could not be read");
    warn(warnings, missing.incompleteClosures(), "have pointers that could not be followed");
    return Summary.of(missing.isNone(), warnings, totals);
  }

  private static void warn(List<String> warnings, long count, String what) {
    if (count > 0) {
      warnings.add("%s closures %s".formatted(Values.count(count), what));
    }
  }
}
