package org.ghcdebug.repl.command.verb;

import java.util.List;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.repl.command.UsageException;

/** What verbs that show contents say of a snapshot that has none. */
final class Redacted {
  private Redacted() {}

  /**
   * For verbs all of whose answers would be invented.
   *
   * @throws UsageException when the view is of a redacted snapshot
   */
  static void refuse(String verb, HeapView view) {
    if (view.isRedacted()) {
      throw new UsageException(
          verb
              + ": the snapshot is redacted: contents are zeros, so that all values of a length"
              + " would be equal; ask the original, or census and dominators about sizes");
    }
  }

  /** For verbs some of whose answer holds: a warning where the view is of a redacted snapshot. */
  static List<String> notes(HeapView view) {
    return view.isRedacted()
        ? List.of("the snapshot is redacted: text, numbers and bytes are zeros")
        : List.of();
  }
}
