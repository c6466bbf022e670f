package org.ghcdebug.protocol.closure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodeSymbolTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '"',
      value = {
        "containerszm0zi6zi7_DataziMapziInternal_insert_info containers-0.6.7 Data.Map.Internal"
            + " insert",
        "base_GHCziBase_zdp1Monad_info base GHC.Base $p1Monad",
        "Main_main1_info main Main main1",
        "Main_zdwgo_info main Main $wgo",
        "ghczmprim_GHCziTuple_Z1H_con_info ghc-prim GHC.Tuple (##)",
        "main_AziB_zlzbzgzu3_info main A.B <|>_3",
        "Main_z2218Uz_info main Main ∘z",
        "stg_ap_2_upd_info \"\" \"\" stg_ap_2_upd",
        "memcpy \"\" \"\" memcpy"
      })
  void parses(String symbol, String unit, String module, String name) {
    assertEquals(new CodeSymbol(unit, module, name, true), CodeSymbol.parse(symbol, true));
  }

  @ParameterizedTest
  @CsvSource({"true,Main.go", "false,Main.(near go)"})
  void saysWhenItIsAHintOnly(boolean isExact, String name) {
    assertEquals(name, CodeSymbol.parse("Main_go_info", isExact).qualifiedName());
  }
}
