package org.ghcdebug.client.analysis.thread;

import java.util.List;
import org.ghcdebug.protocol.target.AddressList;
import org.jspecify.annotations.Nullable;

/**
 * A thread.
 *
 * @param address of its TSO
 * @param id the number that {@code show} of a ThreadId gives
 * @param label what the program calls it, empty if it says nothing
 * @param frames on its stack, in all chunks
 * @param stackBytes what they take
 * @param isStackComplete whether all frames were understood
 * @param topFrames names of the first frames that have any, the top first; at most {@link
 *     Threads#MAX_FRAMES}
 * @param blockedOn what it waits for, in words; empty unless it is blocked
 * @param blockedOnAddr the MVar, black hole or message that it waits for; 0 for none
 * @param waitsFor TSOs of the threads of which one has to go on first, as far as the heap tells
 * @param cycle ids of the threads that wait for each other in a circle, this one first; empty for
 *     none
 */
public record ThreadInfo(
    long address,
    long id,
    String label,
    ThreadState state,
    long frames,
    long stackBytes,
    boolean isStackComplete,
    List<String> topFrames,
    String blockedOn,
    long blockedOnAddr,
    AddressList waitsFor,
    List<Long> cycle) {
  public ThreadInfo {
    topFrames = List.copyOf(topFrames);
    cycle = List.copyOf(cycle);
  }

  ThreadInfo withWaits(AddressList found) {
    return new ThreadInfo(
        address,
        id,
        label,
        state,
        frames,
        stackBytes,
        isStackComplete,
        topFrames,
        blockedOn,
        blockedOnAddr,
        found,
        cycle);
  }

  ThreadInfo withCycle(List<Long> found) {
    return new ThreadInfo(
        address,
        id,
        label,
        state,
        frames,
        stackBytes,
        isStackComplete,
        topFrames,
        blockedOn,
        blockedOnAddr,
        waitsFor,
        found);
  }

  /** {@code null} when it waits for nothing that has an address. */
  public @Nullable Long findBlockedOnAddr() {
    return blockedOnAddr == 0 ? null : blockedOnAddr;
  }
}
