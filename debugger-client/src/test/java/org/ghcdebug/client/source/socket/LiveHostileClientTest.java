package org.ghcdebug.client.source.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.protocol.extension.ExtensionCommand;
import org.ghcdebug.protocol.extension.ExtensionRequest;
import org.ghcdebug.protocol.extension.PauseWay;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.wire.Command;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.RequestEncoder;
import org.ghcdebug.protocol.wire.Status;
import org.junit.jupiter.api.Timeout;

/**
 * A client that sends nonsense: mutated requests, wild pointers, unknown commands, impossible
 * lengths, and that goes away in the middle of requests. The program must live and compute the
 * right result.
 */
@Timeout(300)
class LiveHostileClientTest {
  private static final int LENGTH_BYTES = 4;
  private static final int HEADER_BYTES = 6;

  // Commands that the client does not send.
  private static final int RENEW = 0x104;
  private static final int CONTROL = 0x105;
  private static final int READ_MEMORY = 0x10a;
  private static final int INFO_TABLES2 = 0x10c;
  private static final int COMPACT = 0x10f;
  private static final int THREADS = 0x110;

  /** {@code -Dghcdebug.hostileRequests=1000000} for the long form. */
  private static final int REQUESTS = Integer.getInteger("ghcdebug.hostileRequests", 10_000);

  @DebuggeeTest
  void theProgramLivesAndItsResultIsRight(String ghc) throws Exception {
    long seed = System.nanoTime();
    System.out.println("LiveHostileClientTest, GHC " + ghc + ": seed " + seed);
    try (RunningProgram program = TestPrograms.start(ghc, "busy", "300000")) {
      assertEquals("300000", program.fact("rounds"));
      Hostile hostile = new Hostile(program.socket(), new Random(seed));
      int answered = 0;
      for (int i = 0; i < REQUESTS; i++) {
        answered += hostile.sendNonsense() ? 1 : 0;
      }
      hostile.hangUp();
      assertTrue(answered > REQUESTS / 2, answered + " of " + REQUESTS + " were answered");
      try (SocketSource sane = SocketSource.connect(program.socket(), Duration.ofSeconds(30))) {
        sane.pause();
        assertEquals(3, sane.savedObjects().size());
        sane.resume();
      }
      assertEquals(0, program.awaitExit());
    }
  }

  private static final class Hostile {
    private final Path socket;
    private final Random random;
    private final List<byte[]> requests; // their frames
    private SocketChannel channel;

    Hostile(Path socket, Random random) throws IOException {
      this.socket = socket;
      this.random = random;
      this.requests = realRequests(socket);
      this.channel = connect();
    }

    private SocketChannel connect() throws IOException {
      return SocketChannel.open(UnixDomainSocketAddress.of(socket));
    }

    private static List<byte[]> realRequests(Path socket) {
      try (SocketSource source = SocketSource.connect(socket, Duration.ofSeconds(30))) {
        source.pause();
        AddressList closures = source.roots();
        long[] infoAddrs =
            source.closures(closures).stream()
                .filter(words -> words != null)
                .mapToLong(words -> words[0])
                .toArray();
        InfoPtr info = new InfoPtr(infoAddrs[0]);
        long closure = closures.get(0);
        List<Request> plain =
            List.of(
                new Request.Version(),
                new Request.Pause(),
                new Request.Resume(),
                new Request.Roots(),
                new Request.Closures(closures),
                new Request.InfoTables(AddressList.of(infoAddrs)),
                new Request.Srt(AddressList.of(infoAddrs)),
                new Request.StackBitmap(closure, 24),
                new Request.SavedObjects(),
                new Request.ConDescr(info),
                new Request.SourceInfo(info),
                new Request.Block(closure),
                new Request.FunBitmap(closure, 2),
                new Request.Ccs(new CcsPtr(closure)),
                new Request.CostCentre(closure),
                new Request.IndexTable(closure),
                new Request.CcsMain());
        List<byte[]> frames = new ArrayList<>(plain.stream().map(Hostile::frame).toList());
        frames.addAll(extensions(closures, AddressList.of(infoAddrs)));
        return frames;
      }
    }

    private static List<byte[]> extensions(AddressList closures, AddressList infoAddrs) {
      Duration moment = Duration.ofMillis(20);
      List<ExtensionRequest> modelled =
          List.of(
              new ExtensionRequest.Greeting("hostile"),
              new ExtensionRequest.Auth("guess"),
              new ExtensionRequest.Pause(PauseWay.HOLD, false, moment, moment),
              new ExtensionRequest.Pause(PauseWay.HOLD, true, Duration.ZERO, moment),
              new ExtensionRequest.Pause(PauseWay.FORK_OR_HOLD, false, moment, moment),
              new ExtensionRequest.BlockContents(AddressList.of()),
              new ExtensionRequest.BlockContents(closures),
              new ExtensionRequest.Reachable(1000, closures),
              new ExtensionRequest.Reachable(1 << 20, closures),
              new ExtensionRequest.Gc(false, moment),
              new ExtensionRequest.Plain(ExtensionCommand.STATE),
              new ExtensionRequest.Plain(ExtensionCommand.BLOCK_LIST),
              new ExtensionRequest.Plain(ExtensionCommand.ROOTS2),
              new ExtensionRequest.Plain(ExtensionCommand.WEAKS),
              new ExtensionRequest.Plain(ExtensionCommand.RTS_FIGURES),
              new ExtensionRequest.Plain(ExtensionCommand.SAVED2),
              new ExtensionRequest.Plain(ExtensionCommand.MEMORY_PROBE));
      List<byte[]> frames = new ArrayList<>();
      for (ExtensionRequest request : modelled) {
        ByteBuf frame = Unpooled.buffer();
        request.encode(frame);
        frames.add(ByteBufUtil.getBytes(frame));
      }
      ByteBuf counted = Unpooled.buffer().writeInt(closures.size());
      ByteBuf ranges = Unpooled.buffer().writeInt(closures.size());
      for (int i = 0; i < closures.size(); i++) {
        counted.writeLongLE(closures.get(i));
        ranges.writeLongLE(closures.get(i)).writeLongLE(64L << i % 20);
      }
      ByteBuf tables = Unpooled.buffer().writeInt(15).writeInt(infoAddrs.size());
      for (int i = 0; i < infoAddrs.size(); i++) {
        tables.writeLongLE(infoAddrs.get(i));
      }
      ByteBuf nothing = Unpooled.EMPTY_BUFFER;
      frames.add(frame(RENEW, Unpooled.buffer().writeInt(5)));
      frames.add(frame(CONTROL, Unpooled.buffer().writeByte(0)));
      frames.add(frame(CONTROL, Unpooled.buffer().writeByte(1)));
      frames.add(frame(READ_MEMORY, ranges));
      frames.add(frame(INFO_TABLES2, tables));
      frames.add(frame(COMPACT, counted));
      frames.add(frame(THREADS, nothing));
      return frames;
    }

    private static byte[] frame(int command, ByteBuf payload) {
      ByteBuf frame = Unpooled.buffer();
      frame.writeInt(Integer.BYTES + payload.readableBytes()).writeInt(command);
      frame.writeBytes(payload, payload.readerIndex(), payload.readableBytes());
      return ByteBufUtil.getBytes(frame);
    }

    /** Whether an answer came; otherwise the connection is a new one. */
    boolean sendNonsense() throws IOException {
      byte[] frame = requests.get(random.nextInt(requests.size())).clone();
      return switch (random.nextInt(20)) {
        case 0 -> abandon(frame, random.nextInt(frame.length));
        case 1 -> {
          ByteBuffer.wrap(frame).putInt(random.nextBoolean() ? random.nextInt(4) : -1);
          yield abandon(frame, frame.length);
        }
        case 2 -> {
          byte[] noise = new byte[LENGTH_BYTES + 4 + random.nextInt(64)];
          random.nextBytes(noise);
          yield exchange(framed(noise));
        }
        case 3, 4, 5 -> exchange(frame);
        default -> {
          List<Integer> places = new ArrayList<>();
          for (int i = random.nextInt(8); i >= 0 && frame.length > LENGTH_BYTES; i--) {
            places.add(LENGTH_BYTES + random.nextInt(frame.length - LENGTH_BYTES));
          }
          places.forEach(place -> frame[place] = (byte) random.nextInt());
          yield exchange(frame);
        }
      };
    }

    private static byte[] frame(Request request) {
      ByteBuf buffer = Unpooled.buffer();
      RequestEncoder.encode(request, buffer);
      return ByteBufUtil.getBytes(buffer);
    }

    private static byte[] framed(byte[] frame) {
      ByteBuffer.wrap(frame).putInt(frame.length - LENGTH_BYTES);
      return frame;
    }

    private boolean abandon(byte[] frame, int length) throws IOException {
      write(ByteBuffer.wrap(frame, 0, length));
      hangUp();
      channel = connect();
      return false;
    }

    private boolean exchange(byte[] frame) throws IOException {
      if (ByteBuffer.wrap(frame).getInt(LENGTH_BYTES) == Command.POLL.number()) {
        return abandon(frame, frame.length); // answered when the program pauses itself: never
      }
      try {
        write(ByteBuffer.wrap(frame));
        int status;
        do {
          ByteBuffer header = read(HEADER_BYTES);
          int bodyBytes = header.getInt();
          status = header.getShort() & 0xffff;
          for (int left = bodyBytes; left > 0; left -= Math.min(left, 1 << 16)) {
            read(Math.min(left, 1 << 16));
          }
        } while (status == Status.CONTINUES.code());
        return true;
      } catch (IOException spent) { // so does a forked copy go, whose budget is spent
        hangUp();
        channel = connect();
        return false;
      }
    }

    private void write(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }

    private ByteBuffer read(int length) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(length);
      while (bytes.hasRemaining()) {
        if (channel.read(bytes) < 0) {
          throw new EOFException("the program hung up on a well-framed request");
        }
      }
      return bytes.flip();
    }

    void hangUp() throws IOException {
      channel.close();
    }
  }
}
