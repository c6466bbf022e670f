package org.ghcdebug.client.query;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.jspecify.annotations.Nullable;

/**
 * A name of closures as users write it; the rule is in the package's description.
 *
 * @param type name of a closure type, {@code null} for any
 * @param name of a constructor or binding, {@code null} for any
 * @param position in the source, as a census shows it; {@code null} for any
 */
public record ClosureName(@Nullable String type, @Nullable Name name, @Nullable String position) {
  private static final Pattern TYPE = Pattern.compile("<(\\w+)>(?:\\s+|$)");
  private static final Pattern POSITION = Pattern.compile("(?:^|\\s+)\\(((?!near )[^():]+:.+)\\)$");

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException when it is empty
   */
  public static ClosureName parse(String text) {
    String name = text.strip();
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          "an empty name; expected one such as Session, Main.Session or main:Main.Session");
    }
    Matcher typed = TYPE.matcher(name);
    String type = typed.lookingAt() ? typed.group(1) : null;
    name = type == null ? name : name.substring(typed.end());
    Matcher located = POSITION.matcher(name);
    String position = located.find() ? located.group(1) : null;
    name = position == null ? name : name.substring(0, located.start());
    return new ClosureName(type, name.isEmpty() ? null : Name.parse(name), position);
  }

  /** Whether closures with that info table are meant. Names are asked of the heap. */
  public boolean matches(InfoTable info, Heap heap) {
    return (type == null || info.type().name().equals(type))
        && (name == null || name.matches(info, heap) || isShownAs(name.text(), info, heap))
        && (position == null
            || heap.findSourceInfo(info).filter(it -> it.position().equals(position)).isPresent());
  }

  /** Whether that is what closures with nothing better are called, such as {@code ARR_WORDS}. */
  private static boolean isShownAs(String text, InfoTable info, Heap heap) {
    return heap.findCodeName(info).isEmpty() && heap.displayName(info).equals(text);
  }

  /**
   * What a constructor or binding is called.
   *
   * @param text all of it, as written
   * @param packageName empty for any
   * @param modules parts of the module's name that follow one another in it; empty for any
   * @param last name of the constructor; or of a binding, with any number of those around it
   */
  public record Name(String text, String packageName, List<String> modules, String last) {
    // The colon after a package is not that of an operator: something precedes it, no dot does.
    private static final Pattern NOTATION =
        Pattern.compile(
            "((?<package>[\\p{Alnum}][\\w.-]*(?<!\\.)):(?=.))?"
                + "(?<module>(\\p{Lu}[\\w']*\\.)*)(?<name>.+)",
            Pattern.UNICODE_CHARACTER_CLASS);

    /** Where GHC 9.10 and newer keep most modules of base. */
    private static final String INTERNAL = "GHC.Internal.";

    public Name {
      modules = List.copyOf(modules);
    }

    static Name parse(String text) {
      Matcher matcher = NOTATION.matcher(text);
      if (!matcher.matches()) {
        return new Name(text, "", List.of(), text);
      }
      String packageName = matcher.group("package");
      String module = matcher.group("module");
      return new Name(
          text,
          packageName == null ? "" : packageName,
          module.isEmpty() ? List.of() : List.of(module.split("\\.")),
          matcher.group("name"));
    }

    boolean matches(InfoTable info, Heap heap) {
      Optional<ConstructorName> constructor = heap.findConstructorName(info);
      if (constructor.isPresent()) {
        return matchesConstructor(constructor.get());
      }
      return heap.findCodeName(info).filter(text::equals).isPresent()
          || heap.findSourceInfo(info)
              .map(this::matchesCode)
              .or(() -> exactSymbol(info, heap).map(this::matchesConstructor))
              .orElse(false);
    }

    /** The name of exported code by its symbol, which has the parts of a constructor's. */
    private static Optional<ConstructorName> exactSymbol(InfoTable info, Heap heap) {
      return !info.type().isCode()
          ? Optional.empty()
          : heap.findSymbol(info)
              .filter(CodeSymbol::isExact)
              .map(it -> new ConstructorName(it.unit(), it.module(), it.name()));
    }

    boolean matchesConstructor(ConstructorName constructor) {
      return constructor.qualifiedName().equals(text)
          || constructor.name().equals(last)
              && hasParts(constructor.module())
              && (packageName.isEmpty()
                  || constructor.packageName().equals(packageName)
                  || constructor.unit().equals(packageName));
    }

    private boolean matchesCode(SourceInfo code) {
      if (!code.label().isEmpty()) {
        return code.label().equals(text) || isIn(code.module(), code.label());
      }
      return isIn(code.module(), code.tableName())
          || isIn(code.module(), CodeSymbol.parse(code.tableName(), true).name());
    }

    private boolean isIn(String module, String binding) {
      return (binding.equals(last) || binding.endsWith("." + last)) && hasParts(module);
    }

    private boolean hasParts(String module) {
      return modules.isEmpty()
          || hasParts(module, String.join(".", modules))
          || module.startsWith(INTERNAL)
              && hasParts("GHC." + module.substring(INTERNAL.length()), String.join(".", modules));
    }

    private static boolean hasParts(String module, String parts) {
      return ("." + module + ".").contains("." + parts + ".");
    }
  }
}
