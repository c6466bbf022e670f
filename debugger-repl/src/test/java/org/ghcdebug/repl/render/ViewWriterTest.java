package org.ghcdebug.repl.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.repl.testing.Golden;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ViewWriterTest {
  private static final TargetLabel TARGET =
      new TargetLabel("/tmp/app.sock", "app", "live", "9.6.6", "vanilla", null);

  private record Field(String label, long address) {}

  private record Row(
      @Nullable String key,
      @Nullable Long count,
      long bytes,
      AddressList samples,
      List<Field> fields) {}

  private record Totals(long count, long bytes, long nanos) {}

  private static final List<Column<Row>> COLUMNS =
      List.of(
          new Column.Text<>("key", Row::key),
          new Column.Count<>("count", Row::count),
          new Column.Bytes<>("bytes", Row::bytes),
          new Column.Decimal<>(
              "average", row -> row.count() == null ? null : 1.0 * row.bytes() / row.count()),
          new Column.Address<>("address", row -> row.bytes() * 8),
          new Column.Addresses<>("samples", Row::samples),
          new Column.Nanos<>("tookNanos", row -> row.bytes() * 1000),
          new Column.Time<>("at", row -> Instant.ofEpochSecond(1_700_000_000, row.bytes())),
          new Column.Flag<>("big", row -> row.bytes() > 1024),
          new Column.Records<>(
              "fields",
              List.<Column<Field>>of(
                  new Column.Text<>("label", Field::label),
                  new Column.Address<>("address", Field::address)),
              Row::fields));

  private static final List<Column<Totals>> TOTALS =
      List.of(
          new Column.Count<>("count", Totals::count),
          new Column.Bytes<>("bytes", Totals::bytes),
          new Column.Nanos<>("pauseNanos", Totals::nanos));

  private static final List<Row> ROWS =
      List.of(
          new Row(
              "Data.Map.Internal.Bin",
              1_234_567L,
              59_259_216,
              AddressList.of(0x4200105010L, 0xffff_ffff_ffff_fff8L),
              List.of(new Field("left", 0x10), new Field("right", 0x18))),
          new Row("say \"hi\",\tthen | go\nto \u001b[2J\\", 1L, 24, AddressList.of(), List.of()),
          new Row("文字 λ", null, 2048, AddressList.of(0x1000), List.of()),
          new Row(null, 0L, 0, AddressList.of(), List.of()));

  private static final Summary<Totals> SUMMARY =
      Summary.of(
          false,
          List.of("1 closure could not be read"),
          new Totals(1_234_568, 59_261_288, 1_500_000));

  private static View<Row, Totals> view(Layout<Row> layout) {
    return View.of(new Shape<>("sample", layout, COLUMNS, TOTALS), ROWS, SUMMARY);
  }

  private static String write(Format format, TextStyle style, View<?, ?> view) {
    var text = new StringBuilder();
    ViewWriter.of(format, style, Map.of("by", "color"))
        .write(view, TARGET, line -> text.append(line).append('\n'));
    return text.toString();
  }

  @ParameterizedTest
  @EnumSource
  void everyFormatWritesEveryColumn(Format format) {
    Golden.check(
        "render/table." + format.name().toLowerCase(Locale.ROOT),
        write(format, TextStyle.PLAIN, view(new Layout.Table<>())));
  }

  @Test
  void factsAreOneLineAColumnAndRecordsFollow() {
    Golden.check(
        "render/facts.text",
        write(
            Format.TEXT,
            TextStyle.PLAIN,
            View.of(Shape.facts("sample", COLUMNS), ROWS.subList(0, 1))));
  }

  @Test
  void treesHaveGuideLines() {
    record Node(int depth, String name, long address) {}
    List<Column<Node>> columns =
        List.of(
            new Column.Text<>("name", Node::name), new Column.Address<>("address", Node::address));
    var shape = new Shape<Node, Void>("tree", new Layout.Tree<>(Node::depth), columns, List.of());
    var nodes =
        List.of(
            new Node(0, "root", 8),
            new Node(1, "a", 16),
            new Node(2, "b", 24),
            new Node(3, "c", 32),
            new Node(2, "d", 40),
            new Node(1, "e", 48),
            new Node(2, "f", 56));

    Golden.check("render/tree.text", write(Format.TEXT, TextStyle.PLAIN, View.of(shape, nodes)));
  }

  @Test
  void aTerminalGetsNoLineThatIsTooLong() {
    String text = write(Format.TEXT, new TextStyle(false, () -> 60), view(new Layout.Table<>()));

    Golden.check("render/narrow.text", text);
    assertFalse(text.lines().anyMatch(line -> line.codePointCount(0, line.length()) > 60));
  }

  @Test
  void controlCharactersOfAHeapNeverReachTheTerminal() {
    String text = write(Format.TEXT, TextStyle.PLAIN, view(new Layout.Table<>()));

    assertFalse(text.contains("\u001b"));
  }

  @Test
  void colorsDoNotChangeTheAlignment() {
    String colored = write(Format.TEXT, new TextStyle(true, () -> 0), view(new Layout.Table<>()));
    String plain = write(Format.TEXT, TextStyle.PLAIN, view(new Layout.Table<>()));

    assertEquals(plain, colored.replaceAll("\u001b\\[[0-9;]*m", ""));
  }

  @Test
  void rowsThatComeOneByOneHaveTheSameJsonWithTheSummaryBehind() {
    var streamed =
        new View<>(
            new Shape<>("sample", new Layout.Table<>(), COLUMNS, TOTALS),
            sink -> ROWS.forEach(sink::test),
            () -> SUMMARY);

    Golden.check("render/streamed.json", write(Format.JSON, TextStyle.PLAIN, streamed));
  }
}
