package org.ghcdebug.client.debuggee;

import java.nio.ByteBuffer;
import org.ghcdebug.client.eventlog.source.LogChannel;
import org.ghcdebug.client.source.socket.LogStream;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.EventClass;
import org.ghcdebug.protocol.extension.ExtensionRequest.HeapProfile;

/**
 * The eventlog of a debuggee, read over its debug socket. A log of its own, complete with header
 * and the labels of threads: no {@code +RTS -l} is needed.
 */
public final class DebuggeeLog implements LogChannel.Controllable {
  /** What is switched on besides what the program was started with. */
  private static final LogStream.Classes CLASSES =
      new LogStream.Classes(bit(EventClass.USER), bit(EventClass.GC) | bit(EventClass.USER));

  private static final int FIRST_CLASS_COMMAND =
      ControlMessage.eventClass(ControlMessage.SWITCHABLE.getFirst(), true).commandId();

  private final String name;
  private final LogStream stream;

  private DebuggeeLog(String name, LogStream stream) {
    this.name = name;
    this.stream = stream;
  }

  private static int bit(EventClass eventClass) {
    return 1 << ControlMessage.SWITCHABLE.indexOf(eventClass);
  }

  /**
   * Starts a log.
   *
   * @param spec a path or TCP
   * @throws SourceUnavailableException when no debuggee that sends its eventlog is there, or it
   *     goes to somebody else, or the program is paused
   * @throws org.ghcdebug.protocol.error.TimeLimitException when nothing answers: no debuggee, for
   *     instance
   */
  public static DebuggeeLog open(TargetSpec spec, Options options) {
    LogStream stream =
        switch (spec) {
          case TargetSpec.AtPath(var path) -> LogStream.open(path, options.timeout(), CLASSES);
          case TargetSpec.Tcp(String host, int port) ->
              LogStream.open(host, port, options.timeout(), options.token(), CLASSES);
          default -> throw new SourceUnavailableException(spec.toString(), "no socket");
        };
    return new DebuggeeLog(spec.toString(), stream);
  }

  @Override
  public int read(ByteBuffer target) {
    return stream.read(target);
  }

  /**
   * {@inheritDoc}
   *
   * @throws org.ghcdebug.protocol.error.DebuggeeRefusedException when the program cannot
   */
  @Override
  public void send(ControlMessage message) {
    if (message.equals(ControlMessage.REQUEST_HEAP_CENSUS)) {
      stream.heapProfile(HeapProfile.Action.CENSUS);
    } else if (message.equals(ControlMessage.START_HEAP_PROFILING)) {
      stream.heapProfile(HeapProfile.Action.START);
    } else if (message.equals(ControlMessage.STOP_HEAP_PROFILING)) {
      stream.heapProfile(HeapProfile.Action.STOP);
    } else if (message.namespace().equals(ControlMessage.BUILT_IN)
        && message.commandId() >= FIRST_CLASS_COMMAND) {
      int index = message.commandId() - FIRST_CLASS_COMMAND;
      int bit = 1 << index / 2;
      stream.switchEvents(index % 2 == 0 ? bit : 0, index % 2 == 0 ? 0 : bit);
    } else {
      throw new SourceUnavailableException(
          name,
          "a debuggee takes census, heap= and the classes of events, not command %d of %s"
              .formatted(message.commandId(), message.namespace()));
    }
  }

  @Override
  public void close() {
    stream.close();
  }
}
