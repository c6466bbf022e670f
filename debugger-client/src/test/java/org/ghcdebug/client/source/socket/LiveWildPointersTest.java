package org.ghcdebug.client.source.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RawClient;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.extension.ExtensionRequest;
import org.ghcdebug.protocol.extension.PauseState;
import org.ghcdebug.protocol.extension.PauseWay;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.wire.Status;
import org.junit.jupiter.api.Timeout;

/** Closures that are none: a client makes them out of what it sends. */
@Timeout(60)
class LiveWildPointersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int REACHABLE = 0x10b;
  private static final long ELEMENTS = 1L << 55;

  /** Of a REACHABLE request before its pointers. */
  private static final int HEAD_BYTES = 4 + 4 + 8 + 4 + 4;

  @DebuggeeTest
  void anArrayWithoutEndIsNotFollowed(String ghc) throws Exception {
    try (RunningProgram program = TestPrograms.start(ghc, "zoo").awaitReady();
        RawClient client = new RawClient(program);
        RawClient witness = new RawClient(program)) {
      long info = infoOfArrays(program);
      Duration budget = Duration.ofSeconds(1);
      client.ask(new ExtensionRequest.Pause(PauseWay.HOLD, false, budget, PATIENCE));
      long array =
          InputBuffers.find(frame -> client.ask(frame).payload()) + HEAD_BYTES + Long.BYTES;
      ByteBuf request = Unpooled.buffer().writeLongLE(1 << 20).writeInt(0).writeInt(4);
      for (long word : new long[] {array, info, ELEMENTS, ELEMENTS}) {
        request.writeLongLE(word);
      }

      RawClient.Answer answer = client.ask(REACHABLE, ByteBufUtil.getBytes(request));

      assertEquals(Status.OKAY, answer.status());
      assertEquals(array, answer.payload().getLongLE(0));
      assertEquals(0, answer.payload().getLongLE(Long.BYTES), "bytes of no closure");
      PauseState state;
      while ((state = witness.state()).isPaused()) {
        Thread.sleep(10);
      }
      assertEquals(PauseState.End.BUDGET_SPENT, state.lastEnd());
      program.goOn();
      assertEquals(0, program.awaitExit());
    }
  }

  private static long infoOfArrays(RunningProgram program) {
    try (SocketSource source = SocketSource.connect(program.socket(), PATIENCE)) {
      source.pause();
      try (HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED)) {
        AddressList infoAddrs = copy.infoAddrs();
        List<InfoTable> tables = copy.infoTables(infoAddrs);
        for (int i = 0; i < tables.size(); i++) {
          InfoTable table = tables.get(i);
          if (table != null && table.type() == ClosureType.MUT_ARR_PTRS_FROZEN_CLEAN) {
            return infoAddrs.get(i);
          }
        }
        throw new AssertionError("no array in the zoo");
      }
    }
  }
}
