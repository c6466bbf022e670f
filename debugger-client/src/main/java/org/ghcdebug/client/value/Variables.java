package org.ghcdebug.client.value;

import java.util.Map;
import org.ghcdebug.protocol.closure.Closure;

/** Mutable variables and threads. They have no {@code Show} instance, except ThreadId. */
final class Variables {
  private Variables() {}

  static void addTo(Map<String, Notation> notations) {
    notations.put("GHC.STRef.STRef", boxed("IORef"));
    notations.put("GHC.MVar.MVar", boxed("MVar"));
    notations.put("GHC.Conc.Sync.TVar", boxed("TVar"));
    notations.put(
        "GHC.Conc.Sync.ThreadId",
        new Notation(
            1,
            0,
            (out, constr, _) -> {
              Closure thread = out.findClosure(constr.pointers().get(0));
              out.text(
                  thread instanceof Closure.Tso tso
                      ? "ThreadId " + Long.toUnsignedString(tso.id())
                      : "<thread>");
            }));
  }

  /** An IORef is an STRef at run time, and by far the commoner one. */
  private static Notation boxed(String kind) {
    return new Notation(
        1,
        0,
        (out, constr, precedence) -> {
          long pointer = constr.pointers().get(0);
          switch (out.findClosure(pointer)) {
            case Closure.MutVar variable -> out.variable(kind, variable.value());
            case Closure.MVar variable -> out.variable(kind, variable.value());
            case Closure.TVar variable -> out.variable(kind, variable.currentValue());
            case null, default -> out.value(pointer, precedence);
          }
        });
  }
}
