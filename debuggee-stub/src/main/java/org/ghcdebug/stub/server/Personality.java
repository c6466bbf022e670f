package org.ghcdebug.stub.server;

/** Whose manners a server has. */
public enum Personality {
  /**
   * The stub in {@code debuggee-stub/haskell}: everything gets an answer, and a client that
   * vanishes leaves the program running.
   */
  GHC_DEBUGGEE,

  /**
   * The stub of the ghc-debug project, version 0.7: an unknown request gets no answer at all,
   * frames hold at most 1024 bytes, only some commands care whether the program is paused, it stays
   * paused when the client vanishes, after a POLL it cannot be resumed any more, and of all blocks
   * those of the nurseries come twice and those of compact regions not all.
   *
   * <p>Not imitated: crashing, pausing by fork, and large items in frames of their own.
   */
  GHC_DEBUG_07
}
