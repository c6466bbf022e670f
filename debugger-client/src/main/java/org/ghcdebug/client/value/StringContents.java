package org.ghcdebug.client.value;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is in strings: {@code String}, {@code Text} and {@code ByteString} (a character a
 * byte), strict, lazy and short.
 *
 * <p>Of a {@code String} the first {@value #MAX_CELLS} characters are read, of others {@value
 * #MAX_CHARACTERS}; a lazy one only as far as it is evaluated. Not thread-safe, as the heap is not.
 */
public final class StringContents {
  /** Each cell of a String is a String, so that more would take the square of its length. */
  public static final int MAX_CELLS = 1000;

  public static final int MAX_CHARACTERS = 1 << 20;

  private static final String CONS = "GHC.Types.:";

  private final Heap heap;

  public StringContents(Heap heap) {
    this.heap = heap;
  }

  /** Whether closures with that info table can be strings. */
  public boolean canBeString(InfoTable info) {
    return heap.findConstructorName(info)
        .filter(name -> Texts.haveCharacters(name) || WellKnown.isNamed(name, CONS))
        .isPresent();
  }

  /** The string that begins at a closure; empty when there is none or it cannot be read. */
  public Optional<String> find(long pointer) {
    ValueWriter reader = new ValueWriter(heap, new PrintLimits(1, 1, MAX_CHARACTERS));
    Closure.Constr first = reader.findConstructor(pointer);
    Optional<ConstructorName> name = first == null ? Optional.empty() : reader.name(first);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    if (WellKnown.isNamed(name.get(), CONS)) {
      return list(reader, first);
    }
    int[] characters = Texts.characters(reader, first, name.get());
    return characters == null
        ? Optional.empty()
        : Optional.of(new String(characters, 0, Math.min(characters.length, MAX_CHARACTERS)));
  }

  private static Optional<String> list(ValueWriter reader, Closure.Constr first) {
    StringBuilder text = new StringBuilder();
    Set<Long> cells = new HashSet<>();
    Closure.@Nullable Constr cell = first;
    while (cell != null
        && reader.isCons(cell)
        && cells.size() < MAX_CELLS
        && cells.add(cell.address().address())
        && reader.isCharacter(cell.pointers().get(0))) {
      text.appendCodePoint(reader.character(cell.pointers().get(0)));
      cell = reader.findConstructor(cell.pointers().get(1));
    }
    return text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
  }
}
