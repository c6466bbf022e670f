package org.ghcdebug.client.junit;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.SourceInfo;

/** A name as a test writes it; see the package's description. */
sealed interface ClosureName {
  /** Whether closures with that info table are meant. Names are asked of the heap. */
  boolean matches(InfoTable info, Heap heap);

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException when it is empty
   */
  static ClosureName parse(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(
          "an empty name; expected one such as Session, Main.Session or main:Main.Session");
    }
    if (text.matches("<\\w+>")) {
      return new OfType(text.substring(1, text.length() - 1));
    }
    Matcher matcher = Named.NOTATION.matcher(text);
    if (!matcher.matches()) {
      return new Named("", List.of(), text);
    }
    String packageName = matcher.group("package");
    String module = matcher.group("module");
    return new Named(
        packageName == null ? "" : packageName,
        module.isEmpty() ? List.of() : List.of(module.split("\\.")),
        matcher.group("name"));
  }

  /**
   * A constructor or binding.
   *
   * @param packageName empty for any
   * @param modules parts of the module's name that follow one another in it; empty for any
   * @param name of the constructor; or of a binding, with any number of those around it
   */
  record Named(String packageName, List<String> modules, String name) implements ClosureName {
    // The colon after a package is not that of an operator: something precedes it, no dot does.
    private static final Pattern NOTATION =
        Pattern.compile(
            "((?<package>[\\p{Alnum}][\\w.-]*(?<!\\.)):(?=.))?"
                + "(?<module>(\\p{Lu}[\\w']*\\.)*)(?<name>.+)",
            Pattern.UNICODE_CHARACTER_CLASS);

    public Named {
      modules = List.copyOf(modules);
    }

    @Override
    public boolean matches(InfoTable info, Heap heap) {
      return heap.findConstructorName(info)
          .map(this::names)
          .orElseGet(() -> heap.findSourceInfo(info).map(this::names).orElse(false));
    }

    private boolean names(ConstructorName constructor) {
      return constructor.name().equals(name)
          && hasParts(constructor.module())
          && (packageName.isEmpty()
              || constructor.packageName().equals(packageName)
              || constructor.unit().equals(packageName));
    }

    private boolean names(SourceInfo code) {
      String binding = code.label().isEmpty() ? code.tableName() : code.label();
      return (binding.equals(name) || binding.endsWith("." + name)) && hasParts(code.module());
    }

    private boolean hasParts(String module) {
      return modules.isEmpty()
          || ("." + module + ".").contains("." + String.join(".", modules) + ".");
    }
  }

  /** Everything of a closure type. */
  record OfType(String type) implements ClosureName {
    @Override
    public boolean matches(InfoTable info, Heap heap) {
      return info.type().name().equals(type);
    }
  }
}
