package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Summary;
import org.jspecify.annotations.Nullable;

/**
 * A closure in a list of closures.
 *
 * @param field the place that refers to it, or its name; null where the list has neither
 * @param closure its name; null when it could not be read, and so are type and bytes
 */
record ClosureRow(
    @Nullable String field,
    long address,
    @Nullable String closure,
    @Nullable String type,
    @Nullable Long bytes) {
  /** Columns of lists without places. */
  static final List<Column<ClosureRow>> COLUMNS =
      List.of(
          new Column.Address<>("address", ClosureRow::address),
          new Column.Text<>("closure", ClosureRow::closure),
          new Column.Text<>("type", ClosureRow::type),
          new Column.Bytes<>("bytes", ClosureRow::bytes));

  /** Columns of what a closure refers to. */
  static final List<Column<ClosureRow>> REFERENCE_COLUMNS =
      List.of(
          new Column.Text<>("field", ClosureRow::field),
          new Column.Address<>("address", ClosureRow::address),
          new Column.Text<>("closure", ClosureRow::closure),
          new Column.Text<>("type", ClosureRow::type),
          new Column.Bytes<>("bytes", ClosureRow::bytes));

  /** Columns of closures that have names. */
  static final List<Column<ClosureRow>> NAMED_COLUMNS =
      List.of(
          new Column.Text<>("name", ClosureRow::field),
          new Column.Address<>("address", ClosureRow::address),
          new Column.Text<>("closure", ClosureRow::closure),
          new Column.Text<>("type", ClosureRow::type),
          new Column.Bytes<>("bytes", ClosureRow::bytes));

  ClosureRow named(@Nullable String name) {
    return new ClosureRow(name, address, closure, type, bytes);
  }

  static ClosureRow of(Heap heap, @Nullable String field, long address, @Nullable Closure closure) {
    return closure == null
        ? new ClosureRow(field, address, null, null, null)
        : new ClosureRow(
            field,
            address,
            heap.displayName(closure),
            closure.info().type().toString(),
            closure.sizeWords() * Target.WORD_BYTES);
  }

  /**
   * The closure at an address.
   *
   * @throws UsageException when there is none
   */
  static Closure require(Heap heap, Address address) {
    Closure closure = heap.closures(AddressList.of(address.value())).getFirst();
    if (closure == null) {
      throw new UsageException(
          "no closure is at %s, or none that is recorded; find lists closures, and addresses are"
                  .formatted(address)
              + " good for one view of the heap");
    }
    return closure;
  }

  /** Closures with their names, in a round trip or two. */
  static List<@Nullable Closure> read(Heap heap, AddressList addresses) {
    List<@Nullable Closure> closures = heap.closures(addresses);
    heap.prefetchNames(closures.stream().filter(Objects::nonNull).map(Closure::info).toList());
    heap.closures(
        AddressList.of(
            closures.stream()
                .mapToLong(closure -> closure instanceof Closure.Tso thread ? thread.label() : 0)
                .toArray()));
    return closures;
  }

  /** Rows for addresses, read in one batch; those that cannot be read are there in any case. */
  static List<ClosureRow> list(Heap heap, AddressList addresses, ClosureSelection selection) {
    List<@Nullable Closure> closures = read(heap, addresses);
    var rows = new ArrayList<ClosureRow>(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      if (Filters.wants(selection, closures.get(i))) {
        rows.add(of(heap, null, Target.untag(addresses.get(i)), closures.get(i)));
      }
    }
    return rows;
  }

  /** Rows for what a closure refers to, read in one batch. */
  static List<ClosureRow> references(Heap heap, List<Edge> edges) {
    return references(heap, edges, ClosureSelection.ALL);
  }

  /** Rows for what a closure refers to, as far as it is wanted, read in one batch. */
  static List<ClosureRow> references(Heap heap, List<Edge> edges, ClosureSelection selection) {
    long[] targets = edges.stream().mapToLong(edge -> edge.target().address()).toArray();
    List<@Nullable Closure> closures = read(heap, AddressList.of(targets));
    var rows = new ArrayList<ClosureRow>(targets.length);
    for (int i = 0; i < targets.length; i++) {
      if (Filters.wants(selection, closures.get(i))) {
        rows.add(of(heap, field(edges.get(i)), targets[i], closures.get(i)));
      }
    }
    return rows;
  }

  /** The place that an edge starts from, as {@code [0]} or {@code queue head}. */
  static String field(Edge edge) {
    return switch (edge.kind()) {
      case PAYLOAD, ELEMENT -> "[%d]".formatted(edge.index());
      case ARGUMENT, STACK_SLOT, STACK_NEXT_CHUNK, TREC_TVAR, TREC_EXPECTED, TREC_NEW ->
          "%s %d".formatted(edge.kind().label(), edge.index());
      default -> edge.kind().label();
    };
  }

  /** Says how many of the rows could not be read. */
  static <T> Summary<T> summary(List<ClosureRow> rows) {
    long unread = rows.stream().filter(row -> row.closure() == null).count();
    return unread == 0
        ? Summary.ok()
        : Summary.of(
            false,
            List.of("%d of %d closures could not be read".formatted(unread, rows.size())),
            null);
  }
}
