package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.ProfilingHeader;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.closure.Words;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** One closure, decoded. */
@Command(
    name = "closure",
    header = "Show one closure: its type, size, fields and what it refers to.",
    footer = {"", "Example:", "  ghc-debug closure app.sock 0x4200105010"})
final class ShowClosure implements Verb {
  /** What a closure holds besides references. */
  record Detail(String name, String value) {}

  /** A closure. */
  record Row(
      ClosureRow closure,
      @Nullable String constructor,
      @Nullable String source,
      long info,
      List<ClosureRow> references,
      List<Detail> details) {}

  /** Raw words are shown up to this many. */
  private static final int MOST_WORDS = 64;

  private static final Shape<Row, Void> SHAPE =
      Shape.facts(
          "closure",
          List.<Column<Row>>of(
              new Column.Address<>("address", row -> row.closure().address()),
              new Column.Text<>("closure", row -> row.closure().closure()),
              new Column.Text<>("type", row -> row.closure().type()),
              new Column.Bytes<>("bytes", row -> row.closure().bytes()),
              new Column.Text<>("constructor", Row::constructor),
              new Column.Text<>("source", Row::source),
              new Column.Address<>("info", Row::info),
              new Column.Records<>(
                  "details",
                  List.<Column<Detail>>of(
                      new Column.Text<>("name", Detail::name),
                      new Column.Text<>("value", Detail::value)),
                  Row::details),
              new Column.Records<>("references", ClosureRow.REFERENCE_COLUMNS, Row::references)));

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
    Heap heap = session.view().heap();
    Closure closure = ClosureRow.require(heap, address);
    List<ClosureRow> references = ClosureRow.references(heap, heap.references(closure));
    var row =
        new Row(
            ClosureRow.of(heap, null, closure.address().address(), closure),
            heap.findConstructorName(closure.info()).map(ConstructorName::toString).orElse(null),
            heap.findSourceInfo(closure.info()).map(SourceInfo::position).orElse(null),
            closure.info().address().address(),
            references,
            details(heap, closure));
    return View.of(
        SHAPE,
        List.of(row),
        summary(closure, references).withNotes(Redacted.notes(session.view())));
  }

  private static Summary<Void> summary(Closure closure, List<ClosureRow> references) {
    return closure instanceof Closure.Unknown unknown
        ? Summary.of(false, List.of("this closure is not understood: " + unknown.problem()), null)
        : ClosureRow.summary(references);
  }

  private static List<Detail> details(Heap heap, Closure closure) {
    var details = new ArrayList<Detail>();
    ProfilingHeader profiling = closure.profiling();
    if (profiling != null) {
      add(
          details,
          "cost-centre stack",
          heap.findCostCentreStackName(profiling.ccs().address())
              .orElse(profiling.ccs().toString()));
      add(details, "profiling word", hex(profiling.word()));
    }
    switch (closure) {
      case Closure.Constr c -> words(details, c.nonPointers());
      case Closure.Fun c -> words(details, c.nonPointers());
      case Closure.Thunk c -> words(details, c.nonPointers());
      case Closure.Prim c -> words(details, c.nonPointers());
      case Closure.Selector c -> add(details, "selected field", c.info().selectorField());
      case Closure.Pap c -> add(details, "arity that remains", c.arity());
      case Closure.Ap c -> add(details, "arity", c.arity());
      case Closure.ApStack c -> add(details, "frames", c.frames().frames().size());
      case Closure.Bco c -> add(details, "arity", c.arity());
      case Closure.TVar c -> add(details, "updates", c.updates());
      case Closure.ArrWords c -> {
        add(details, "size", Values.count(c.sizeBytes()) + " bytes");
        words(details, c.data());
      }
      case Closure.MutArrPtrs c -> add(details, "elements", Values.count(c.elements().size()));
      case Closure.SmallMutArrPtrs c -> add(details, "elements", Values.count(c.elements().size()));
      case Closure.Tso c -> {
        add(details, "thread", c.id());
        add(details, "next", c.whatNext());
        add(details, "blocked", c.blockReason());
        add(details, "flags", c.flags());
        add(details, "stack size", Values.bytes(Target.WORD_BYTES * (long) c.stackWords()));
      }
      case Closure.Stack c -> {
        add(details, "frames", c.frames().frames().size());
        add(details, "stack pointer", hex(c.spAddr()));
        add(details, "area", Values.bytes(Target.WORD_BYTES * (long) c.areaWords()));
      }
      case Closure.Continuation c -> add(details, "frames", c.frames().frames().size());
      case Closure.TrecChunk c -> add(details, "entries", c.entries().size());
      case Closure.CompactNfData c ->
          add(details, "region", Values.bytes(c.totalWords() * Target.WORD_BYTES));
      case Closure.Unknown c -> words(details, c.words());
      case Closure.Ind _,
          Closure.BlackHole _,
          Closure.BlockingQueue _,
          Closure.MVar _,
          Closure.MutVar _,
          Closure.Weak _ -> {}
    }
    return details;
  }

  private static void words(List<Detail> details, Words words) {
    if (words.size() > 0) {
      int shown = Math.min(words.size(), MOST_WORDS);
      String text =
          IntStream.range(0, shown)
              .mapToObj(i -> hex(words.get(i)))
              .collect(Collectors.joining(" "));
      add(details, "words", shown < words.size() ? text + " …" : text);
    }
  }

  private static String hex(long word) {
    return "0x" + Long.toHexString(word);
  }

  private static void add(List<Detail> details, String name, Object value) {
    details.add(new Detail(name, value.toString()));
  }
}
