package org.ghcdebug.protocol.closure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a data constructor, not z-encoded.
 *
 * @param unit unit id such as {@code main} or {@code containers-0.6.7}; empty for the RTS's own
 * @param module such as {@code Data.Map.Internal}; empty for the RTS's own
 * @param name such as {@code Bin}, {@code :|} or {@code (,)}
 */
public record ConstructorName(String unit, String module, String name) {
  private static final Pattern VERSIONED = Pattern.compile("(.+)-[0-9]+(\\.[0-9]+)*(-.*)?");

  /**
   * Parses what an info table says: {@code unit:Module.Part.Con}. The unit ends at the first colon;
   * after it, parts that begin with an upper-case letter and end in a dot belong to the module, so
   * that an operator such as {@code :.} stays whole. A string of another form, such as the RTS's
   * {@code END_TSO_QUEUE}, is a name without unit and module.
   */
  public static ConstructorName parse(String description) {
    int colon = description.indexOf(':');
    int nameStart = colon + 1;
    int dot;
    while (startsUpperCase(description, nameStart)
        && (dot = description.indexOf('.', nameStart)) >= 0) {
      nameStart = dot + 1;
    }
    if (colon <= 0 || nameStart == colon + 1 || nameStart == description.length()) {
      return new ConstructorName("", "", description);
    }
    return new ConstructorName(
        description.substring(0, colon),
        description.substring(colon + 1, nameStart - 1),
        description.substring(nameStart));
  }

  private static boolean startsUpperCase(String text, int index) {
    if (index >= text.length()) {
      return false;
    }
    int first = text.codePointAt(index);
    return Character.isUpperCase(first) || Character.isTitleCase(first);
  }

  /** The unit without its version and what follows: {@code text} for {@code text-2.1.3-inplace}. */
  public String packageName() {
    Matcher matcher = VERSIONED.matcher(unit);
    return matcher.matches() ? matcher.group(1) : unit;
  }

  /** {@code Module.name}, or the name alone when there is no module. */
  public String qualifiedName() {
    return module.isEmpty() ? name : module + '.' + name;
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    return unit.isEmpty() && module.isEmpty() ? name : unit + ':' + qualifiedName();
  }
}
