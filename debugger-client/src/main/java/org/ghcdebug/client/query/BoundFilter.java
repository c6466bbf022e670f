package org.ghcdebug.client.query;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureCursor;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.ClosureTest;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapCursor;
import org.ghcdebug.client.index.RootKind;
import org.ghcdebug.client.value.StringContents;
import org.ghcdebug.client.value.StringData;
import org.ghcdebug.client.value.StringKind;
import org.ghcdebug.client.value.StringReader;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/** A filter over one heap: per info table the conditions that are left to ask of each closure. */
final class BoundFilter implements ClosureSelection {
  // RTS StgProfHeader: the words behind the info pointer of a profiled program's closures.
  private static final int CCS_WORD = 1;
  private static final int ERA_WORD = 2;

  private final Condition condition;
  private final Heap heap;
  private final ClosureFacts facts;
  private final StringContents strings;
  private final Map<Long, ClosureTest> tests = new HashMap<>(); // info address -> its test

  BoundFilter(Condition condition, Heap heap, ClosureFacts facts) {
    this.condition = condition;
    this.heap = heap;
    this.facts = facts;
    this.strings = new StringContents(heap);
  }

  @Override
  public ClosureTest of(InfoTable info) {
    return tests.computeIfAbsent(info.address().address(), _ -> test(condition, info));
  }

  private ClosureTest test(Condition part, InfoTable info) {
    return switch (part) {
      case Condition.Named(ClosureName name) -> decided(name.matches(info, heap));
      case Condition.ThreadNamed(String shown) ->
          info.type() == ClosureType.TSO
              ? closure -> isCalled(heap.displayName(heap.closure(closure.address())), shown)
              : ClosureTest.NEVER;
      case Condition.Not(Condition inner) -> not(test(inner, info));
      case Condition.And(Condition left, Condition right) ->
          and(test(left, info), test(right, info));
      case Condition.Or(Condition left, Condition right) ->
          not(and(not(test(left, info)), not(test(right, info))));
      case Condition.Comparison comparison -> test(comparison, info);
    };
  }

  private static boolean isCalled(String thread, String shown) {
    return thread.equals(shown) || thread.startsWith(shown + " ");
  }

  private Optional<CodeSymbol> symbol(InfoTable info) {
    return info.type().isCode() ? heap.findSymbol(info) : Optional.empty();
  }

  private static ClosureTest decided(boolean isWanted) {
    return isWanted ? ClosureTest.ALWAYS : ClosureTest.NEVER;
  }

  private static ClosureTest not(ClosureTest test) {
    if (test == ClosureTest.ALWAYS) {
      return ClosureTest.NEVER;
    }
    return test == ClosureTest.NEVER ? ClosureTest.ALWAYS : closure -> !test.test(closure);
  }

  private static ClosureTest and(ClosureTest left, ClosureTest right) {
    if (left == ClosureTest.NEVER || right == ClosureTest.ALWAYS) {
      return left;
    }
    if (right == ClosureTest.NEVER || left == ClosureTest.ALWAYS) {
      return right;
    }
    return closure -> left.test(closure) && right.test(closure);
  }

  private ClosureTest test(Condition.Comparison comparison, InfoTable info) {
    return switch (comparison.field()) {
      case TYPE ->
          text(
              comparison,
              info.type().name(),
              _ -> FilterParser.isOfType(info.type(), comparison.given()));
      case CONSTRUCTOR -> {
        Optional<ConstructorName> name = heap.findConstructorName(info);
        ClosureName.Name given = ClosureName.Name.parse(comparison.given());
        yield text(
            comparison,
            name.map(ConstructorName::qualifiedName).orElse(null),
            _ -> name.isPresent() && given.matchesConstructor(name.get()));
      }
      case NAME ->
          text(
              comparison,
              heap.findConstructorName(info)
                  .map(ConstructorName::qualifiedName)
                  .or(() -> heap.findCodeName(info))
                  .orElse(null),
              _ -> ClosureName.Name.parse(comparison.given()).matches(info, heap));
      case MODULE ->
          text(
              comparison,
              heap.findConstructorName(info)
                  .map(ConstructorName::module)
                  .or(() -> heap.findSourceInfo(info).map(SourceInfo::module))
                  .or(() -> symbol(info).map(CodeSymbol::module))
                  .filter(module -> !module.isEmpty())
                  .orElse(null),
              comparison.given()::equals);
      case PACKAGE -> {
        Optional<ConstructorName> name =
            heap.findConstructorName(info)
                .or(() -> symbol(info).map(it -> new ConstructorName(it.unit(), "", "")));
        yield text(
            comparison,
            name.map(ConstructorName::packageName).filter(it -> !it.isEmpty()).orElse(null),
            it ->
                it.equals(comparison.given())
                    || name.filter(n -> n.unit().equals(comparison.given())).isPresent());
      }
      case SOURCE ->
          text(
              comparison,
              heap.findSourceInfo(info).map(SourceInfo::position).orElse(null),
              position -> isWithin(position, comparison.given()));
      case INFO ->
          decided(comparison.operator().holds(info.address().address(), comparison.number()));
      case SIZE -> number(comparison, closure -> closure.sizeWords() * Target.WORD_BYTES);
      case ADDRESS -> number(comparison, ClosureCursor::address);
      case ERA -> number(comparison, closure -> closure.word(ERA_WORD));
      case RETAINED -> number(comparison, facts::retainedBytes);
      case GENERATION -> generation(comparison);
      case CCS -> costCentreStack(comparison);
      case TEXT -> contents(comparison, info);
      case ROOT -> root(comparison);
    };
  }

  /**
   * Decides by a text of the info table.
   *
   * @param value {@code null} where there is none: then it equals nothing and matches nothing
   * @param equals whether the value is the one given
   */
  private static ClosureTest text(
      Condition.Comparison comparison, @Nullable String value, Predicate<String> equals) {
    return decided(
        switch (comparison.operator()) {
          case EQUAL -> value != null && equals.test(value);
          case NOT_EQUAL -> value == null || !equals.test(value);
          default -> value != null && matches(comparison, value);
        });
  }

  private static boolean matches(Condition.Comparison comparison, String value) {
    Pattern pattern = comparison.pattern();
    return pattern != null && pattern.matcher(value).find();
  }

  /** Whether a position is the one given, or in the file or line given. */
  private static boolean isWithin(String position, String given) {
    return position.equals(given) || position.startsWith(given + ":");
  }

  private static ClosureTest number(
      Condition.Comparison comparison, ToLongFunction<ClosureCursor> value) {
    Operator operator = comparison.operator();
    long given = comparison.number();
    return closure -> operator.holds(value.applyAsLong(closure), given);
  }

  private ClosureTest generation(Condition.Comparison comparison) {
    Operator operator = comparison.operator();
    long given = comparison.number();
    return closure -> {
      int generation = facts.generation(closure);
      return generation < 0 ? operator == Operator.NOT_EQUAL : operator.holds(generation, given);
    };
  }

  private ClosureTest costCentreStack(Condition.Comparison comparison) {
    if (comparison.givesAddress()) {
      return number(comparison, closure -> closure.word(CCS_WORD));
    }
    Map<Long, Boolean> wanted = new HashMap<>(); // there are few stacks and many closures
    return closure ->
        wanted.computeIfAbsent(
            closure.word(CCS_WORD),
            ccsAddr ->
                isTextWanted(comparison, heap.findCostCentreStackName(ccsAddr).orElse(null)));
  }

  private static boolean isTextWanted(Condition.Comparison comparison, @Nullable String value) {
    return switch (comparison.operator()) {
      case EQUAL -> comparison.given().equals(value);
      case NOT_EQUAL -> !comparison.given().equals(value);
      default -> value != null && matches(comparison, value);
    };
  }

  private ClosureTest contents(Condition.Comparison comparison, InfoTable info) {
    if (!strings.canBeString(info)) {
      return decided(comparison.operator() == Operator.NOT_EQUAL);
    }
    HeapCopy copy = facts.copy();
    if (copy == null) {
      return closure -> isTextWanted(comparison, strings.find(closure.address()).orElse(null));
    }
    StringReader reader = new StringReader(heap, copy, StringContents.MAX_CELLS);
    StringKind kind = reader.kind(info);
    StringData data = reader.newData();
    HeapCursor cursor = copy.cursor();
    return closure ->
        isTextWanted(
            comparison,
            kind != null && cursor.moveTo(closure.address()) && reader.read(cursor, kind, data)
                ? data.text()
                : null);
  }

  private ClosureTest root(Condition.Comparison comparison) {
    return closure -> {
      Set<RootKind> kinds = facts.rootKinds(closure);
      return switch (comparison.operator()) {
        case EQUAL -> isRoot(kinds, comparison.given());
        case NOT_EQUAL -> !isRoot(kinds, comparison.given());
        default -> kinds.stream().anyMatch(kind -> matches(comparison, FilterParser.word(kind)));
      };
    };
  }

  private static boolean isRoot(Set<RootKind> kinds, String given) {
    return given.equals(FilterParser.NO_ROOT)
        ? kinds.isEmpty()
        : kinds.stream().anyMatch(kind -> FilterParser.word(kind).equals(given));
  }
}
