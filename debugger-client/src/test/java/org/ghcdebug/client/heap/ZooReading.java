package org.ghcdebug.client.heap;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.closure.FrameList;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.StackFrame;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.decode.EdgeSink;
import org.ghcdebug.protocol.decode.EdgeWalker;
import org.ghcdebug.protocol.decode.Layouts;
import org.ghcdebug.protocol.decode.Unresolved;
import org.ghcdebug.protocol.target.AddressList;
import org.jspecify.annotations.Nullable;

/**
 * All that can be reached in one paused run of the test program {@code zoo}: each closure decoded
 * from single requests, its edges found by the walker in a copy of the blocks, and its size as the
 * program itself states it. Immutable.
 */
final class ZooReading {
  /** How zoo was built and is run. */
  record Zoo(String ghc, String program, List<String> arguments) {
    @Override
    public String toString() {
      return String.join(" ", program, String.join(" ", arguments), "of GHC", ghc)
          .replace("  ", " ");
    }
  }

  private static final Map<Zoo, ZooReading> READ = new HashMap<>();

  final Map<String, String> facts;
  final HeapTally.Missing missing;
  final Map<ClosureType, Total> tallied;
  final Map<ClosureType, Total> reported;

  /** By address; those that could not be read are missing. */
  final Map<Long, Closure> closures = new TreeMap<>(Long::compareUnsigned);

  final Map<Long, List<Edge>> walked = new HashMap<>();
  final List<String> unresolved = new ArrayList<>();
  final Map<String, Long> constructors = new TreeMap<>();
  final Map<Long, String> labels = new HashMap<>();

  /** Closures and their words. */
  record Total(long count, long words) {
    Total plus(Total other) {
      return new Total(count + other.count, words + other.words);
    }
  }

  /** Reads a fresh run, once for all tests. */
  static synchronized ZooReading of(Zoo zoo) {
    ZooReading known = READ.get(zoo);
    if (known != null) {
      return known;
    }
    try (RunningProgram running =
            TestPrograms.start(zoo.ghc(), zoo.program(), zoo.arguments().toArray(String[]::new))
                .awaitReady();
        SocketSource source = SocketSource.connect(running.socket(), Duration.ofSeconds(60))) {
      source.pause();
      ZooReading reading = new ZooReading(running.facts(), source);
      READ.put(zoo, reading);
      return reading;
    }
  }

  private ZooReading(Map<String, String> facts, SocketSource source) {
    this.facts = facts;
    try (HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
      missing = copy.tally().missing();
      tallied = new TreeMap<>();
      for (HeapTally.Entry entry : copy.tally().entries()) {
        tallied.merge(
            entry.info().type(), new Total(entry.count(), entry.bytes() / 8), Total::plus);
      }
      LongList found = new LongList();
      copy.eachReachable(found::add);
      AddressList addresses = AddressList.of(found.toArray());

      reported = sizes(source, addresses);

      Heap heap = new Heap(source);
      List<@Nullable Closure> decoded = heap.closures(addresses);
      for (int i = 0; i < addresses.size(); i++) {
        Closure closure = decoded.get(i);
        if (closure != null) {
          closures.put(addresses.get(i), closure);
        }
      }
      walk(copy);
      name(heap);
    }
  }

  /** What command 5 says, which is the RTS's own size. */
  private static Map<ClosureType, Total> sizes(HeapSource source, AddressList addresses) {
    List<long @Nullable []> raw = source.closures(addresses);
    long[] infoAddrs = raw.stream().mapToLong(words -> words == null ? 0 : words[0]).toArray();
    List<@Nullable InfoTable> infos = source.infoTables(AddressList.of(infoAddrs));
    Map<ClosureType, Total> totals = new TreeMap<>();
    for (int i = 0; i < infoAddrs.length; i++) {
      long[] words = raw.get(i);
      InfoTable info = infos.get(i);
      if (words != null && info != null) {
        totals.merge(info.type(), new Total(1, words.length), Total::plus);
      }
    }
    return totals;
  }

  /** Fetches what the walker lacks and walks again, as often as that helps. */
  private void walk(HeapCopy copy) {
    EdgeWalker walker = new EdgeWalker(Layouts.of(copy.target()));
    Code code = new Code(copy);
    AddressList addresses =
        AddressList.of(closures.keySet().stream().mapToLong(Long::longValue).toArray());
    List<long @Nullable []> raw = copy.closures(addresses);
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      left.add(i);
    }
    while (!left.isEmpty()) {
      List<Integer> again = new ArrayList<>();
      Set<Unresolved> wanted = new HashSet<>();
      for (int i : left) {
        long address = addresses.get(i);
        long[] words = raw.get(i);
        if (words == null) {
          unresolved.add("not in the copy: 0x" + Long.toHexString(address));
          continue;
        }
        code.loadInfoTables(Set.of(words[0]));
        Edges edges = new Edges();
        InfoTable info = closures.get(address).info();
        walker.walk(info, address, ClosureWords.of(words), code, edges);
        walked.put(address, edges.found);
        List<Unresolved> loadable = edges.lacking.stream().filter(code::canLoad).toList();
        if (loadable.isEmpty()) {
          edges.lacking.forEach(what -> unresolved.add(info.type() + ": " + what));
        } else {
          wanted.addAll(loadable);
          again.add(i);
        }
      }
      code.load(wanted);
      left = again;
    }
  }

  private static final class Edges implements EdgeSink {
    final List<Edge> found = new ArrayList<>();
    final List<Unresolved> lacking = new ArrayList<>();

    @Override
    public void edge(EdgeKind kind, int index, long pointer) {
      found.add(new Edge(kind, index, pointer));
    }

    @Override
    public void unresolved(Unresolved what) {
      lacking.add(what);
    }
  }

  private void name(Heap heap) {
    heap.prefetchNames(
        closures.values().stream()
            .map(Closure::info)
            .filter(InfoTable::hasConstructorName)
            .toList());
    for (Closure closure : closures.values()) {
      heap.findConstructorName(closure.info())
          .ifPresent(name -> constructors.merge(name.qualifiedName(), 1L, Long::sum));
      if (closure instanceof Closure.Tso tso
          && closures.get(tso.label()) instanceof Closure.ArrWords text) {
        labels.put(tso.address().address(), text(text));
      }
    }
  }

  private static String text(Closure.ArrWords array) {
    StringBuilder text = new StringBuilder(); // zoo's labels are ASCII
    for (int i = 0; i < array.sizeBytes(); i++) {
      text.append((char) (array.data().get(i / 8) >>> 8 * (i % 8) & 0xff));
    }
    return text.toString();
  }

  /** All closures of a kind. */
  <C extends Closure> Stream<C> all(Class<C> kind) {
    return closures.values().stream().filter(kind::isInstance).map(kind::cast);
  }

  /** The frames of everything that has some. */
  Stream<FrameList> frameLists() {
    return closures.values().stream()
        .map(
            closure ->
                switch (closure) {
                  case Closure.Stack stack -> stack.frames();
                  case Closure.ApStack apStack -> apStack.frames();
                  case Closure.Continuation continuation -> continuation.frames();
                  default -> null;
                })
        .filter(list -> list != null);
  }

  Stream<StackFrame> frames() {
    return frameLists().flatMap(list -> list.frames().stream());
  }

  /** The words of a fact that lists some. */
  List<String> words(String key) {
    return Arrays.asList(facts.get(key).split(","));
  }
}
