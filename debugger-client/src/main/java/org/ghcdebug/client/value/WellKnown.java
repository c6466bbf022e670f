package org.ghcdebug.client.value;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.ConstructorName;

/**
 * Constructors with a notation of their own, by {@code Module.name}. Any unit is accepted, because
 * modules have moved between packages. A constructor of another shape than expected is shown like
 * any other.
 *
 * <p>The layouts are those of the libraries that come with, or are usual with, GHC 9.2 to 9.14.
 */
final class WellKnown {
  /** Where GHC 9.10 and newer keep most modules of base. */
  private static final String INTERNAL = "GHC.Internal.";

  private static final Map<String, Notation> NOTATIONS = new HashMap<>();

  static {
    Scalars.addTo(NOTATIONS);
    Texts.addTo(NOTATIONS);
    Containers.addTo(NOTATIONS);
    Variables.addTo(NOTATIONS);
  }

  private WellKnown() {}

  /** Writes a constructor; false when it has no notation of its own. */
  static boolean write(
      ValueWriter out, Closure.Constr constr, ConstructorName name, int precedence) {
    Optional<Notation> notation = find(constr, name);
    notation.ifPresent(found -> found.body().write(out, constr, precedence));
    return notation.isPresent();
  }

  /** Whether a constructor has a notation of its own, and the shape that goes with it. */
  static boolean isWellFormed(Closure.Constr constr, Optional<ConstructorName> name) {
    return name.flatMap(known -> find(constr, known)).isPresent();
  }

  private static Optional<Notation> find(Closure.Constr constr, ConstructorName name) {
    return names(name)
        .map(NOTATIONS::get)
        .filter(notation -> notation != null && notation.fits(constr))
        .findFirst();
  }

  /** Whether a constructor is the one of that module and name, wherever the module is now. */
  static boolean isNamed(ConstructorName name, String qualifiedName) {
    return names(name).anyMatch(qualifiedName::equals);
  }

  /** The qualified name, and those that it had before modules of base were moved. */
  static Stream<String> names(ConstructorName name) {
    String qualified = name.qualifiedName();
    if (!qualified.startsWith(INTERNAL)) {
      return Stream.of(qualified);
    }
    String moved = qualified.substring(INTERNAL.length());
    return Stream.of(qualified, "GHC." + moved, moved);
  }
}
