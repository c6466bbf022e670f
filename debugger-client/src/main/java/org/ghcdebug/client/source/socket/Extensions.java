package org.ghcdebug.client.source.socket;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.protocol.extension.BlockBatchDecoder;
import org.ghcdebug.protocol.extension.BlockDescriptor;
import org.ghcdebug.protocol.extension.BlockListDecoder;
import org.ghcdebug.protocol.extension.ExtensionAnswers;
import org.ghcdebug.protocol.extension.ExtensionCommand;
import org.ghcdebug.protocol.extension.ExtensionRequest;
import org.ghcdebug.protocol.extension.Hello;
import org.ghcdebug.protocol.extension.PauseResult;
import org.ghcdebug.protocol.extension.PauseState;
import org.ghcdebug.protocol.extension.PauseWay;
import org.ghcdebug.protocol.extension.RtsFigures;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.PayloadBuffer;
import org.ghcdebug.protocol.wire.Status;
import org.jspecify.annotations.Nullable;

/**
 * What our own debuggee library can do beyond the stub 0.7's protocol, over a connection. For one
 * thread at a time, like the connection. A command is asked only when {@link #serves} says so.
 */
final class Extensions {
  private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[1 << 16]).asReadOnly();

  private final Connection connection;
  private final String description;
  private final Duration timeout;
  private final @Nullable Hello hello;

  /**
   * @param hello {@code null} for a debuggee without extensions
   */
  Extensions(Connection connection, String description, Duration timeout, @Nullable Hello hello) {
    this.connection = connection;
    this.description = description;
    this.timeout = timeout;
    this.hello = hello;
  }

  /** What the debuggee said of itself; {@code null} when it has no extensions. */
  @Nullable Hello hello() {
    return hello;
  }

  boolean keepsStatistics() {
    return hello != null && hello.keepsStatistics();
  }

  boolean serves(ExtensionCommand command) {
    return hello != null && hello.serves(command);
  }

  /** Threads first; without what is no root. */
  AddressList roots() {
    List<ExtensionAnswers.Root> roots =
        ask(plain(ExtensionCommand.ROOTS2), ExtensionAnswers::roots);
    return addresses(
        Stream.concat(
            roots.stream().filter(root -> root.kind() == ExtensionAnswers.Root.THREAD),
            roots.stream()
                .filter(
                    root ->
                        root.kind() != ExtensionAnswers.Root.THREAD
                            && root.kind() != ExtensionAnswers.Root.STABLE_NAME_TARGET)),
        ExtensionAnswers.Root::address);
  }

  List<ExtensionAnswers.Saved> saved() {
    return ask(plain(ExtensionCommand.SAVED2), ExtensionAnswers::saved);
  }

  AddressList weakPointers() {
    return addresses(
        ask(plain(ExtensionCommand.WEAKS), ExtensionAnswers::weaks).stream(),
        ExtensionAnswers.Weak::address);
  }

  private static <T> AddressList addresses(Stream<T> entries, ToLongFunction<T> address) {
    return AddressList.of(entries.mapToLong(address).map(Target::untag).toArray());
  }

  RtsFigures figures() {
    return ask(plain(ExtensionCommand.RTS_FIGURES), RtsFigures::decode);
  }

  List<ExtensionAnswers.ReachableClosure> reachable(AddressList closures, long budgetBytes) {
    return ask(new ExtensionRequest.Reachable(budgetBytes, closures), ExtensionAnswers::reachable);
  }

  List<BlockDescriptor> blockList() {
    ExtensionRequest request = plain(ExtensionCommand.BLOCK_LIST);
    BlockListDecoder decoder = new BlockListDecoder();
    require(connection.exchange(request, decoder), request);
    return decoder.descriptors();
  }

  ExtensionAnswers.MemoryProbe memoryProbe() {
    return ask(plain(ExtensionCommand.MEMORY_PROBE), ExtensionAnswers::memoryProbe);
  }

  /**
   * Pauses; withdraws that when it is given up.
   *
   * @throws DebuggeeRefusedException with {@link Status#ALREADY_PAUSED} when this client holds it
   */
  PauseResult pause(PauseWay way, Duration budget, Duration waitLimit) {
    return ask(new ExtensionRequest.Pause(way, false, budget, waitLimit), PauseResult::decode);
  }

  PauseState pauseState() {
    return ask(plain(ExtensionCommand.STATE), PauseState::decode);
  }

  /** Bits as in {@link ExtensionRequest.LogClasses}. */
  void switchEvents(int on, int off) {
    ask(new ExtensionRequest.LogClasses(on, off), _ -> true);
  }

  void heapProfile(ExtensionRequest.HeapProfile.Action action) {
    ask(new ExtensionRequest.HeapProfile(action, waitLimit()), _ -> true);
  }

  /** Less than this client's own patience, so that the debuggee's reason arrives in time. */
  Duration waitLimit() {
    return timeout.multipliedBy(3).dividedBy(4);
  }

  /**
   * Hands out block groups, zeros in place of what is not in use.
   *
   * @param addresses in the groups wanted; none for all of them
   */
  long blocks(AddressList addresses, BlockSink sink) {
    long[] total = new long[1];
    Padding padding = new Padding(sink);
    BlockBatchDecoder decoder =
        new BlockBatchDecoder(
            description + ", BLOCK_CONTENTS",
            new BlockBatchDecoder.Sink() {
              @Override
              public void group(BlockDescriptor group) {
                total[0] += group.lengthBytes();
                padding.begin(group);
              }

              @Override
              public void contents(ByteBuf bytes) {
                padding.contents(MemorySegment.ofBuffer(bytes.nioBuffer()));
              }
            });
    ExtensionRequest request = new ExtensionRequest.BlockContents(addresses);
    require(connection.exchange(request, decoder), request);
    decoder.finish();
    padding.end();
    return total[0];
  }

  /** Fills groups up with zeros. */
  private static final class Padding {
    private final BlockSink sink;
    private long leftBytes;

    Padding(BlockSink sink) {
      this.sink = sink;
    }

    void begin(BlockDescriptor group) {
      end();
      leftBytes = group.lengthBytes();
      sink.group(blockGroup(group));
    }

    void contents(MemorySegment bytes) {
      leftBytes -= bytes.byteSize();
      sink.contents(bytes);
    }

    void end() {
      while (leftBytes > 0) {
        long length = Math.min(leftBytes, ZEROS.byteSize());
        leftBytes -= length;
        sink.contents(ZEROS.asSlice(0, length));
      }
    }
  }

  static BlockGroup blockGroup(BlockDescriptor group) {
    return new BlockGroup(
        group.startAddr(),
        group.lengthBytes(),
        group.usedBytes(),
        group.flags(),
        group.generation());
  }

  private static ExtensionRequest plain(ExtensionCommand command) {
    return new ExtensionRequest.Plain(command);
  }

  private <T> T ask(ExtensionRequest request, Function<ByteBuf, T> decode) {
    PayloadBuffer payload = new PayloadBuffer(description);
    require(connection.exchange(request, payload), request);
    return decode.apply(payload.bytes());
  }

  /**
   * @throws DebuggeeRefusedException when the response ended with an error
   * @throws TimeLimitException when the debuggee gave up
   */
  void require(Status status, ExtensionRequest request) {
    if (!status.isError()) {
      return;
    }
    String meaning =
        connection.reason().isEmpty()
            ? status.meaning()
            : status.meaning() + ": " + connection.reason();
    if (status == Status.TIMED_OUT) {
      throw new TimeLimitException(waitLimit(), description + ": " + meaning);
    }
    throw new DebuggeeRefusedException(request.command().name(), status.code(), meaning);
  }
}
