package org.ghcdebug.protocol.closure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConstructorNameTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '"',
      value = {
        "ghc-prim:GHC.Types.I# ghc-prim GHC.Types I#",
        "ghc-prim:GHC.Types.: ghc-prim GHC.Types :",
        "ghc-prim:GHC.Types.[] ghc-prim GHC.Types []",
        "ghc-prim:GHC.Tuple.Prim.(,) ghc-prim GHC.Tuple.Prim (,)",
        "base:GHC.Base.:| base GHC.Base :|",
        "main:Main.:. main Main :.",
        "main:Main.:.+. main Main :.+.",
        "main:Main.Rec main Main Rec",
        "main:A.Élan main A Élan",
        "base:GHC.Show.C:Show base GHC.Show C:Show",
        "containers-0.6.7:Data.Map.Internal.Bin containers-0.6.7 Data.Map.Internal Bin",
      })
  void splitsUnitModuleAndName(String text, String unit, String module, String name) {
    assertEquals(new ConstructorName(unit, module, name), ConstructorName.parse(text));
    assertEquals(text, ConstructorName.parse(text).toString());
  }

  @ParameterizedTest
  @CsvSource({"END_TSO_QUEUE", "SRT_3", "''", ":", "main:", "main:Rec", "main:Main.", ":Main.Rec"})
  void anythingElseIsANameAlone(String text) {
    assertEquals(new ConstructorName("", "", text), ConstructorName.parse(text));
    assertEquals(text, ConstructorName.parse(text).toString());
  }

  @ParameterizedTest
  @CsvSource({
    "main, main",
    "ghc-prim, ghc-prim",
    "containers-0.6.7, containers",
    "text-2.1.3-inplace, text",
    "vector-0.13.1.0-Jdel1KiNlSEIXGg2MpN3IL, vector",
    "bytestring-0.12.2-3c4f, bytestring",
    "'', ''",
  })
  void packageNameHasNoVersion(String unit, String packageName) {
    assertEquals(packageName, new ConstructorName(unit, "M", "C").packageName());
  }

  @Test
  void qualifiedNameLeavesOutTheUnit() {
    assertEquals("Main.Rec", new ConstructorName("main", "Main", "Rec").qualifiedName());
    assertEquals("NO_TREC", new ConstructorName("", "", "NO_TREC").qualifiedName());
  }
}
