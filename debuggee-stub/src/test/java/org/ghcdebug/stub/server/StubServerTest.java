package org.ghcdebug.stub.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Command;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.protocol.wire.Status;
import org.ghcdebug.stub.heap.BlockGroup;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.Code;
import org.ghcdebug.stub.heap.CompactRegion;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.ghcdebug.stub.heap.Slot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class StubServerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Response DONE = new Response.Done();

  @TempDir private Path folder;
  private Path path;
  private BuiltHeap heap;
  private Ref pair;
  private Ref number;
  private StubServer server;

  @BeforeEach
  void serve() throws IOException {
    var builder = new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));
    Code intCode = builder.constructor("ghc-prim:GHC.Types.I#", 0, 1, 0);
    Code pairCode = builder.constructor("main:Main.Pair", 2, 0, 1);
    number = builder.constr(intCode, Slot.word(42));
    pair = builder.constr(pairCode, number, number);
    builder.root(pair).save(number);
    heap = builder.build();
    path = folder.resolve("stub.sock");
    server = new StubServer(heap, path);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void answersWhatTheHeapHolds() throws IOException {
    long pairAddr = heap.pointer(pair);
    long numberAddr = heap.built(number).address().address();
    long infoAddr = heap.built(pair).code().infoAddr();
    try (var client = TestClient.connect(path)) {
      assertEquals(Response.Version.of(heap.target()), client.ask(new Request.Version()));
      assertEquals(DONE, client.ask(new Request.Pause()));
      assertEquals(addresses(pairAddr), client.ask(new Request.Roots()));
      assertEquals(addresses(numberAddr), client.ask(new Request.SavedObjects()));
      assertEquals(
          Response.MemoryChunks.of(
              List.of(new long[] {infoAddr, heap.pointer(number), heap.pointer(number)})),
          client.ask(new Request.Closures(AddressList.of(pairAddr))));
      assertEquals(
          Response.MemoryChunks.of(List.of(new long[] {2, 1L << 32 | 4})),
          client.ask(new Request.InfoTables(AddressList.of(infoAddr))));
      assertEquals(
          new Response.Text("main:Main.Pair"),
          client.ask(new Request.ConDescr(new InfoPtr(infoAddr))));
      assertEquals(
          new Response.NoSourceInfo(), client.ask(new Request.SourceInfo(new InfoPtr(infoAddr))));
      assertEquals(client.ask(new Request.AllBlocks()), client.ask(new Request.Block(pairAddr)));
      assertEquals(DONE, client.ask(new Request.Resume()));
    }
    assertEquals(1, server.served(Command.CLOSURES));
    assertEquals(0, server.served(Command.SRT));
  }

  @Test
  void aBadPointerInABatchSpoilsOnlyItsOwnEntry() throws IOException {
    long good = heap.pointer(pair);
    long info = heap.built(pair).code().infoAddr();
    try (var client = TestClient.connect(path)) {
      client.ask(new Request.Pause());
      var closures =
          (Response.MemoryChunks)
              client.ask(new Request.Closures(AddressList.of(0, good, 7, -1, good)));
      assertEquals(List.of(0, 3, 0, 0, 3), sizes(closures));
      var tables =
          (Response.MemoryChunks) client.ask(new Request.InfoTables(AddressList.of(info, 1, info)));
      assertEquals(List.of(2, 0, 2), sizes(tables));
      assertEquals(addresses(0, 0), client.ask(new Request.Srt(AddressList.of(info, 1))));
    }
  }

  static Stream<Request> requestsThatNeedThePause() {
    return Stream.of(
        new Request.Resume(),
        new Request.Roots(),
        new Request.Closures(AddressList.of()),
        new Request.InfoTables(AddressList.of()),
        new Request.StackBitmap(0, 0),
        new Request.AllBlocks(),
        new Request.Block(0),
        new Request.FunBitmap(0, 0),
        new Request.Srt(AddressList.of()));
  }

  @ParameterizedTest
  @MethodSource("requestsThatNeedThePause")
  void isRefusedWhileTheProgramRuns(Request request) throws IOException {
    try (var client = TestClient.connect(path)) {
      assertEquals(new Response.Refused(Status.NOT_PAUSED), client.ask(request));
      client.sendFrame(request.command().number()); // not even looked at
      assertEquals(new Response.Refused(Status.NOT_PAUSED), client.receive(request));
    }
  }

  static Stream<Request> requestsThatNeedNoPause() {
    return Stream.of(
        new Request.Version(),
        new Request.SavedObjects(),
        new Request.SourceInfo(new InfoPtr(0)),
        new Request.Pause());
  }

  @ParameterizedTest
  @MethodSource("requestsThatNeedNoPause")
  void isAnsweredWhileTheProgramRuns(Request request) throws IOException {
    try (var client = TestClient.connect(path)) {
      assertFalse(client.ask(request) instanceof Response.Refused);
    }
  }

  static Stream<Request> wildRequests() {
    return Stream.of(
        new Request.Pause(1),
        new Request.Pause(255),
        new Request.ConDescr(new InfoPtr(-1)),
        new Request.Block(0x1234),
        new Request.FunBitmap(0x1234, 3),
        new Request.Ccs(new CcsPtr(8)),
        new Request.CostCentre(8),
        new Request.IndexTable(8),
        new Request.CcsMain());
  }

  @ParameterizedTest
  @MethodSource("wildRequests")
  void wildRequestsGetBadCommand(Request request) throws IOException {
    try (var client = TestClient.connect(path)) {
      client.ask(new Request.Pause());
      assertEquals(new Response.Refused(Status.BAD_COMMAND), client.ask(request));
      assertEquals(
          new Response.Refused(Status.BAD_STACK), client.ask(new Request.StackBitmap(8, 8)));
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {"VERSION", "ROOTS", "SAVED_OBJECTS", "ALL_BLOCKS", "RESUME", "POLL", "CCS_MAIN"},
      mode = EnumSource.Mode.EXCLUDE)
  void shortRequestsGetBadCommand(Command command) throws IOException {
    try (var client = TestClient.connect(path)) {
      client.ask(new Request.Pause());
      client.sendFrame(command.number());
      assertEquals(new Response.Refused(Status.BAD_COMMAND), client.receive(new Request.Version()));
      assertEquals(1, server.nonsense());
    }
  }

  @Test
  void unknownAndOverlongRequestsGetBadCommandAndTheConnectionGoesOn() throws IOException {
    var refused = new Response.Refused(Status.BAD_COMMAND);
    try (var client = TestClient.connect(path)) {
      for (int command : new int[] {0, 10, 13, 22, 0x100, -1}) {
        client.sendFrame(command, new byte[8]);
        assertEquals(refused, client.receive(new Request.Version()));
      }
      client.sendFrame(Command.VERSION.number(), new byte[2 << 20]);
      assertEquals(refused, client.receive(new Request.Version()));
      client.sendFrame(Command.VERSION.number(), new byte[100]); // more than needed is ignored
      assertInstanceOf(Response.Version.class, client.receive(new Request.Version()));
    }
  }

  @Test
  void aRequestWithoutACommandIsTheLastOfItsConnection() throws IOException {
    try (var client = TestClient.connect(path)) {
      client.send(new byte[] {0, 0, 0, 3, 1, 2, 3});
      assertEquals(new Response.Refused(Status.BAD_COMMAND), client.receive(new Request.Version()));
      assertThrows(EOFException.class, () -> client.receive(new Request.Version()));
    }
    assertStillServes();
  }

  @Test
  void pausesOnceAndResumesOnce() throws IOException {
    try (var client = TestClient.connect(path)) {
      assertEquals(DONE, client.ask(new Request.Pause()));
      assertTrue(server.isPaused());
      assertEquals(new Response.Refused(Status.ALREADY_PAUSED), client.ask(new Request.Pause()));
      assertEquals(DONE, client.ask(new Request.Resume()));
      assertFalse(server.isPaused());
      assertEquals(new Response.Refused(Status.NOT_PAUSED), client.ask(new Request.Resume()));
    }
  }

  @Test
  void resumesWhenTheClientVanishes() throws Exception {
    try (var client = TestClient.connect(path)) {
      client.ask(new Request.Pause());
    }
    assertTrue(server.awaitPaused(false, PATIENCE));
  }

  @Test
  void resumesWhenTheClientVanishesInTheMiddleOfARequest() throws Exception {
    try (var client = TestClient.connect(path)) {
      client.ask(new Request.Pause());
      client.send(new byte[] {0, 0, 1});
    }
    assertTrue(server.awaitPaused(false, PATIENCE));
    assertStillServes();
  }

  @Test
  void aProgramsOwnPauseOutlivesAClientThatOnlyLookedWhoIsThere() throws Exception {
    server.programPauses();
    try (var client = TestClient.connect(path)) {
      client.ask(new Request.Version());
    }
    try (var client = TestClient.connect(path)) {
      assertEquals(addresses(heap.pointer(pair)), client.ask(new Request.Roots()));
      assertEquals(DONE, client.ask(new Request.Resume()));
    }
    assertFalse(server.isPaused());
  }

  @Test
  void aPollIsAnsweredByTheNextPauseBeforeThePauseItself() throws IOException {
    try (var client = TestClient.connect(path)) {
      client.send(new Request.Poll());
      client.ask(new Request.Version());
      server.programPauses();
      assertEquals(DONE, client.receive(new Request.Poll()));
      assertEquals(DONE, client.ask(new Request.Resume()));
      client.send(new Request.Poll());
      client.send(new Request.Pause());
      assertEquals(DONE, client.receive(new Request.Poll()));
      assertEquals(DONE, client.receive(new Request.Pause()));
      assertEquals(DONE, client.ask(new Request.Poll())); // it is paused already
      assertEquals(DONE, client.ask(new Request.Resume()));
    }
  }

  @Test
  void aSecondClientWaitsForTheFirstToLeave() throws IOException {
    try (var second = closedAfter(TestClient.connect(path), () -> TestClient.connect(path))) {
      assertInstanceOf(Response.Version.class, second.receive(new Request.Version()));
    }
    assertEquals(2, server.clients());
  }

  private interface Connecting {
    TestClient connect() throws IOException;
  }

  /** Lets another client ask while the first is served, then closes the first. */
  private TestClient closedAfter(TestClient first, Connecting connecting) throws IOException {
    first.ask(new Request.Version());
    TestClient second = connecting.connect();
    second.send(new Request.Version());
    first.ask(new Request.Version());
    assertEquals(1, server.clients());
    first.close();
    return second;
  }

  @Test
  void servesOverTcpToo() throws IOException {
    try (var tcp = StubServer.onLoopback(heap, Personality.GHC_DEBUGGEE);
        var client = TestClient.connect(tcp.port())) {
      assertInstanceOf(Response.Version.class, client.ask(new Request.Version()));
    }
  }

  @Test
  void closingEndsTheThreadTheConnectionAndTheSocket() throws IOException {
    try (var client = TestClient.connect(path)) {
      client.ask(new Request.Pause());
      server.close();
      assertThrows(IOException.class, () -> client.ask(new Request.Version()));
    }
    assertFalse(Files.exists(path));
    assertTrue(
        Thread.getAllStackTraces().keySet().stream()
            .noneMatch(thread -> thread.getName().equals("stub-server") && thread.isAlive()));
    server.close();
  }

  @Test
  void replacesAStaleSocketButNoOtherFile() throws IOException {
    Path stale = folder.resolve("stale.sock");
    new StubServer(heap, stale).close();
    var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(stale)).close(); // leaves its file behind
    new StubServer(heap, stale).close();
    Path file = Files.writeString(folder.resolve("file"), "precious");
    assertThrows(FileAlreadyExistsException.class, () -> new StubServer(heap, file));
    assertArrayEquals("precious".getBytes(UTF_8), Files.readAllBytes(file));
  }

  @Test
  void theOldStubIgnoresWhatItDoesNotKnow() throws IOException {
    try (var old = old();
        var client = TestClient.connect(old.port())) {
      client.sendFrame(22, new byte[8]);
      client.sendFrame(0);
      assertInstanceOf(Response.Version.class, client.ask(new Request.Version()));
    }
  }

  @Test
  void theOldStubStaysPausedWhenItsClientVanishes() throws IOException {
    try (var old = old()) {
      try (var client = TestClient.connect(old.port())) {
        client.ask(new Request.Pause());
      }
      try (var client = TestClient.connect(old.port())) {
        assertEquals(new Response.Refused(Status.ALREADY_PAUSED), client.ask(new Request.Pause()));
        assertEquals(DONE, client.ask(new Request.Resume()));
      }
    }
  }

  @Test
  void theOldStubCannotResumeAfterAPoll() throws IOException {
    try (var old = old();
        var client = TestClient.connect(old.port())) {
      client.send(new Request.Poll());
      client.send(new Request.Pause());
      assertEquals(DONE, client.receive(new Request.Poll()));
      assertEquals(DONE, client.receive(new Request.Pause()));
      assertEquals(new Response.Refused(Status.NO_RESUME), client.ask(new Request.Resume()));
    }
  }

  @Test
  void theOldStubCutsFramesAt1024Bytes() throws IOException {
    try (var old = old();
        var client = TestClient.connect(old.port())) {
      client.send(new Request.AllBlocks()); // it does not care whether the program is paused
      assertArrayEquals(new byte[] {0, 0, 4, 0, 0, 1}, client.receiveBytes(6));
    }
  }

  @Test
  void theOldStubListsSomeBlocksTwiceAndOnlyTheFirstGroupOfACompactRegion() throws IOException {
    var builder = new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));
    CompactRegion region = builder.compactRegion();
    region.add(builder.byteArray(new byte[4000])).add(builder.byteArray(new byte[4000]));
    builder.nursery(2);
    try (var old = StubServer.onLoopback(builder.build(), Personality.GHC_DEBUG_07);
        var client = TestClient.connect(old.port())) {
      var blocks = (Response.Blocks) client.ask(new Request.AllBlocks());
      assertEquals(
          List.of(BlockGroup.COMPACT | BlockGroup.EVACUATED, 0, 0, 0, 0),
          blocks.blocks().stream().map(Response.Block::flags).toList());
    }
  }

  private StubServer old() throws IOException {
    return StubServer.onLoopback(heap, Personality.GHC_DEBUG_07);
  }

  @Test
  void disconnectsInTheMiddleOfAResponse() throws Exception {
    server.inject(Command.ALL_BLOCKS, new Fault.Disconnect(1000));
    try (var client = TestClient.connect(path)) {
      client.ask(new Request.Pause());
      client.send(new Request.AllBlocks());
      assertEquals(1000, client.receiveBytes(2000).length);
    }
    assertTrue(server.awaitPaused(false, PATIENCE));
    assertStillServes();
  }

  @Test
  void stallsUntilTheClientLeaves() throws Exception {
    server.inject(Command.PAUSE, new Fault.Stall(0));
    try (var client = TestClient.connect(path)) {
      client.send(new Request.Pause());
      assertTrue(server.awaitPaused(true, PATIENCE));
      assertTrue(server.isPaused());
    }
    assertTrue(server.awaitPaused(false, PATIENCE));
    server.healFaults();
    assertStillServes();
  }

  @Test
  void closingEndsAStall() throws Exception {
    server.inject(Command.PAUSE, new Fault.Stall(0));
    try (var client = TestClient.connect(path)) {
      client.send(new Request.Pause());
      assertTrue(server.awaitPaused(true, PATIENCE));
      server.close();
      assertEquals(0, client.receiveBytes(1).length);
    }
  }

  @Test
  void aDribbledResponseArrivesWhole() throws IOException {
    server.inject(Command.VERSION, new Fault.Dribble(Duration.ZERO));
    try (var client = TestClient.connect(path)) {
      assertEquals(Response.Version.of(heap.target()), client.ask(new Request.Version()));
    }
  }

  @Test
  void wrongLengthsAndShortPayloadsLeaveTheStreamAsAnnounced() throws IOException {
    server.inject(Command.VERSION, new Fault.WrongLength(3));
    server.inject(Command.SAVED_OBJECTS, new Fault.ShortPayload(5));
    try (var client = TestClient.connect(path)) {
      client.send(new Request.Version());
      assertArrayEquals(new byte[] {0, 0, 0, 13, 0, 0}, client.receiveBytes(6));
      client.receiveBytes(10);
      client.send(new Request.SavedObjects());
      assertArrayEquals(new byte[] {0, 0, 0, 3, 0, 0}, client.receiveBytes(6));
      client.receiveBytes(3);
      server.healFaults();
      assertInstanceOf(Response.Version.class, client.ask(new Request.Version()));
    }
  }

  @Test
  void aClientThatDoesNotReadStopsOnlyItself() throws IOException {
    var builder = new HeapBuilder(new Target(new GhcVersion(910, 3), ProfilingMode.VANILLA));
    builder.byteArray(new byte[8 << 20]);
    try (var big = StubServer.onLoopback(builder.build(), Personality.GHC_DEBUGGEE);
        var client = TestClient.connect(big.port())) {
      client.ask(new Request.Pause());
      client.send(new Request.AllBlocks());
      assertEquals(6, client.receiveBytes(6).length); // it is being sent by now
      assertTrue(big.isPaused());
    } // closing neither waits for the client nor for the response
  }

  @Test
  void blocksArriveAsTheyAre() throws IOException {
    BlockGroup group = heap.blocks().getFirst();
    try (var client = TestClient.connect(path)) {
      client.ask(new Request.Pause());
      var blocks = (Response.Blocks) client.ask(new Request.AllBlocks());
      Response.Block block = blocks.blocks().getFirst();
      assertEquals(group.startAddr(), block.startAddr());
      assertEquals(group.flags(), block.flags());
      assertEquals(group.lengthBytes(), 8 * block.sizeWords());
      assertEquals(group.contents().getLong(8), block.word(1));
    }
  }

  private void assertStillServes() throws IOException {
    try (var client = TestClient.connect(path)) {
      assertInstanceOf(Response.Version.class, client.ask(new Request.Version()));
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the server hangs", e);
    }
  }

  private static Response addresses(long... addresses) {
    return new Response.Addresses(AddressList.of(addresses));
  }

  private static List<Integer> sizes(Response.MemoryChunks chunks) {
    return IntStream.range(0, chunks.size()).mapToObj(chunks::sizeWords).toList();
  }
}
