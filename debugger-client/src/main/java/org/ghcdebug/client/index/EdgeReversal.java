package org.ghcdebug.client.index;

/** The edges of a graph backwards; those into one closure in the order of where they come from. */
final class EdgeReversal {
  final int[] starts; // closure id -> its first edge; one more at the end
  final int[] sources; // edge -> closure id it comes from, or its complement for an ephemeron

  /**
   * O(closures and edges).
   *
   * @param step run once per closure
   */
  EdgeReversal(int[] successorStarts, int[] successors, Runnable step) {
    int size = successorStarts.length - 1;
    starts = new int[size + 1];
    sources = new int[successors.length];
    for (int successor : successors) {
      starts[successor ^ successor >> 31]++;
    }
    // Each closure's start is first where its edges end, and moves back as they are entered.
    int sum = 0;
    for (int id = 0; id <= size; id++) {
      sum += starts[id];
      starts[id] = sum;
    }
    for (int id = size - 1; id >= 0; id--) {
      step.run();
      for (int out = successorStarts[id + 1] - 1; out >= successorStarts[id]; out--) {
        int successor = successors[out];
        int sign = successor >> 31;
        sources[--starts[successor ^ sign]] = id ^ sign;
      }
    }
  }
}
