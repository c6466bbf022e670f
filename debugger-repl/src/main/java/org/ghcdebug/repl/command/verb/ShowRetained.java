package org.ghcdebug.repl.command.verb;

import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** What one closure keeps alive. */
@Command(
    name = "retained",
    header = "Show how much a closure keeps alive by itself, and what that is.",
    footer = {"", "Example:", "  ghc-debug retained app.sock 0x4200105010"})
final class ShowRetained implements Verb {
  /** Closures of one constructor or type that go when the closure goes. */
  record Part(String key, long count, long bytes) {
    private Part plus(Part other) {
      return new Part(key, count + other.count, bytes + other.bytes);
    }
  }

  /** The closure. */
  record Row(
      long address,
      String closure,
      String type,
      long shallowBytes,
      long retainedCount,
      long retainedBytes,
      List<Part> retained) {}

  private static final Shape<Row, Void> SHAPE =
      Shape.facts(
          "retained",
          List.<Column<Row>>of(
              new Column.Address<>("address", Row::address),
              new Column.Text<>("closure", Row::closure),
              new Column.Text<>("type", Row::type),
              new Column.Bytes<>("shallowBytes", Row::shallowBytes),
              new Column.Count<>("retainedCount", Row::retainedCount),
              new Column.Bytes<>("retainedBytes", Row::retainedBytes),
              new Column.Records<>(
                  "retained",
                  List.<Column<Part>>of(
                      new Column.Text<>("key", Part::key),
                      new Column.Count<>("count", Part::count),
                      new Column.Bytes<>("bytes", Part::bytes)),
                  Row::retained)));

  @Parameters(paramLabel = "ADDR", description = "The closure.")
  private Address address = new Address(0);

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
  }

  @Override
  public boolean needsTarget() {
    return true;
  }

  @Override
  public View<?, ?> run(Session session) {
    Work work = session.work();
    HeapView view = session.view();
    var reading = new GraphReading(view, work);
    HeapGraph graph = reading.graph();
    int id = reading.require(address);
    Dominators dominators = view.retainedSizes(work);
    BitSet retained = dominators.retainedSet(id);
    var row =
        new Row(
            graph.address(id),
            reading.name(id),
            reading.type(id),
            graph.sizeBytes(id),
            retained.cardinality(),
            dominators.retainedBytes(id),
            parts(reading, retained));
    return View.of(SHAPE, List.of(row), Completeness.of(graph.missing(), null));
  }

  private static List<Part> parts(GraphReading reading, BitSet closures) {
    HeapGraph graph = reading.graph();
    long[] counts = new long[graph.infoCount()];
    long[] bytes = new long[graph.infoCount()];
    for (int id = closures.nextSetBit(0); id >= 0; id = closures.nextSetBit(id + 1)) {
      counts[graph.infoId(id)]++;
      bytes[graph.infoId(id)] += graph.sizeBytes(id);
    }
    Map<String, Part> parts = new TreeMap<>();
    for (int infoId = 0; infoId < counts.length; infoId++) {
      if (counts[infoId] > 0) {
        String key = reading.constructor(graph.info(infoId));
        parts.merge(key, new Part(key, counts[infoId], bytes[infoId]), Part::plus);
      }
    }
    return parts.values().stream()
        .sorted(Comparator.comparingLong(Part::bytes).reversed().thenComparing(Part::key))
        .toList();
  }
}
