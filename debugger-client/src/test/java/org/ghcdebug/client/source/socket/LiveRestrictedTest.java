package org.ghcdebug.client.source.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.source.PrefetchCache;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.HeapFacts;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.target.AddressList;
import org.junit.jupiter.api.Timeout;

/** A program that may not call process_vm_readv, as in some containers. */
@Timeout(60)
class LiveRestrictedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** In the RTS's reservation, far beyond any block of a small program. */
  private static final AddressList UNMAPPED = AddressList.of(0x5000000000L);

  @DebuggeeTest
  void theLibraryReadsMemoryByOtherMeans(String ghc) {
    String bigmap = TestPrograms.require(ghc, "bigmap").toString();
    try (RunningProgram program =
            TestPrograms.start(ghc, "without", "process_vm_readv", bigmap, "100").awaitReady();
        SocketSource source = SocketSource.connect(program.socket(), PATIENCE)) {
      source.pause();
      assertReadAlike(source);
      source.resume();
      source.fork(Duration.ZERO);
      assertReadAlike(source);
      source.resume();
      program.goOn();
      assertEquals(0, program.awaitExit());
    }
  }

  /** Closure by closure and in whole blocks. */
  private static void assertReadAlike(SocketSource source) {
    try (HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
      HeapFacts.of(copy)
          .withoutBytes()
          .assertSame(HeapFacts.of(PrefetchCache.over(source), copy).withoutBytes());
    }
    assertNull(source.closures(UNMAPPED).getFirst());
  }
}
