package org.ghcdebug.client.source.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RawClient;
import org.ghcdebug.client.testing.RecordedHeaps;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;
import org.ghcdebug.protocol.extension.PauseState;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Command;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.RequestDecoder;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.protocol.wire.ResponseDecoder;
import org.ghcdebug.protocol.wire.Status;
import org.junit.jupiter.api.Timeout;

/**
 * What the reference client once said to programs with the stub 0.7, said to other programs with
 * our own library: its requests hold addresses that mean nothing here, or something else. The
 * client pauses first and resumes last.
 */
@Timeout(120)
class LiveRecordingsTest {
  /** Of commands in a paused program: the errors that are documented, all others have none. */
  private static final Map<Command, Status> DOCUMENTED =
      Map.of(
          Command.STACK_BITMAP, Status.BAD_STACK,
          Command.CON_DESCR, Status.BAD_COMMAND,
          Command.BLOCK, Status.BAD_COMMAND,
          Command.FUN_BITMAP, Status.BAD_COMMAND);

  private static final Set<Command> NEED_PAUSE =
      EnumSet.of(
          Command.ROOTS,
          Command.CLOSURES,
          Command.INFO_TABLES,
          Command.STACK_BITMAP,
          Command.ALL_BLOCKS,
          Command.BLOCK,
          Command.FUN_BITMAP,
          Command.SRT);

  /** What was answered, to how many requests. */
  private record Tally(Map<Command, Integer> data, Map<Command, Integer> errors) {
    Tally() {
      this(new EnumMap<>(Command.class), new EnumMap<>(Command.class));
    }
  }

  @DebuggeeTest
  void everyRecordedRequestIsAnswered(String ghc) throws IOException {
    try (RunningProgram program = TestPrograms.start(ghc, "zoo").awaitReady()) {
      replayAll(program, new Target(version(ghc), ProfilingMode.VANILLA));
      program.goOn();
      assertEquals("reached", program.fact("end"));
      assertEquals(0, program.awaitExit());
    }
  }

  @DebuggeeTest
  void everyRecordedRequestIsAnsweredByAProfiledProgram(String ghc) throws IOException {
    try (RunningProgram program = TestPrograms.start(ghc, "bigmap-prof", "500").awaitReady()) {
      replayAll(program, new Target(version(ghc), ProfilingMode.PROFILED));
      program.goOn();
      assertEquals(505, program.number("size"));
      assertEquals(0, program.awaitExit());
    }
  }

  /** Of 9.6.6, for instance. */
  private static GhcVersion version(String ghc) {
    int[] parts = Stream.of(ghc.split("\\.")).mapToInt(Integer::parseInt).toArray();
    return new GhcVersion(parts[0] * 100 + parts[1], parts[2]);
  }

  private static void replayAll(RunningProgram program, Target target) throws IOException {
    for (String recording : RecordedHeaps.NAMES) {
      List<byte[]> frames = RecordedHeaps.requestFrames(recording);
      Tally paused = new Tally();
      try (RawClient client = new RawClient(program)) {
        for (byte[] frame : frames) {
          check(client, frame, target, paused, false);
        }
        assertEquals(PauseState.Stage.RUNNING, client.state().stage());
      }
      assertEquals(frames.size(), sum(paused.data) + sum(paused.errors));
      assertEquals(1, paused.data.get(Command.RESUME));
      assertTrue(sum(paused.errors) > 0, recording + ": its addresses are not foreign");

      // Without the pause: what needs it says so.
      Tally running = new Tally();
      try (RawClient client = new RawClient(program)) {
        for (byte[] frame : frames) {
          if (request(frame).command() != Command.PAUSE) {
            check(client, frame, target, running, true);
          }
        }
      }
      Set<Command> refused = EnumSet.copyOf(running.errors.keySet());
      assertTrue(refused.removeAll(NEED_PAUSE), () -> "errors " + running.errors);
      assertTrue(
          EnumSet.of(Command.RESUME, Command.CON_DESCR).containsAll(refused),
          () -> "errors " + running.errors);
    }
  }

  private static int sum(Map<Command, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static Request request(byte[] frame) {
    return RequestDecoder.decodeFrame(
        Unpooled.wrappedBuffer(frame).skipBytes(Integer.BYTES), "recording");
  }

  private static void check(
      RawClient client, byte[] frame, Target target, Tally tally, boolean isRunning)
      throws IOException {
    Request request = request(frame);
    Command command = request.command();
    RawClient.Answer answer = client.ask(frame);
    if (answer.status().isError()) {
      boolean needsPause = NEED_PAUSE.contains(command) || command == Command.RESUME;
      assertEquals(
          isRunning && needsPause ? Status.NOT_PAUSED : DOCUMENTED.get(command),
          answer.status(),
          request::toString);
      assertEquals("", answer.reason(), request::toString);
      tally.errors.merge(command, 1, Integer::sum);
    } else {
      assertFalse(isRunning && NEED_PAUSE.contains(command), request::toString);
      // Fails on what is left of the body, as on what is missing.
      Response response = ResponseDecoder.decode(request, answer.status(), answer.payload());
      checkWhatIsKnown(command, response, target);
      tally.data.merge(command, 1, Integer::sum);
    }
  }

  /** Of requests that name no address. */
  private static void checkWhatIsKnown(Command command, Response response, Target target) {
    switch (response) {
      case Response.Version version -> assertEquals(target, version.target());
      case Response.Blocks blocks when command == Command.ALL_BLOCKS ->
          assertTrue(blocks.blocks().size() > 10, () -> blocks.blocks().size() + " blocks");
      case Response.Addresses addresses when command == Command.ROOTS ->
          assertFalse(addresses.addresses().isEmpty());
      case Response.Addresses addresses when command == Command.SAVED_OBJECTS ->
          assertFalse(addresses.addresses().isEmpty());
      default -> {}
    }
  }
}
