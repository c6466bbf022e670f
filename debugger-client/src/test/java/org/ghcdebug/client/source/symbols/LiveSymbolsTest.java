package org.ghcdebug.client.source.symbols;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.target.AddressList;

/** Symbols of running programs, against what the info-table map of the same programs says. */
class LiveSymbolsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @DebuggeeTest
  void theModuleIsThatOfTheInfoTableMap(String ghc) {
    for (String name : new String[] {"zoo", "zoo-dynamic", "leak", "leak-prof"}) {
      try (RunningProgram program = TestPrograms.start(ghc, name).awaitReady();
          SocketSource live = SocketSource.connect(program.socket(), TIMEOUT)) {
        live.pause();
        try (HeapCopy copy = HeapCopy.take(live, Work.UNATTENDED)) {
          List<String> fromMap = new ArrayList<>();
          List<String> fromSymbols = new ArrayList<>();
          int exact = 0;
          AddressList infoAddrs = copy.infoAddrs();
          for (int i = 0; i < infoAddrs.size(); i++) {
            AddressList infoAddr = AddressList.of(infoAddrs.get(i));
            InfoTable info = copy.infoTables(infoAddr).getFirst();
            SourceInfo source = copy.sourceInfos(infoAddr).getFirst();
            CodeSymbol symbol = copy.symbols(infoAddr).getFirst();
            assertNotNull(symbol, () -> "no symbol for " + info);
            if (info != null && info.type().isCode() && source != null) {
              fromMap.add(source.module());
              fromSymbols.add(symbol.module());
              if (symbol.isExact()) {
                exact++;
                assertEquals(source.tableName(), symbol.name() + "_info");
              }
            }
          }
          assertEquals(fromMap, fromSymbols, name);
          assertTrue(exact > 0, () -> "no exported binding on the heap of " + name);
        }
      }
    }
  }

  @DebuggeeTest
  void aProgramWithoutInfoTableMapHasNamesOfCode(String ghc) {
    try (RunningProgram program = TestPrograms.start(ghc, "list", "10").awaitReady();
        SocketSource live = SocketSource.connect(program.socket(), TIMEOUT)) {
      live.pause();
      try (HeapCopy copy = HeapCopy.take(live, Work.UNATTENDED)) {
        Heap heap = new Heap(copy);
        List<String> names =
            copy.infoTables(copy.infoAddrs()).stream()
                .filter(info -> info != null && info.type().isCode())
                .map(info -> heap.findCodeName(info).orElse("none of " + info))
                .toList();
        assertEquals(List.of(), names.stream().filter(text -> text.startsWith("none")).toList());
        assertTrue(names.stream().anyMatch(text -> text.startsWith("Main.")), names::toString);
      }
    }
  }
}
