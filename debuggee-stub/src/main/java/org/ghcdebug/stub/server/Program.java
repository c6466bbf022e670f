package org.ghcdebug.stub.server;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.ghcdebug.protocol.wire.Command;
import org.ghcdebug.protocol.wire.Status;

/**
 * The pretended program: whether it is paused, for whom, and who waits for a pause. Thread-safe.
 */
final class Program {
  private static final Set<Command> NEED_PAUSE =
      EnumSet.of(
          Command.RESUME,
          Command.ROOTS,
          Command.CLOSURES,
          Command.INFO_TABLES,
          Command.STACK_BITMAP,
          Command.ALL_BLOCKS,
          Command.BLOCK,
          Command.FUN_BITMAP,
          Command.SRT);

  private static final Set<Command> NEED_PAUSE_IN_OLD_STUB =
      EnumSet.of(Command.RESUME, Command.ROOTS, Command.CLOSURES, Command.INFO_TABLES, Command.SRT);

  private final Personality personality;
  private final Map<Command, Integer> served = new EnumMap<>(Command.class);
  private boolean paused;
  private boolean attended; // the connected client has made use of the present pause
  private boolean everPolled;
  private int polls; // of the connected client, not yet answered

  Program(Personality personality) {
    this.personality = personality;
  }

  synchronized boolean isPaused() {
    return paused;
  }

  /** Waits for a state; false when it was not reached within the limit. */
  synchronized boolean awaitPaused(boolean wanted, Duration limit) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + limit.toNanos();
    while (paused != wanted) {
      long leftMillis = Duration.ofNanos(deadlineNanos - System.nanoTime()).toMillis();
      if (leftMillis <= 0) {
        return false;
      }
      wait(leftMillis);
    }
    return true;
  }

  synchronized int served(Command command) {
    return served.getOrDefault(command, 0);
  }

  /** Counts a request, and tells whether it may be carried out in the present state. */
  synchronized boolean admits(Command command) {
    served.merge(command, 1, Integer::sum);
    boolean needsPause =
        switch (personality) {
          case GHC_DEBUGGEE -> NEED_PAUSE.contains(command);
          case GHC_DEBUG_07 -> NEED_PAUSE_IN_OLD_STUB.contains(command);
        };
    attended |= needsPause && paused;
    return paused || !needsPause;
  }

  /** A client's PAUSE; then {@link #takePolls} are to be answered before it. */
  synchronized Status pause(int mode) {
    if (mode != 0) {
      return Status.BAD_COMMAND;
    }
    attended = true;
    return pauseItself() ? Status.OKAY : Status.ALREADY_PAUSED;
  }

  /** The program's own pause; false when it was paused already. */
  synchronized boolean pauseItself() {
    if (paused) {
      return false;
    }
    paused = true;
    notifyAll();
    return true;
  }

  synchronized Status resume() {
    if (everPolled && personality == Personality.GHC_DEBUG_07) {
      return Status.NO_RESUME;
    }
    paused = false;
    attended = false;
    notifyAll();
    return Status.OKAY;
  }

  /** A client wants to be told of the next pause. */
  synchronized void poll() {
    everPolled = true;
    polls++;
  }

  /** How many of the client's POLLs have come true; they are to be answered now. */
  synchronized int takePolls() {
    if (!paused || polls == 0) {
      return 0;
    }
    int count = polls;
    polls = 0;
    attended = true;
    return count;
  }

  /** The client is gone: a pause that it made use of ends, unless with the old stub. */
  synchronized void clientVanished() {
    polls = 0;
    if (attended && personality == Personality.GHC_DEBUGGEE) {
      resume();
    }
    attended = false;
  }
}
