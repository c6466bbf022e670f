package org.ghcdebug.client.source.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.HeapFacts;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.junit.jupiter.api.io.TempDir;

/** Heaps of real programs, read in every way there is. */
class LiveSnapshotTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @DebuggeeTest
  void readsTheSameLiveCopiedAndFromBothKindsOfFile(String ghc) throws IOException {
    for (String way : new String[] {"", "-prof"}) {
      Path ours = folder.resolve("ours" + way);
      Path reference = folder.resolve("reference" + way);
      try (RunningProgram program = TestPrograms.start(ghc, "bigmap" + way, "100").awaitReady();
          SocketSource live = SocketSource.connect(program.socket(), TIMEOUT)) {
        live.pause();
        try (SnapshotWriter writer = SnapshotWriter.create(ours, live.target(), Map.of());
            HeapCopy copy = HeapCopy.take(writer.recording(live), Work.UNATTENDED);
            FileChannel channel =
                FileChannel.open(reference, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
          HeapFacts facts = HeapFacts.of(copy);
          HeapFacts.of(live, copy).withoutBytes().assertSame(facts.withoutBytes());

          writer.finish(copy, Work.UNATTENDED);
          try (SnapshotSource read = SnapshotSource.open(ours);
              HeapCopy again = HeapCopy.take(read, Work.UNATTENDED)) {
            facts.assertSame(HeapFacts.of(read, again));
            facts.assertSame(HeapFacts.of(again));
            assertEquals(copy.symbols(copy.infoAddrs()), read.symbols(copy.infoAddrs()));
            assertEquals(
                copy.costCentreStacks(copy.costCentreStackAddrs()),
                again.costCentreStacks(again.costCentreStackAddrs()));
            assertEquals(way.isEmpty(), again.costCentreStackAddrs().isEmpty());
          }

          ReferenceSnapshots.write(copy, channel, Work.UNATTENDED);
          try (ReferenceSnapshotSource read = ReferenceSnapshotSource.open(reference);
              HeapCopy again = HeapCopy.take(read, Work.UNATTENDED)) {
            facts.assertSame(HeapFacts.of(read, again));
          }
        }
      }
    }
  }

  @DebuggeeTest
  void theFileIsAFifthOfTheBlocksAtMost(String ghc) throws IOException {
    Path file = folder.resolve("snapshot");
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "20000").awaitReady();
        SocketSource live = SocketSource.connect(program.socket(), TIMEOUT)) {
      live.pause();
      try (HeapCopy copy = HeapCopy.take(live, Work.UNATTENDED)) {
        live.resume();
        SnapshotWriter.write(copy, file, Map.of(), Work.UNATTENDED);
        assertTrue(5 * Files.size(file) <= copy.image().sizeBytes());
      }
    }
  }
}
