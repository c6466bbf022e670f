package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.ghcdebug.client.analysis.dominator.Dominators;
import org.ghcdebug.client.analysis.dominator.Suspects;
import org.ghcdebug.client.analysis.dominator.ThunkChains;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.HeapCursor;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.index.ShortestPaths;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Values;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Where memory accumulates. */
@Command(
    name = "suspects",
    header = "Name what holds a large share of the heap: where it accumulates, and what holds it.",
    description = {
      "",
      "Lists, maps, arrays, chains of thunks and other structures that retain a tenth of the heap,",
      "and 256 KiB, or more; largest first. None means that memory is spread over many things.",
      "A large structure need not be a leak: compare two moments."
    },
    footer = {"", "Example:", "  ghc-debug suspects app.sock"})
final class ShowSuspects implements Verb {
  /** A closure on the way to the accumulation. */
  record Step(
      long address, String closure, String type, @Nullable String source, @Nullable String root) {}

  /**
   * An accumulation.
   *
   * @param share of the heap's bytes, in percent
   * @param what it in words
   * @param holder what holds it, in words
   * @param advice what to look at; null when there is nothing more to say
   * @param path from the root to the closure
   */
  record Row(
      long address,
      String closure,
      String type,
      @Nullable String source,
      long elements,
      long retainedBytes,
      double share,
      String what,
      String holder,
      @Nullable String advice,
      List<Step> path,
      List<RetainedPart> parts) {
    private String text() {
      var text = new StringBuilder();
      text.append(
          String.format(
              Locale.ROOT,
              "%.0f%% of the heap, %s: %s  %s",
              share,
              Values.bytes(retainedBytes),
              what,
              Values.address(address)));
      text.append("\n  held by ").append(holder);
      text.append("\n  made of ")
          .append(
              parts.stream()
                  .limit(MOST_PARTS)
                  .map(
                      part ->
                          "%s %s (%s)"
                              .formatted(
                                  Values.count(part.count()),
                                  part.key(),
                                  Values.bytes(part.bytes())))
                  .collect(Collectors.joining(", ")));
      if (advice != null) {
        text.append("\n  ").append(advice);
      }
      return text.toString();
    }
  }

  private static final int MOST_PARTS = 5;

  private static final String NONE =
      "no suspects: no list, map, array, chain of thunks or other structure retains a tenth of the"
          + " heap, and 256 KiB; see dominators and census for what there is";

  /** Slices use less than this part of their buffers, in percent, to be worth a word. */
  private static final int USED_PERCENT = 25;

  /** Thread, stack, and what a frame refers to. */
  private static final int STACK_STEPS = 3;

  private static final Shape<Row, Void> SHAPE =
      new Shape<>(
          "suspects",
          new Layout.Lines<>(Row::text, NONE),
          List.<Column<Row>>of(
              new Column.Address<>("address", Row::address),
              new Column.Text<>("closure", Row::closure),
              new Column.Text<>("type", Row::type),
              new Column.Text<>("source", Row::source),
              new Column.Count<>("elements", Row::elements),
              new Column.Bytes<>("retainedBytes", Row::retainedBytes),
              new Column.Decimal<>("share", Row::share),
              new Column.Text<>("what", Row::what),
              new Column.Text<>("holder", Row::holder),
              new Column.Text<>("advice", Row::advice),
              new Column.Records<>(
                  "path",
                  List.<Column<Step>>of(
                      new Column.Address<>("address", Step::address),
                      new Column.Text<>("closure", Step::closure),
                      new Column.Text<>("type", Step::type),
                      new Column.Text<>("source", Step::source),
                      new Column.Text<>("root", Step::root)),
                  Row::path),
              new Column.Records<>("parts", RetainedPart.COLUMNS, Row::parts)),
          List.of());

  @Mixin private WhereOption where = new WhereOption();

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
    Dominators dominators = view.retainedSizes(work);
    IntPredicate wanted = where.among(reading, work);
    List<Suspects.Suspect> suspects =
        Suspects.of(dominators, reading::kind, work).stream()
            .filter(suspect -> wanted.test(suspect.closureId()))
            .toList();
    var heads = new BitSet();
    suspects.forEach(suspect -> heads.set(suspect.closureId()));
    ShortestPaths paths =
        ShortestPaths.fromRoots(reading.graph(), ShortestPaths.Search.to(heads), work);
    List<Row> rows =
        suspects.stream()
            .map(suspect -> new Describer(view, reading, dominators, paths, work).row(suspect))
            .toList();
    return View.of(SHAPE, rows, Completeness.of(reading.graph().missing(), null));
  }

  /** Puts an accumulation into words. */
  private static final class Describer {
    private final HeapView view;
    private final Heap heap;
    private final GraphReading reading;
    private final HeapGraph graph;
    private final Dominators dominators;
    private final ShortestPaths paths;
    private final Work work;

    Describer(
        HeapView view,
        GraphReading reading,
        Dominators dominators,
        ShortestPaths paths,
        Work work) {
      this.view = view;
      this.heap = view.heap();
      this.reading = reading;
      this.graph = reading.graph();
      this.dominators = dominators;
      this.paths = paths;
      this.work = work;
    }

    Row row(Suspects.Suspect suspect) {
      int id = suspect.closureId();
      int[] path = paths.isReached(id) ? paths.pathTo(id) : new int[] {id};
      BitSet retained = dominators.retainedSet(id);
      return new Row(
          graph.address(id),
          reading.name(id),
          reading.type(id),
          reading.source(id),
          suspect.elements(),
          suspect.retainedBytes(),
          100.0 * suspect.retainedBytes() / graph.totalBytes(),
          what(suspect),
          suspect.heads() > 1 ? "several places each" : holder(path),
          advice(id, path, retained),
          steps(path),
          RetainedPart.of(graph, retained, this::part, this::partKind));
    }

    private List<Step> steps(int[] path) {
      List<Step> steps = new ArrayList<>();
      for (int id : path) {
        steps.add(
            new Step(
                graph.address(id),
                reading.name(id),
                reading.type(id),
                reading.source(id),
                steps.isEmpty() ? reading.rootKinds(id) : null));
      }
      return steps;
    }

    private String part(InfoTable info) {
      return GraphReading.isConstructorOrThunk(info)
          ? heap.displayName(info)
          : "<" + info.type() + ">";
    }

    private int partKind(int infoId) {
      return GraphReading.isConstructorOrThunk(graph.info(infoId)) ? reading.kind(infoId) : -1;
    }

    private String what(Suspects.Suspect suspect) {
      int id = suspect.closureId();
      String count = Values.count(suspect.elements());
      String name = reading.name(id);
      InfoTable info = graph.infoOf(id);
      if (suspect.heads() > 1) {
        return "%s closures %s, and what each of them holds".formatted(count, name);
      }
      if (ThunkChains.isThunk(info.type())) {
        return "%s thunks %s that hang one on another".formatted(count, name);
      }
      String kind = ShowMutables.kind(info.type());
      if (kind != null) {
        return kind.equals("mutable array")
            ? "a mutable array of %s elements".formatted(count)
            : "%s %ss, one inside another".formatted(count, kind);
      }
      return switch (info.type()) {
        case ARR_WORDS -> "one byte array";
        case MUT_ARR_PTRS_FROZEN_CLEAN,
            MUT_ARR_PTRS_FROZEN_DIRTY,
            SMALL_MUT_ARR_PTRS_FROZEN_CLEAN,
            SMALL_MUT_ARR_PTRS_FROZEN_DIRTY ->
            "an array of %s elements".formatted(count);
        case STACK -> "%s chunks of a stack".formatted(count);
        default -> constructor(name, count);
      };
    }

    private static String constructor(String name, String count) {
      return switch (name) {
        case "GHC.Types.:" -> "lists of %s cells".formatted(count);
        case "Data.Map.Internal.Bin" -> "a Map of %s entries".formatted(count);
        case "Data.Set.Internal.Bin" -> "a Set of %s elements".formatted(count);
        case "Data.IntMap.Internal.Bin" -> "an IntMap of %s inner nodes".formatted(count);
        default -> "%s closures %s, one inside another".formatted(count, name);
      };
    }

    /** The way from the root, without what stands between the ends of long ones. */
    private String holder(int[] path) {
      var words = new ArrayList<String>();
      String root = reading.rootKinds(path[0]);
      for (int i = 0; i < path.length - 1; i++) {
        if (i > 0
            && reading.kind(graph.infoId(path[i])) == reading.kind(graph.infoId(path[i - 1]))) {
          continue;
        }
        words.add(place(path[i]));
      }
      if (words.isEmpty()) {
        return "nothing: it is a root (%s)".formatted(root);
      }
      String first = root != null && root.contains("CAF") ? "" : root + " ";
      return first + String.join(" -> ", words);
    }

    private String place(int id) {
      ClosureType type = graph.infoOf(id).type();
      String kind = ShowMutables.kind(type);
      if (kind != null) {
        return kind;
      }
      return switch (type) {
        case STACK -> "its stack";
        case TSO -> thread(id);
        case IND_STATIC, THUNK_STATIC ->
            "the top-level value (CAF) at " + Values.address(graph.address(id));
        default -> reading.name(id);
      };
    }

    private String thread(int id) {
      String name = reading.name(id).replaceFirst("^thread ", "");
      return heap.closure(graph.address(id)) instanceof Closure.Tso thread
              && waits(thread) instanceof String reason
          ? "%s (waits %s)".formatted(name, reason)
          : name;
    }

    private static @Nullable String waits(Closure.Tso thread) {
      return switch (thread.blockReason()) {
        case MVAR, MVAR_READ -> "for an MVar";
        case STM -> "in an STM transaction";
        case BLACK_HOLE -> "for another thread's computation";
        case FOREIGN_CALL, INTERRUPTIBLE_FOREIGN_CALL -> "in foreign code";
        case DELAY -> "for a delay";
        case READ, WRITE -> "for a file descriptor";
        default -> null;
      };
    }

    private @Nullable String advice(int id, int[] path, BitSet retained) {
      String slices = slices(retained);
      if (slices != null) {
        return slices;
      }
      if (ThunkChains.isThunk(graph.infoOf(id).type())) {
        return "A value is changed again and again and never evaluated: evaluate it as it changes,"
            + " with foldl', modifyIORef', strict fields or a bang pattern.";
      }
      return switch (graph.infoOf(path[0]).type()) {
        case IND_STATIC, THUNK_STATIC ->
            "A top-level value stays as long as code that mentions it may run: make it a function,"
                + " or work it out anew for each use.";
        case TSO ->
            path.length <= STACK_STEPS
                    && heap.closure(graph.address(path[0])) instanceof Closure.Tso thread
                    && waits(thread) != null
                ? "The thread needs it for when it goes on; if what it waits for never comes, it"
                    + " keeps it for ever."
                : null;
        default -> null;
      };
    }

    /**
     * Says when byte arrays are kept for the sake of small slices of them. A redacted snapshot does
     * not tell how much a slice shows.
     */
    private @Nullable String slices(BitSet retained) {
      if (view.isRedacted()) {
        return null;
      }
      HeapCursor cursor = view.copy(work).cursor();
      boolean[] isSlice = new boolean[graph.infoCount()];
      boolean[] isArray = new boolean[graph.infoCount()];
      for (int infoId = 0; infoId < isSlice.length; infoId++) {
        InfoTable info = graph.info(infoId);
        isArray[infoId] = info.type() == ClosureType.ARR_WORDS;
        isSlice[infoId] = info.type().isConstructor() && isSlice(heap.displayName(info));
      }
      long allBytes = 0;
      long arrayBytes = 0;
      long usedBytes = 0;
      long slices = 0;
      for (int id = retained.nextSetBit(0); id >= 0; id = retained.nextSetBit(id + 1)) {
        long bytes = graph.sizeBytes(id);
        allBytes += bytes;
        if (isArray[graph.infoId(id)]) {
          arrayBytes += bytes;
        } else if (isSlice[graph.infoId(id)] && cursor.moveTo(graph.address(id))) {
          slices++;
          usedBytes += cursor.word(cursor.headerWords() + 2); // bytes, of Text 2 and ByteString
        }
      }
      return slices == 0 || arrayBytes < allBytes / 2 || usedBytes > arrayBytes / 100 * USED_PERCENT
          ? null
          : ("The %s Text or ByteString values show %s of %s in byte arrays: a slice keeps all of"
                  + " its buffer, a copy (Data.Text.copy) only what it shows.")
              .formatted(Values.count(slices), Values.bytes(usedBytes), Values.bytes(arrayBytes));
    }

    private static boolean isSlice(String name) {
      return name.equals("Data.Text.Internal.Text")
          || name.equals("Data.ByteString.Internal.Type.BS");
    }
  }
}
