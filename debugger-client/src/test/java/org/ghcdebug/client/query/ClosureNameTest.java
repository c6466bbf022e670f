package org.ghcdebug.client.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClosureNameTest {
  private final HeapBuilder builder =
      new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));

  private boolean matches(String name, Ref closure) {
    BuiltHeap built = builder.save(closure).build();
    Heap heap = new Heap(new StubHeapSource(built));
    return ClosureName.parse(name).matches(heap.closure(built.pointer(closure)).info(), heap);
  }

  @ParameterizedTest
  @CsvSource({
    "containers-0.6.7:Data.Map.Internal.Bin, Bin, true",
    "containers-0.6.7:Data.Map.Internal.Bin, Map.Bin, true",
    "containers-0.6.7:Data.Map.Internal.Bin, Internal.Bin, true",
    "containers-0.6.7:Data.Map.Internal.Bin, Data.Map.Internal.Bin, true",
    "containers-0.6.7:Data.Map.Internal.Bin, containers:Data.Map.Internal.Bin, true",
    "containers-0.6.7:Data.Map.Internal.Bin, containers-0.6.7:Bin, true",
    "containers-0.6.7:Data.Map.Internal.Bin, base:Data.Map.Internal.Bin, false",
    "containers-0.6.7:Data.Map.Internal.Bin, ata.Map.Internal.Bin, false",
    "containers-0.6.7:Data.Map.Internal.Bin, Data.Internal.Bin, false",
    "containers-0.6.7:Data.Map.Internal.Bin, bin, false",
    "containers-0.6.7:Data.Map.Internal.Bin, Tip, false",
    "ghc-prim:GHC.Types.:, :, true",
    "ghc-prim:GHC.Types.:, GHC.Types.:, true",
    "ghc-prim:GHC.Types.:, ghc-prim:GHC.Types.:, true",
    "base:GHC.Base.:|, :|, true",
    "base:GHC.Base.:|, GHC.Base.:|, true",
    "base:GHC.Base.:|, base:GHC.Base.:|, true",
    "main:Lens.:., Lens.:., true",
    "main:Main.Session', Main.Session', true",
    "main:Main.Session, <CONSTR_1_0>, true",
    "main:Main.Session, <CONSTR_0_1>, false",
  })
  void namesConstructors(String description, String name, boolean expected) {
    Ref field = builder.byteArray();
    Ref constr = builder.constr(builder.constructor(description, 1, 0, 1), field);

    assertEquals(expected, matches(name, constr));
  }

  @ParameterizedTest
  @CsvSource({
    "go, true",
    "main.go, true",
    "Main.go, true",
    "Main.main.go, true",
    "main:Main.go, true",
    "Other.go, false",
    "o, false",
    "main, false",
    "<THUNK_1_0>, true",
  })
  void namesCodeByItsBindings(String name, boolean expected) {
    Ref thunk =
        builder.thunk(
            builder.thunk(1, 0).withSource("Int", "main.go", "Main", "Main.hs:3:1-9"),
            builder.byteArray());

    assertEquals(expected, matches(name, thunk));
  }

  @Test
  void codeThatTellsNothingHasNoName() {
    Ref thunk = builder.thunk(builder.thunk(1, 0), builder.byteArray());

    assertEquals(false, matches("go", thunk));
  }

  @Test
  void anEmptyNameIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> ClosureName.parse(" "));
  }
}
