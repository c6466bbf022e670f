package org.ghcdebug.repl.render;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The rows of an answer, pushed one after another, so that they need not all exist at once.
 *
 * @param <R> the row
 */
@FunctionalInterface
public interface Rows<R> {
  /** Gives each row to {@code sink} in order, until it answers false. Called at most once. */
  void forEach(Predicate<? super R> sink);

  /** Rows that all exist already. */
  record Listed<R>(List<R> list) implements Rows<R> {
    public Listed {
      list = List.copyOf(list);
    }

    @Override
    public void forEach(Predicate<? super R> sink) {
      for (R row : list) {
        if (!sink.test(row)) {
          return;
        }
      }
    }
  }

  /** All rows, collected. */
  default List<R> toList() {
    if (this instanceof Listed<R>(var list)) {
      return list;
    }
    var all = new ArrayList<R>();
    forEach(all::add);
    return all;
  }
}
