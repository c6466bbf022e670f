package org.ghcdebug.client.analysis.assertion;

import java.util.BitSet;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapGraph;
import org.ghcdebug.client.query.Filter;
import org.ghcdebug.client.query.Operator;
import org.ghcdebug.client.query.Sizes;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.AddressList;
import org.jspecify.annotations.Nullable;

/**
 * An assertion: {@code FUNCTION(FILTER) OPERATOR NUMBER}.
 *
 * @param text as it was read
 * @param filter of the closures it is about
 * @param from for {@link Figure#REACHABLE}, where to start; else {@code null}
 * @param expected number of closures, or bytes
 */
public record HeapAssertion(
    String text,
    Figure figure,
    Filter filter,
    @Nullable Filter from,
    Operator operator,
    long expected) {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*(count|bytes|retained|reachable)\\s*\\((.*)\\)\\s*(!=|<=|>=|=|<|>)\\s*(\\S.*?)\\s*");
  private static final Pattern FROM = Pattern.compile("(.*),\\s*from\\s*:(.*)");

  /** What is compared. */
  public enum Figure {
    /** How many closures there are. */
    COUNT,
    /** Their sizes added up. */
    BYTES,
    /** Bytes that would be free if all of them were gone. */
    RETAINED,
    /** How many of them the closures of another filter lead to, themselves included. */
    REACHABLE
  }

  /**
   * What was found.
   *
   * @param actual number of closures, or bytes
   * @param holds whether the assertion does
   * @param hasStart false when there was nothing to start from, which holds for no assertion: what
   *     nothing leads to would pass every upper bound
   */
  public record Outcome(long actual, boolean holds, boolean hasStart) {}

  /** Whether a text looks like one whole assertion. */
  public static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }

  /**
   * Reads an assertion.
   *
   * @throws IllegalArgumentException saying what was expected
   */
  public static HeapAssertion parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is no assertion; expected one such as count(Main.Session) <= 100, bytes(EXPR) <"
                  .formatted(text)
              + " 10MiB, retained(EXPR) < 1GiB or reachable(EXPR, from: EXPR) = 0, in quotes");
    }
    Figure figure = Figure.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
    String filter = matcher.group(2);
    Filter from = null;
    if (figure == Figure.REACHABLE) {
      Matcher parts = FROM.matcher(filter);
      if (!parts.matches()) {
        throw new IllegalArgumentException(
            "\"%s\": expected reachable(EXPR, from: EXPR)".formatted(text));
      }
      filter = parts.group(1);
      from = Filter.parse(parts.group(2).strip());
    }
    return new HeapAssertion(
        text.strip(),
        figure,
        Filter.parse(filter.strip()),
        from,
        Operator.parse(matcher.group(3)),
        Sizes.parse(matcher.group(4)));
  }

  /**
   * Whether a heap of which something is missing could pass although it should not: what is missing
   * can only make figures larger.
   */
  public boolean isUpperBound() {
    return operator == Operator.LESS
        || operator == Operator.AT_MOST
        || operator == Operator.EQUAL
        || operator == Operator.NOT_EQUAL;
  }

  /**
   * Looks at a heap.
   *
   * @param bind binds filters to it
   * @param graph its graph, asked for only if it is needed
   */
  public Outcome test(
      HeapCopy copy,
      Function<Filter, ClosureSelection> bind,
      Supplier<HeapGraph> graph,
      Work work) {
    ClosureSelection selection = bind.apply(filter);
    AddressList starts = from == null ? AddressList.of() : addresses(copy, bind.apply(from), work);
    boolean hasStart = from == null || !starts.isEmpty();
    long actual =
        switch (figure) {
          case COUNT -> copy.tally(selection, work).totalCount();
          case BYTES -> copy.tally(selection, work).totalBytes();
          case RETAINED -> retained(copy, selection, graph.get(), work);
          case REACHABLE -> copy.reachableFrom(starts, work).tally(selection, work).totalCount();
        };
    return new Outcome(actual, hasStart && operator.holds(actual, expected), hasStart);
  }

  private static long retained(
      HeapCopy copy, ClosureSelection selection, HeapGraph graph, Work work) {
    BitSet closures = new BitSet(graph.size());
    copy.each(
        selection,
        closure -> {
          closures.set(graph.id(closure.address()));
          return true;
        },
        work);
    return RetainedTogether.bytes(graph, closures, work);
  }

  private static AddressList addresses(HeapCopy copy, ClosureSelection selection, Work work) {
    LongList addresses = new LongList();
    copy.each(
        selection,
        closure -> {
          addresses.add(closure.address());
          return true;
        },
        work);
    return AddressList.of(addresses.toArray());
  }
}
