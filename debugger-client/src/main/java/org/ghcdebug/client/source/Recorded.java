package org.ghcdebug.client.source;

import java.util.List;
import java.util.Map;

/** A source that is no program but a recording of one. */
public interface Recorded {
  /** What the recording says about itself, by key: program, time, writer …. No I/O. */
  Map<String, String> metadata();

  /**
   * What is missing or damaged, a sentence each; as far as it has been read. Empty when all is
   * well.
   */
  List<String> warnings();
}
