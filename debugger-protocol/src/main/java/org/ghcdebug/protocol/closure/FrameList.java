package org.ghcdebug.protocol.closure;

import java.util.List;

/**
 * The frames of a stack chunk, an AP_STACK or a continuation, from the top down.
 *
 * @param frames those that were understood
 * @param problem why they do not reach the end of the memory they stand in; empty when they do
 */
public record FrameList(List<StackFrame> frames, String problem) {
  public FrameList {
    frames = List.copyOf(frames);
  }

  /** Whether the last frame ends exactly where the stack does. */
  public boolean isComplete() {
    return problem.isEmpty();
  }
}
