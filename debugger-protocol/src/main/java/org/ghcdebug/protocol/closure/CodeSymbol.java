package org.ghcdebug.protocol.closure;

import java.util.Set;

/**
 * What the symbol table of an executable says about code: the best there is for a program without
 * an info-table map.
 *
 * <p>Only exported bindings have symbols. Other code is told by the symbol that follows it: local
 * functions and thunks stand before the binding that they are part of. The module is right then,
 * and the name a hint.
 *
 * @param unit unit id such as {@code containers-0.6.7}; {@code main} for the program's own modules;
 *     empty for the RTS's own code
 * @param module such as {@code Data.Map.Internal}; empty for the RTS's own code
 * @param name such as {@code insert} or {@code $wgo1}, not z-encoded
 * @param isExact false when it is only the next symbol behind the code
 */
public record CodeSymbol(String unit, String module, String name, boolean isExact) {
  private static final Set<String> SUFFIXES =
      Set.of("info", "closure", "entry", "ret", "static", "con", "slow", "fast");

  /**
   * Parses a linker's symbol such as {@code containerszm0zi6zi7_DataziMapziInternal_insert_info}.
   * One of another form is a name without unit and module, its {@code _info} cut off.
   *
   * @param isExact see the component
   */
  public static CodeSymbol parse(String symbol, boolean isExact) {
    String stem = symbol;
    int underscore;
    while ((underscore = stem.lastIndexOf('_')) > 0
        && SUFFIXES.contains(stem.substring(underscore + 1))) {
      stem = stem.substring(0, underscore);
    }
    String[] parts = stem.split("_", -1);
    for (int module = 0; module < 2 && module + 1 < parts.length; module++) {
      if (!parts[module].isEmpty() && Character.isUpperCase(parts[module].charAt(0))) {
        return new CodeSymbol(
            module == 0 ? "main" : ZEncoding.decode(parts[0]),
            ZEncoding.decode(parts[module]),
            ZEncoding.decode(parts[module + 1]),
            isExact);
      }
    }
    return new CodeSymbol("", "", stem, isExact);
  }

  /** {@code Module.name}, or {@code Module.(near name)}. */
  public String qualifiedName() {
    String shown = isExact ? name : "(near " + name + ')';
    return module.isEmpty() ? shown : module + '.' + shown;
  }
}
