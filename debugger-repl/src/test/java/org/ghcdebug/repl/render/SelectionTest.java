package org.ghcdebug.repl.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SelectionTest {
  private record Row(String name, @Nullable Long bytes) {}

  private static final Shape<Row, Void> SHAPE =
      Shape.table(
          "rows",
          List.<Column<Row>>of(
              new Column.Text<>("name", Row::name), new Column.Bytes<>("bytes", Row::bytes)));

  private static final List<Row> ROWS =
      List.of(new Row("b", 2L), new Row("d", null), new Row("a", 1L), new Row("c", 3L));

  private static String names(Selection selection) {
    return String.join(
        "",
        selection.applyTo(View.of(SHAPE, ROWS)).rows().toList().stream().map(Row::name).toList());
  }

  @Test
  void numbersAreSortedLargestFirstAndUnknownOnesLast() {
    assertEquals("cbad", names(new Selection(0, "bytes", 0, List.of())));
  }

  @Test
  void textsAreSortedInTheirOrder() {
    assertEquals("abcd", names(new Selection(0, "name", 0, List.of())));
  }

  @Test
  void topIsTakenAfterSortingAndLimitBefore() {
    assertEquals("cb", names(new Selection(0, "bytes", 2, List.of())));
    assertEquals("bd", names(new Selection(2, "bytes", 0, List.of())));
  }

  @Test
  void whatTopLeavesOutIsCounted() {
    assertEquals(
        3,
        new Selection(0, null, 1, List.of())
            .applyTo(View.of(SHAPE, ROWS))
            .summary()
            .get()
            .leftOut());
  }

  @Test
  void whatLimitLeavesOutIsCountedOrToldToBeUnknown() {
    View<Row, Void> listed = View.of(SHAPE, ROWS);
    assertEquals(1, new Selection(3, null, 0, List.of()).applyTo(listed).summary().get().leftOut());
    assertEquals(3, new Selection(3, null, 1, List.of()).applyTo(listed).summary().get().leftOut());
    assertEquals(0, new Selection(4, null, 0, List.of()).applyTo(listed).summary().get().leftOut());

    for (int limit = 3; limit <= 5; limit++) {
      Rows<Row> oneByOne = sink -> new Rows.Listed<>(ROWS).forEach(sink);
      var streamed = new View<Row, Void>(SHAPE, oneByOne, Summary::ok);
      var limited = new Selection(limit, null, 0, List.of()).applyTo(streamed);
      limited.rows().toList();
      assertEquals(limit < 5 ? Summary.UNKNOWN : 0, limited.summary().get().leftOut());
    }
  }

  @Test
  void limitStopsTheRowsAtTheirSource() {
    var given = new AtomicInteger();
    Rows<Row> endless =
        sink -> {
          while (sink.test(new Row("x", 1L))) {
            given.incrementAndGet();
          }
        };
    var view = new View<Row, Void>(SHAPE, endless, Summary::ok);

    assertEquals(3, new Selection(3, null, 0, List.of()).applyTo(view).rows().toList().size());
    assertEquals(2, given.get());
  }

  @Test
  void columnsAreChosenInTheOrderWanted() {
    var chosen = new Selection(0, null, 0, List.of("bytes", "name")).applyTo(View.of(SHAPE, ROWS));

    assertEquals(
        List.of("bytes", "name"), chosen.shape().columns().stream().map(Column::key).toList());
  }

  @Test
  void unknownColumnsAreFound() {
    assertEquals(
        Optional.of("size"), new Selection(0, "size", 0, List.of()).findUnknownColumn(SHAPE));
    assertEquals(
        Optional.empty(), new Selection(0, "name", 0, List.of("bytes")).findUnknownColumn(SHAPE));
  }
}
