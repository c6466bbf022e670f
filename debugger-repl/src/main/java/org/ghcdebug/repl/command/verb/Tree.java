package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A closure and what it refers to, to a depth.
 *
 * <p>Closures are read level by level, each level in one batch, so that depth costs round trips and
 * width does not.
 */
@Command(
    name = "tree",
    header = "Show a closure and what it refers to, as a tree.",
    description = {
      "",
      "A closure that is in the tree already is marked as repeated, and not followed again."
          + " --where",
      "leaves the closures that a filter wants, and those on the way to them."
    },
    footer = {"", "Example:", "  ghc-debug tree app.sock 0x4200105010 --depth 4"})
final class Tree implements Verb {
  /**
   * @param repeated whether its references are shown elsewhere in the tree
   */
  record Row(int depth, ClosureRow closure, boolean repeated) {}

  private static final Shape<Row, Void> SHAPE =
      new Shape<>(
          "tree",
          new Layout.Tree<>(Row::depth),
          List.<Column<Row>>of(
              new Column.Text<>("field", row -> row.closure().field()),
              new Column.Text<>("closure", row -> row.closure().closure()),
              new Column.Text<>("type", row -> row.closure().type()),
              new Column.Bytes<>("bytes", row -> row.closure().bytes()),
              new Column.Address<>("address", row -> row.closure().address()),
              new Column.Flag<>("repeated", Row::repeated),
              new Column.Count<>("depth", row -> (long) row.depth())),
          List.of());

  @Parameters(paramLabel = "ADDR", description = "The closure at the top.")
  private Address address = new Address(0);

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Follow references to this depth; 3 unless given.")
  private int depth = 3;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Show at most N closures; 1000 unless given.")
  private int limit = 1000;

  @Mixin private WhereOption where = new WhereOption();

  /** A closure of the tree, and where it hangs. */
  private record Node(@Nullable String field, long address, int depth, List<Node> children) {}

  private final Map<Long, @Nullable Closure> closures = new HashMap<>();
  private int count;
  private boolean cut;

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
    if (depth < 0 || limit < 1) {
      throw new UsageException("tree: --depth must be at least 0 and --limit at least 1");
    }
    HeapView view = session.view();
    Heap heap = view.heap();
    var top = new Node(null, Target.untag(address.value()), 0, new ArrayList<>());
    count = 1;
    closures.put(top.address(), ClosureRow.require(heap, address));
    List<Node> level = List.of(top);
    for (int i = 0; i < depth && !level.isEmpty(); i++) {
      session.work().checkStopped();
      level = expand(heap, level);
    }
    var rows = new ArrayList<Row>();
    addRows(heap, top, where.lazily(view, session.work()), new HashSet<>(), rows);
    return View.of(SHAPE, rows, summary(rows));
  }

  /** Adds the children of a level, and reads those not read yet. */
  private List<Node> expand(Heap heap, List<Node> level) {
    var next = new ArrayList<Node>();
    for (Node node : level) {
      Closure closure = closures.get(node.address());
      for (Edge edge : closure == null ? List.<Edge>of() : heap.references(closure)) {
        if (count == limit) {
          cut = true;
          break;
        }
        count++;
        var child =
            new Node(
                ClosureRow.field(edge),
                edge.target().address(),
                node.depth() + 1,
                new ArrayList<>());
        node.children().add(child);
        if (!closures.containsKey(child.address())) {
          closures.put(child.address(), null);
          next.add(child);
        }
      }
    }
    long[] addresses = next.stream().mapToLong(Node::address).toArray();
    List<@Nullable Closure> read = ClosureRow.read(heap, AddressList.of(addresses));
    for (int i = 0; i < addresses.length; i++) {
      closures.put(addresses[i], read.get(i));
    }
    return next;
  }

  private void addRows(
      Heap heap, Node node, ClosureSelection wanted, Set<Long> shown, List<Row> rows) {
    int at = rows.size();
    boolean repeated = !shown.add(node.address());
    rows.add(
        new Row(
            node.depth(),
            ClosureRow.of(heap, node.field(), node.address(), closures.get(node.address())),
            repeated));
    node.children().forEach(child -> addRows(heap, child, wanted, shown, rows));
    boolean leadsOn = rows.size() > at + 1;
    if (!leadsOn && !Filters.wants(wanted, closures.get(node.address()))) {
      rows.removeLast();
    }
  }

  private Summary<Void> summary(List<Row> rows) {
    Summary<Void> summary = ClosureRow.summary(rows.stream().map(Row::closure).toList());
    if (!cut) {
      return summary;
    }
    var warnings = new ArrayList<>(summary.warnings());
    warnings.add("only the first %d closures are shown; --limit N shows more".formatted(limit));
    return Summary.of(false, warnings, null);
  }
}
