package org.ghcdebug.stub.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Command;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.RandomHeap;

/** Whatever a client sends and whenever it leaves, the next one is served by a running program. */
class HostileClientProperties {
  private static final Target TARGET = new Target(new GhcVersion(910, 3), ProfilingMode.PROFILED);
  private static final BuiltHeap HEAP = RandomHeap.of(TARGET, 11, 40);

  private static StubServer server;

  @BeforeContainer
  static void serve() throws IOException {
    server = StubServer.onLoopback(HEAP, Personality.GHC_DEBUGGEE);
  }

  @AfterContainer
  static void stop() {
    server.close();
  }

  @Property(tries = 200)
  void survivesAnyBytes(@ForAll byte[] bytes) throws Exception {
    leaveAfterSending(bytes);
    assertServesAndRuns();
  }

  @Property(tries = 300)
  void survivesRequestsWithAnyPayload(@ForAll("requests") List<byte[]> requests) throws Exception {
    var all = Unpooled.buffer().writeBytes(pause());
    requests.forEach(all::writeBytes);
    leaveAfterSending(all.array());
    assertServesAndRuns();
  }

  @Provide
  Arbitrary<List<byte[]>> requests() {
    Arbitrary<Integer> commands =
        Arbitraries.oneOf(
            Arbitraries.of(Command.values()).map(Command::number),
            Arbitraries.integers().between(0, 25));
    Arbitrary<byte[]> payloads =
        Arbitraries.oneOf(
            Arbitraries.bytes().array(byte[].class).ofMaxSize(40),
            Arbitraries.of(HEAP.allClosures())
                .map(closure -> words(1, closure.address().address())),
            Arbitraries.of(List.copyOf(HEAP.allCode())).map(code -> words(1, code.infoAddr())),
            Arbitraries.longs().map(address -> words(1, address)));
    return Combinators.combine(commands, payloads)
        .as(HostileClientProperties::frame)
        .list()
        .ofMaxSize(20);
  }

  private static byte[] words(int count, long address) {
    return Unpooled.buffer(10).writeShort(count).writeLongLE(address).array();
  }

  private static byte[] frame(int command, byte[] payload) {
    return Unpooled.buffer(8 + payload.length)
        .writeInt(4 + payload.length)
        .writeInt(command)
        .writeBytes(payload)
        .array();
  }

  private static ByteBuf pause() {
    return Unpooled.wrappedBuffer(frame(Command.PAUSE.number(), new byte[1]));
  }

  private static void leaveAfterSending(byte[] bytes) throws IOException {
    try (var client = TestClient.connect(server.port())) {
      client.send(bytes);
    }
  }

  private static void assertServesAndRuns() throws Exception {
    try (var client = TestClient.connect(server.port())) {
      assertEquals(Response.Version.of(TARGET), client.ask(new Request.Version()));
      assertTrue(server.awaitPaused(false, Duration.ofSeconds(10)));
    }
  }
}
