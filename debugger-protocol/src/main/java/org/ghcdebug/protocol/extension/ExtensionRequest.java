package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.ghcdebug.protocol.target.AddressList;

/** What a client asks with an extension command. Immutable. */
public sealed interface ExtensionRequest {
  /** The version of the extensions that this client speaks. */
  int VERSION = 1;

  /** The command that carries this request. */
  ExtensionCommand command();

  /** Appends what follows the command's number. */
  void encodePayload(ByteBuf out);

  /** Appends the request's frame. */
  default void encode(ByteBuf out) {
    int start = out.writerIndex();
    out.writeInt(0);
    out.writeInt(command().number());
    encodePayload(out);
    out.setInt(start, out.writerIndex() - start - Integer.BYTES);
  }

  /**
   * Who are you? To be sent with VERSION right behind it, see {@link Hello}.
   *
   * @param client name of this client, shown to others
   */
  record Greeting(String client) implements ExtensionRequest {
    @Override
    public ExtensionCommand command() {
      return ExtensionCommand.HELLO;
    }

    @Override
    public void encodePayload(ByteBuf out) {
      out.writeInt(VERSION);
      writeText(out, client);
    }
  }

  /** Opens a connection over TCP. */
  record Auth(String token) implements ExtensionRequest {
    @Override
    public ExtensionCommand command() {
      return ExtensionCommand.AUTH;
    }

    @Override
    public void encodePayload(ByteBuf out) {
      writeText(out, token);
    }

    /** Keeps the token out of messages. */
    @Override
    public String toString() {
      return "Auth";
    }
  }

  /**
   * Hold still; answered with a {@link PauseResult}.
   *
   * @param budget after it the stub resumes by itself; zero for none
   * @param waitLimit how long to wait for the program to stop; zero for ever
   */
  record Pause(PauseWay way, boolean collectsFirst, Duration budget, Duration waitLimit)
      implements ExtensionRequest {
    @Override
    public ExtensionCommand command() {
      return ExtensionCommand.PAUSE2;
    }

    @Override
    public void encodePayload(ByteBuf out) {
      out.writeByte(way.number()).writeByte(collectsFirst ? 1 : 0).writeShort(0);
      out.writeInt(millis(budget)).writeInt(millis(waitLimit));
    }

    /** Never 0 for a time that is not. */
    private static int millis(Duration time) {
      long millis = time.plusNanos(999_999).toMillis();
      return Math.clamp(millis, 0, Integer.MAX_VALUE);
    }
  }

  /**
   * The contents of block groups; answered in the way that {@link BlockBatchDecoder} reads.
   *
   * @param addresses in the groups wanted; none for all groups
   */
  record BlockContents(AddressList addresses) implements ExtensionRequest {
    @Override
    public ExtensionCommand command() {
      return ExtensionCommand.BLOCK_CONTENTS;
    }

    @Override
    public void encodePayload(ByteBuf out) {
      if (addresses.size() > 0) {
        writeAddresses(out, addresses);
      }
    }
  }

  /**
   * Closures and what can be reached from them, breadth first; answered in the way that {@link
   * ExtensionAnswers#reachable} reads.
   *
   * @param budgetBytes of the answer
   */
  record Reachable(long budgetBytes, AddressList closures) implements ExtensionRequest {
    private static final int BREADTH_FIRST = 0;

    @Override
    public ExtensionCommand command() {
      return ExtensionCommand.REACHABLE;
    }

    @Override
    public void encodePayload(ByteBuf out) {
      out.writeLongLE(budgetBytes).writeInt(BREADTH_FIRST);
      writeAddresses(out, closures);
    }
  }

  /**
   * Collect garbage; answered when that is done.
   *
   * @param waitLimit how long to wait for the program to stop; zero for ever
   */
  record Gc(boolean isMajor, Duration waitLimit) implements ExtensionRequest {
    @Override
    public ExtensionCommand command() {
      return ExtensionCommand.GC;
    }

    @Override
    public void encodePayload(ByteBuf out) {
      out.writeByte(isMajor ? 1 : 0).writeInt(Pause.millis(waitLimit));
    }
  }

  /**
   * Send the eventlog as the answer, until this client says something else, goes away, or the log
   * ends.
   *
   * @param classes of events to be switched on meanwhile, bits in the order of {@code
   *     ControlMessage.SWITCHABLE}
   * @param waitLimit how long to wait for the program to stop for a moment; zero for ever
   */
  record LogStart(int classes, Duration waitLimit) implements ExtensionRequest {
    @Override
    public ExtensionCommand command() {
      return ExtensionCommand.LOG_START;
    }

    @Override
    public void encodePayload(ByteBuf out) {
      out.writeInt(0); // to this connection
      out.writeInt(Pause.millis(waitLimit)).writeInt(classes);
      writeText(out, "");
    }
  }

  /** Switch classes of events, as bits, on and off. */
  record LogClasses(int on, int off) implements ExtensionRequest {
    @Override
    public ExtensionCommand command() {
      return ExtensionCommand.LOG_CLASSES;
    }

    @Override
    public void encodePayload(ByteBuf out) {
      out.writeInt(on).writeInt(off);
    }
  }

  /**
   * Start or stop the heap profile's regular censuses, or take one with a collection.
   *
   * @param waitLimit for that: how long to wait for the program to stop; zero for ever
   */
  record HeapProfile(Action action, Duration waitLimit) implements ExtensionRequest {
    /** In the order of their numbers on the wire. */
    public enum Action {
      STOP,
      START,
      CENSUS
    }

    @Override
    public ExtensionCommand command() {
      return ExtensionCommand.HEAP_PROFILE;
    }

    @Override
    public void encodePayload(ByteBuf out) {
      out.writeByte(action.ordinal()).writeInt(Pause.millis(waitLimit));
    }
  }

  /** A request that is its command alone. */
  record Plain(ExtensionCommand command) implements ExtensionRequest {
    @Override
    public void encodePayload(ByteBuf out) {}
  }

  private static void writeText(ByteBuf out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length).writeBytes(bytes);
  }

  private static void writeAddresses(ByteBuf out, AddressList addresses) {
    out.writeInt(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      out.writeLongLE(addresses.get(i));
    }
  }
}
