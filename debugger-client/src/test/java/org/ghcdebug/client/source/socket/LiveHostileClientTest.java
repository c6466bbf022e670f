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
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.protocol.extension.ExtensionCommand;
import org.ghcdebug.protocol.extension.ExtensionRequest;
import org.ghcdebug.protocol.extension.ExtensionRequest.HeapProfile;
import org.ghcdebug.protocol.extension.PauseState;
import org.ghcdebug.protocol.extension.PauseState.End;
import org.ghcdebug.protocol.extension.PauseState.Stage;
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
 * A client that sends nonsense: mutated requests, wild pointers, closures and info tables of its
 * own making, unknown commands, impossible lengths, and that goes away in the middle of requests.
 * The program must live and compute the right result.
 */
@Timeout(300)
class LiveHostileClientTest {
  private static final int LENGTH_BYTES = 4;
  private static final int HEADER_BYTES = 6;
  private static final int FRAME_HEADER = 8; // length and command of a request
  private static final int REACHABLE_HEADER = 24; // that and what comes before its pointers
  private static final int FORGED_AT = 128; // shorter requests leave alone what is there
  private static final int FORGED_WORDS = 200;
  private static final int CLOSURE_TYPES = 70; // and some that there are not

  // Commands that the client does not send.
  private static final int RENEW = 0x104;
  private static final int CONTROL = 0x105;
  private static final int READ_MEMORY = 0x10a;
  private static final int INFO_TABLES2 = 0x10c;
  private static final int COMPACT = 0x10f;
  private static final int THREADS = 0x110;
  private static final int LOG_STATE = 0x120;
  private static final int LOG_STOP = 0x122;
  private static final int LOG_FLUSH = 0x123;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration TOLERATED_EXCESS = Duration.ofSeconds(5); // on a busy machine
  private static final byte[] STATE = {0, 0, 0, 4, 0, 0, 1, 2};

  /**
   * To each program; {@code -Dghcdebug.hostileRequests=1000000} with {@code
   * -Djunit.jupiter.execution.timeout.mode=disabled} for the long form.
   */
  private static final int REQUESTS = Integer.getInteger("ghcdebug.hostileRequests", 3_000);

  @DebuggeeTest
  void oneCapability(String ghc) throws Exception {
    attack(ghc, "busy", "-N1", true);
  }

  @DebuggeeTest
  void twoCapabilities(String ghc) throws Exception {
    attack(ghc, "busy", "-N2", true);
  }

  @DebuggeeTest
  void oneCapabilityProfiled(String ghc) throws Exception {
    attack(ghc, "busy-prof", "-N1", true);
  }

  @DebuggeeTest
  void twoCapabilitiesProfiled(String ghc) throws Exception {
    attack(ghc, "busy-prof", "-N2", true);
  }

  /** Without forks, after which the locks of AddressSanitizer's memory can stay locked. */
  @DebuggeeTest
  void withSanitizers(String ghc) throws Exception {
    attack(ghc, "busy-sanitized", "-N2", false);
  }

  private static void attack(String ghc, String name, String capabilities, boolean withForks)
      throws Exception {
    long seed = System.nanoTime();
    String what = "LiveHostileClientTest, GHC %s, %s %s".formatted(ghc, name, capabilities);
    System.out.println(what + ": seed " + seed);
    // The smaller the nursery, the less of it is copied after a fork.
    try (RunningProgram program =
        TestPrograms.start(ghc, name, "100000000", "+RTS", capabilities, "-A256k", "-RTS")) {
      program.fact("rounds");
      Hostile hostile = new Hostile(program.socket(), new Random(seed), withForks);
      int answered = 0;
      for (int i = 0; i < REQUESTS; i++) {
        answered += hostile.sendNonsense() ? 1 : 0;
      }
      hostile.hangUp();
      System.out.printf(
          "%s: %d answers, hung up while %s, a budget was exceeded by %.1f ms%n",
          what, answered, hostile.hangUps, hostile.longestExcessNanos / 1e6);
      assertTrue(hostile.longestExcessNanos < TOLERATED_EXCESS.toNanos());
      assertEquals(
          withForks ? EnumSet.allOf(Stage.class) : EnumSet.complementOf(EnumSet.of(Stage.FROZEN)),
          hostile.hangUps.keySet());
      assertTrue(answered > REQUESTS / 2, answered + " of " + REQUESTS + " were answered");
      hostile.awaitRunning();
      try (SocketSource sane = SocketSource.connect(program.socket(), Duration.ofSeconds(30))) {
        sane.pause();
        assertEquals(3, sane.savedObjects().size());
        sane.resume();
      }
      program.goOn();
      assertEquals(0, program.awaitExit(), () -> String.join("\n", program.output()));
    }
  }

  private static final class Hostile {
    private final Path socket;
    private final Random random;
    private final boolean withForks;
    private final AddressList closures; // roots, at the beginning
    private final AddressList infoAddrs; // theirs
    private final List<byte[]> requests; // their frames
    private final SocketChannel witness; // asks for the program's state, nothing else
    private SocketChannel channel;

    long longestExcessNanos; // of a pause over its budget
    final Map<Stage, Integer> hangUps = new EnumMap<>(Stage.class); // how often, then

    Hostile(Path socket, Random random, boolean withForks) throws IOException {
      this.socket = socket;
      this.random = random;
      this.withForks = withForks;
      try (SocketSource source = SocketSource.connect(socket, Duration.ofSeconds(30))) {
        source.pause();
        this.closures = source.roots();
        this.infoAddrs =
            AddressList.of(
                source.closures(closures).stream()
                    .filter(words -> words != null)
                    .mapToLong(words -> words[0])
                    .toArray());
      }
      this.requests = realRequests();
      this.witness = connect();
      this.channel = connect();
    }

    private SocketChannel connect() throws IOException {
      return SocketChannel.open(UnixDomainSocketAddress.of(socket));
    }

    private List<byte[]> realRequests() {
      InfoPtr info = new InfoPtr(infoAddrs.get(0));
      long closure = closures.get(0);
      List<Request> plain =
          List.of(
              new Request.Version(),
              new Request.Pause(),
              new Request.Resume(),
              new Request.Roots(),
              new Request.Closures(closures),
              new Request.InfoTables(infoAddrs),
              new Request.Srt(infoAddrs),
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
      frames.addAll(extensions());
      return frames;
    }

    private List<byte[]> extensions() {
      Duration moment = Duration.ofMillis(20);
      List<ExtensionRequest> modelled =
          List.of(
              new ExtensionRequest.Greeting("hostile"),
              new ExtensionRequest.Auth("guess"),
              new ExtensionRequest.Pause(PauseWay.HOLD, false, moment, moment),
              new ExtensionRequest.Pause(PauseWay.HOLD, true, Duration.ZERO, moment),
              new ExtensionRequest.Pause(
                  withForks ? PauseWay.FORK_OR_HOLD : PauseWay.HOLD, false, moment, moment),
              new ExtensionRequest.BlockContents(AddressList.of()),
              new ExtensionRequest.BlockContents(closures),
              new ExtensionRequest.Reachable(1000, closures),
              new ExtensionRequest.Reachable(1 << 20, closures),
              new ExtensionRequest.Gc(false, moment),
              new ExtensionRequest.LogStart(127, moment),
              new ExtensionRequest.LogClasses(127, 0),
              new ExtensionRequest.LogClasses(0, 127),
              new ExtensionRequest.HeapProfile(HeapProfile.Action.CENSUS, moment),
              new ExtensionRequest.Plain(ExtensionCommand.STATE),
              new ExtensionRequest.Plain(ExtensionCommand.BLOCK_LIST),
              new ExtensionRequest.Plain(ExtensionCommand.ROOTS2),
              new ExtensionRequest.Plain(ExtensionCommand.WEAKS),
              new ExtensionRequest.Plain(ExtensionCommand.RTS_FIGURES),
              new ExtensionRequest.Plain(ExtensionCommand.SAVED2),
              new ExtensionRequest.Plain(ExtensionCommand.MEMORY_PROBE));
      List<byte[]> frames = new ArrayList<>();
      modelled.forEach(request -> frames.add(frame(request)));
      ByteBuf counted = Unpooled.buffer().writeInt(closures.size());
      ByteBuf ranges = Unpooled.buffer().writeInt(closures.size());
      for (int i = 0; i < closures.size(); i++) {
        counted.writeLongLE(closures.get(i));
        ranges.writeLongLE(closures.get(i)).writeLongLE(64L << i % 12);
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
      frames.add(frame(LOG_STATE, nothing));
      frames.add(frame(LOG_STOP, Unpooled.buffer().writeInt(20)));
      frames.add(frame(LOG_FLUSH, Unpooled.buffer().writeInt(20)));
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
      return switch (random.nextInt(40)) {
        case 0 -> abandon(frame, random.nextInt(frame.length + 1));
        case 1 -> abandonAnswer(frame);
        case 2 -> random.nextInt(8) == 0 ? outliveBudget() : abandonPause();
        case 3 -> {
          ByteBuffer.wrap(frame).putInt(random.nextBoolean() ? random.nextInt(4) : -1);
          yield abandon(frame, frame.length);
        }
        case 4 -> forge();
        case 5, 6 -> {
          byte[] noise = new byte[LENGTH_BYTES + 4 + random.nextInt(64)];
          random.nextBytes(noise);
          yield exchange(framed(noise));
        }
        case 7, 8, 9, 10, 11, 12 -> exchange(frame);
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

    /**
     * Asks about closures and info tables that lie in what the program has read of its requests.
     */
    private boolean forge() throws IOException {
      long input;
      try {
        input = InputBuffers.find(this::take);
      } catch (IOException spent) {
        return reconnect();
      }
      long forged = input + FORGED_AT;
      ByteBuf words = Unpooled.buffer();
      words.writeLongLE(1 << 16).writeInt(random.nextInt(2)).writeInt(FORGED_WORDS);
      words.writeZero(FORGED_AT - FRAME_HEADER - words.readableBytes());
      for (int i = (FORGED_AT - REACHABLE_HEADER) / Long.BYTES; i < FORGED_WORDS; i++) {
        words.writeLongLE(forgedWord(forged));
      }
      boolean answered = exchange(frame(ExtensionCommand.REACHABLE.number(), words));
      for (int i = random.nextInt(8); i > 0; i--) {
        answered &= exchange(requestAbout(forged + Long.BYTES * random.nextInt(FORGED_WORDS)));
      }
      return answered;
    }

    private long forgedWord(long forged) {
      return switch (random.nextInt(8)) {
        case 0, 1 -> infoAddrs.get(random.nextInt(infoAddrs.size()));
        case 2, 3 -> forged + Long.BYTES * random.nextInt(FORGED_WORDS);
        case 4 -> closures.get(random.nextInt(closures.size()));
        case 5 -> random.nextInt(CLOSURE_TYPES) | (long) random.nextInt() << 32;
        case 6 -> 1L << random.nextInt(64);
        default -> random.nextInt(16);
      };
    }

    private byte[] requestAbout(long address) {
      AddressList one = AddressList.of(address);
      InfoPtr info = new InfoPtr(address);
      return switch (random.nextInt(13)) {
        case 0 -> frame(new Request.Closures(one));
        case 1 -> frame(new Request.StackBitmap(address, random.nextInt(4) * Long.BYTES));
        case 2 -> frame(new Request.FunBitmap(address, random.nextInt(1 << 16)));
        case 3 -> frame(new Request.InfoTables(one));
        case 4 -> frame(new Request.Srt(one));
        case 5 -> frame(new Request.ConDescr(info));
        case 6 -> frame(new Request.SourceInfo(info));
        case 7 -> frame(new Request.Block(address));
        case 8 -> frame(new Request.Ccs(new CcsPtr(address)));
        case 9 -> frame(new Request.CostCentre(address));
        case 10 -> frame(new Request.IndexTable(address));
        case 11 ->
            frame(INFO_TABLES2, Unpooled.buffer().writeInt(15).writeInt(1).writeLongLE(address));
        default -> frame(new ExtensionRequest.Reachable(1 << 20, one));
      };
    }

    private ByteBuf take(byte[] frame) throws IOException {
      write(channel, ByteBuffer.wrap(frame));
      ByteBuf answer = Unpooled.buffer();
      int status;
      do {
        ByteBuffer header = read(channel, HEADER_BYTES);
        int bodyBytes = header.getInt();
        status = header.getShort() & 0xffff;
        answer.writeBytes(read(channel, bodyBytes));
      } while (status == Status.CONTINUES.code());
      return answer;
    }

    private static byte[] frame(ExtensionRequest request) {
      ByteBuf frame = Unpooled.buffer();
      request.encode(frame);
      return ByteBufUtil.getBytes(frame);
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
      if (noteStage()) {
        write(channel, ByteBuffer.wrap(frame, 0, length));
      }
      return reconnect();
    }

    /** Goes away in the middle of an answer, or before its beginning. */
    private boolean abandonAnswer(byte[] frame) throws IOException {
      if (noteStage()) {
        write(channel, ByteBuffer.wrap(frame));
        if (random.nextBoolean()) {
          channel.configureBlocking(false);
          channel.read(ByteBuffer.allocate(1 + random.nextInt(1 << 16)));
        }
      }
      return reconnect();
    }

    /** Goes away while its pause is waited for, unless the pause came first. */
    private boolean abandonPause() throws IOException {
      hangUp();
      channel = connect();
      awaitRunning();
      write(channel, ByteBuffer.wrap(pause(PauseWay.HOLD, Duration.ofSeconds(5))));
      Stage stage = Stage.RUNNING;
      for (int i = 0; i < 20 && stage == Stage.RUNNING; i++) {
        stage = state(witness).stage();
      }
      hangUps.merge(stage, 1, Integer::sum);
      return reconnect();
    }

    /** False if the connection ended meanwhile: a copy's, of which the budget is spent. */
    private boolean noteStage() {
      try {
        hangUps.merge(state(channel).stage(), 1, Integer::sum);
        return true;
      } catch (IOException spent) {
        return false;
      }
    }

    /** Stays connected and silent in a pause that has a budget: the program must go on. */
    private boolean outliveBudget() throws IOException {
      hangUp();
      channel = connect();
      awaitRunning(); // or it would take over a pause that it had released, and its budget
      Duration budget = Duration.ofMillis(1 + random.nextInt(20));
      boolean answered = exchange(pause(PauseWay.HOLD, budget));
      PauseState after = awaitRunning();
      if (answered && after.lastEnd() == End.BUDGET_SPENT) {
        longestExcessNanos = Math.max(longestExcessNanos, after.nanos() - budget.toNanos());
      }
      return answered;
    }

    /** Often with the program held or copied from then on, until the next time. */
    private boolean reconnect() throws IOException {
      hangUp();
      channel = connect();
      int way = random.nextInt(4);
      if (way < 2) {
        exchange(
            pause(way == 0 && withForks ? PauseWay.FORK : PauseWay.HOLD, Duration.ofSeconds(5)));
      }
      return false;
    }

    private static byte[] pause(PauseWay way, Duration budget) {
      return frame(new ExtensionRequest.Pause(way, false, budget, PATIENCE));
    }

    private static PauseState state(SocketChannel connection) throws IOException {
      write(connection, ByteBuffer.wrap(STATE));
      ByteBuffer header = read(connection, HEADER_BYTES);
      return PauseState.decode(Unpooled.wrappedBuffer(read(connection, header.getInt())));
    }

    /** Fails when the program does not go on. */
    PauseState awaitRunning() throws IOException {
      long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
      PauseState state;
      while ((state = state(witness)).isPaused()) {
        assertTrue(System.nanoTime() < deadlineNanos, "paused for ever: " + state);
      }
      return state;
    }

    private boolean exchange(byte[] frame) throws IOException {
      if (ByteBuffer.wrap(frame).getInt(LENGTH_BYTES) == Command.POLL.number()) {
        return abandon(frame, frame.length); // answered when the program pauses itself: never
      }
      try {
        write(channel, ByteBuffer.wrap(frame));
        if (ByteBuffer.wrap(frame).getInt(LENGTH_BYTES) == ExtensionCommand.LOG_START.number()) {
          write(channel, ByteBuffer.wrap(STATE)); // the answer lasts until then
          readAnswer();
        }
        readAnswer();
        return true;
      } catch (IOException spent) { // so does a forked copy go, whose budget is spent
        return reconnect();
      }
    }

    private void readAnswer() throws IOException {
      int status;
      do {
        ByteBuffer header = read(channel, HEADER_BYTES);
        int bodyBytes = header.getInt();
        status = header.getShort() & 0xffff;
        for (int left = bodyBytes; left > 0; left -= Math.min(left, 1 << 16)) {
          read(channel, Math.min(left, 1 << 16));
        }
      } while (status == Status.CONTINUES.code());
    }

    private static void write(SocketChannel to, ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        to.write(bytes);
      }
    }

    private static ByteBuffer read(SocketChannel from, int length) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(length);
      while (bytes.hasRemaining()) {
        if (from.read(bytes) < 0) {
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
