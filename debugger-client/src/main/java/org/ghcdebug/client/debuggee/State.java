package org.ghcdebug.client.debuggee;

import java.time.Instant;

/** What the program is doing, and which view of its heap is in use. */
public sealed interface State {
  /** The program runs; no view has been taken. */
  record Running() implements State {}

  /** The program runs; verbs read a copy of its heap. */
  record Copied(Instant takenAt) implements State {}

  /** The program is held still; verbs read it lazily. */
  record Paused(Instant since) implements State {}

  /** The program runs; verbs read a forked copy of it lazily. */
  record Forked(Instant since) implements State {}

  /** There is no program, only a recorded heap. */
  record Recorded() implements State {}
}
