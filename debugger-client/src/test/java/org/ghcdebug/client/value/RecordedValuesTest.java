package org.ghcdebug.client.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.testing.RecordedHeaps;
import org.ghcdebug.client.testing.StubHeapSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What real programs had saved; the values are in the recordings' truth files, too. */
class RecordedValuesTest {
  private static List<String> savedObjects(String recording, int elements) {
    Heap heap = new Heap(new StubHeapSource(RecordedHeaps.load(recording)));
    HaskellPrinter printer = new HaskellPrinter(heap, new PrintLimits(12, elements, 120));
    return Arrays.stream(heap.savedObjects().toArray()).mapToObj(printer::print).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"zoo-9.6.6-ondemand", "zoo-9.10.3-ondemand"})
  void theZoosAnimalsAreShown(String recording) {
    // GHC 9.10 does not evaluate a field of the second one beforehand.
    String field = recording.contains("9.6.6") ? "True" : "<thunk Main.main>";
    assertEquals(
        List.of(
            "C10 1002",
            "CN 1002 '\\241' " + field + " 1001# 1002#",
            "Rec 1004 (Just \"hello zoo 1001\")",
            "fromList [(1001,\"1001\"),(1002,\"1002\"),…]",
            "\"text 1001\"",
            "\"bytestring 1001\"",
            "1267650600228229401496703206377",
            "<function Main.main>",
            "<partial application of Main.arity4>",
            "<thunk Main.main>",
            "<under evaluation>",
            "<MVar empty>",
            "<IORef \"hello zoo 1001\">",
            "Arr <array [1004,1004,…]>",
            "SArr <array [1003,1003,…]>"),
        savedObjects(recording, 2).subList(0, 15));
  }

  @Test
  void aProfiledMapIsShown() {
    assertEquals(
        "fromList [(0,Rec \"0\" (TextLike [0x74, 0x78, 0x74, 0x2d, 0x30] 0# 5#) <thunk Main.mkRec>"
            + " Nothing Red 0# 0#),…]",
        savedObjects("bigmap40-9.6.6-prof-ondemand", 1).getFirst());
  }
}
