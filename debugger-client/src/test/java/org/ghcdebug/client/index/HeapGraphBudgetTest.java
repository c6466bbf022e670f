package org.ghcdebug.client.index;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import org.ghcdebug.client.testing.BigHeapSource;
import org.ghcdebug.client.work.Work;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("budget")
class HeapGraphBudgetTest {
  private static final int BYTES_A_CLOSURE = 16;
  private static final int BYTES_A_CLOSURE_WITH_EDGES = 24;
  private static final int BYTES_AN_EDGE = 8;

  /** Arrays' headers, and what is there for each info table and static closure. */
  private static final long SLACK_BYTES = 16 << 10;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theArraysOfAGraphAreAsSmallAsItsDocumentationSays(boolean shuffled)
      throws IllegalAccessException {
    try (HeapCopy copy = HeapCopy.take(new BigHeapSource(1_000_000, shuffled), Work.UNATTENDED)) {
      HeapGraph graph = copy.graph(Work.UNATTENDED);

      long bytes = 0;
      long edgeBytes = 0;
      for (Field field : HeapGraph.class.getDeclaredFields()) {
        if (field.getType() == int[].class || field.getType() == long[].class) {
          field.setAccessible(true);
          Object array = field.get(graph);
          long size = (long) Array.getLength(array) * (array instanceof long[] ? 8 : 4);
          bytes += size;
          boolean isForEdges =
              field.getName().startsWith("successor") || field.getName().startsWith("predecessor");
          edgeBytes += isForEdges ? size : 0;
        }
      }

      long closures = graph.size();
      long withoutEdges = bytes - edgeBytes;
      assertTrue(edgeBytes > 2L * BYTES_AN_EDGE * closures / 2, () -> "fields were renamed");
      assertTrue(
          withoutEdges <= BYTES_A_CLOSURE * closures + SLACK_BYTES, () -> withoutEdges + " bytes");
      long limit = BYTES_A_CLOSURE_WITH_EDGES * closures + BYTES_AN_EDGE * (long) graph.edgeCount();
      long all = bytes;
      assertTrue(all <= limit + SLACK_BYTES, () -> all + " bytes, at most " + limit);
    }
  }
}
