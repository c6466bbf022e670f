package org.ghcdebug.client.source.socket;

import io.netty.buffer.ByteBuf;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.source.BlockLookup;
import org.ghcdebug.client.source.BlockSink;
import org.ghcdebug.client.source.Detachable;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.Introspection;
import org.ghcdebug.client.source.Pausable;
import org.ghcdebug.client.source.ReachableLookup;
import org.ghcdebug.client.source.ResponseValues;
import org.ghcdebug.client.source.symbols.ProcessSymbols;
import org.ghcdebug.protocol.closure.CodeSymbol;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.CostCentreStack;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.closure.SourceInfo;
import org.ghcdebug.protocol.decode.Layouts;
import org.ghcdebug.protocol.error.CanceledException;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.error.DebuggerException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.UnsupportedTargetException;
import org.ghcdebug.protocol.extension.BlockDescriptor;
import org.ghcdebug.protocol.extension.ExtensionAnswers;
import org.ghcdebug.protocol.extension.ExtensionCommand;
import org.ghcdebug.protocol.extension.Hello;
import org.ghcdebug.protocol.extension.PauseResult;
import org.ghcdebug.protocol.extension.PauseState;
import org.ghcdebug.protocol.extension.PauseWay;
import org.ghcdebug.protocol.extension.RtsFigures;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.CcsPtr;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.BlockStreamDecoder;
import org.ghcdebug.protocol.wire.BodySink;
import org.ghcdebug.protocol.wire.Command;
import org.ghcdebug.protocol.wire.PayloadBuffer;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.protocol.wire.ResponseDecoder;
import org.ghcdebug.protocol.wire.Status;
import org.jspecify.annotations.Nullable;

/**
 * The heap of a running program, over the socket of the debuggee library linked into it. What our
 * own library can do beyond the protocol of {@code ghc-debug-stub} is used where it says so.
 *
 * <p>It works with this project's library and with the {@code ghc-debug-stub} package from 0.2 on.
 * The latter follows any pointer that it is sent and dies of a wild one, of a connection that is
 * closed while an answer is due, and of the name of something that is no constructor; so none of
 * these happen here: addresses that cannot be any are answered without asking, names are asked for
 * constructors only, and a response is read to its end even when nobody wants it any more.
 *
 * <p><b>The program is never left paused</b> by this client: {@link #close} resumes it, and a
 * shutdown hook closes. A pause that was found, made by the program itself or left by a former
 * client, is used but kept: only {@link #resume} ends it. (A program with stub 0.7 that paused
 * itself ends when its roots are asked for or when it is resumed; that cannot be told from here.)
 *
 * <p><b>Cost:</b> lists are sent some 8,000 addresses a request, and requests are pipelined; a
 * call's cost is that of its bytes plus one round trip. A frame's or function's bitmap, a name and
 * a source position are a request each. Blocks are streamed through one buffer.
 *
 * <p><b>Threads:</b> one at a time, except that {@link #close} may be called from any thread at any
 * time; it makes a call that is running elsewhere fail soon. An interrupt ends a call with {@link
 * org.ghcdebug.protocol.error.CanceledException} (and is then consumed), except {@link #resume} and
 * close, which an interrupt does not touch.
 */
public final class SocketSource
    implements HeapSource, BlockLookup, ReachableLookup, Detachable, Pausable, Introspection {
  private static final long MIN_ADDRESS = 4096;

  /** One more than the largest user address of x86-64 and AArch64. */
  private static final long ADDRESS_LIMIT = 1L << 48;

  /** Where a RTS with a large address space reserves its heap (rts/sm/MBlock.c), 1 TiB. */
  private static final long HEAP_RESERVATION_START = 0x42_0000_0000L;

  private static final long HEAP_RESERVATION_END = 0x142_0000_0000L;

  private static final BodySink IGNORE = _ -> {};

  private static final Duration OTHERS_PATIENCE = Duration.ofSeconds(2);

  private static final int MAX_BITMAP_ARGUMENTS = 0xffff;

  private static final int NAMELESS = 0;
  private static final int HAS_NAME = 1;

  private final Connection connection;
  private final String description;
  private final Duration timeout;
  private final Target target;
  private final Extensions extensions;
  private final long peerPid; // Dialer.NO_PID when it is not known
  private @Nullable ProcessSymbols processSymbols;
  private @Nullable String blockPath;
  private volatile @Nullable String otherHolder; // of the pause that was last wanted

  /** Guards the connection. */
  private final ReentrantLock lock = new ReentrantLock();

  private final AtomicBoolean closing = new AtomicBoolean();
  private final Thread shutdownHook = new Thread(this::close, "ghc-debug resume");

  /** Info pointers seen -> {@link #HAS_NAME} or {@link #NAMELESS}. */
  private final LongIntMap seenInfoTables = new LongIntMap();

  private volatile Mode mode = Mode.RUNNING;

  private enum Mode {
    RUNNING,
    PAUSED,
    /** Paused by someone else. */
    FOUND_PAUSED,
    /** The program runs; a copy of it is paused. */
    FORKED
  }

  /** How a wish to pause ended, and what the debuggee warns of. */
  private record Pause(Mode mode, Optional<String> warning) {}

  /**
   * Connects to a Unix socket; leaves the program running.
   *
   * @param timeout for the connection, and later for each answer: how long to wait without a byte
   * @throws SourceUnavailableException when nothing listens there
   * @throws org.ghcdebug.protocol.error.TimeLimitException when it does not answer, for instance
   *     because it serves another client
   * @throws UnsupportedTargetException when the program's GHC is not known
   */
  public static SocketSource connect(Path socket, Duration timeout) {
    return new SocketSource(Dialer.unix(socket, timeout), socket.toString(), timeout, null);
  }

  /**
   * Connects by TCP, to the first address of the name that answers; otherwise like {@link
   * #connect(Path, Duration)}.
   *
   * @param token what our own debuggee library wants to see first; {@code null} for none
   * @throws SourceUnavailableException also when the token is missing or wrong
   */
  public static SocketSource connect(
      String host, int port, Duration timeout, @Nullable String token) {
    return new SocketSource(
        Dialer.tcp(host, port, timeout), Dialer.tcpName(host, port), timeout, token);
  }

  /** Likewise, without a token. */
  public static SocketSource connect(String host, int port, Duration timeout) {
    return connect(host, port, timeout, null);
  }

  private SocketSource(
      Socket socket, String description, Duration timeout, @Nullable String token) {
    this.description = description;
    this.timeout = timeout;
    this.peerPid = Dialer.peerPid(socket);
    this.connection = new Connection(socket, description, timeout);
    try {
      Greeting greeting = Greeting.exchange(connection, description, token);
      this.extensions = new Extensions(connection, description, timeout, greeting.hello());
      this.target = checkedTarget(greeting.version());
    } catch (Throwable failure) {
      closeWhenSettled();
      throw failure;
    }
    try {
      Runtime.getRuntime().addShutdownHook(shutdownHook);
    } catch (IllegalStateException processEnds) { // Ctrl-C, a moment ago
      closeWhenSettled();
      throw new CanceledException("connecting to " + description);
    }
  }

  private static Target checkedTarget(Response.Version version) {
    if (!version.tablesNextToCode()) {
      throw new UnsupportedTargetException(
          "GHC " + version.ghc() + " without tables next to code",
          Layouts.SUPPORTED + ", with tables next to code");
    }
    Layouts.of(version.target());
    return version.target();
  }

  @Override
  public Target target() {
    return target;
  }

  @Override
  public String description() {
    return description;
  }

  /** {@inheritDoc} From any thread. */
  @Override
  public boolean isPaused() {
    return mode != Mode.RUNNING;
  }

  /** {@inheritDoc} From any thread. */
  @Override
  public boolean wasFoundPaused() {
    return mode == Mode.FOUND_PAUSED;
  }

  /**
   * {@inheritDoc}
   *
   * <p>After a time-out or an interrupt, RESUME is sent at once, for the debuggee to find behind
   * the PAUSE: the program will be held for a moment only, whenever it gets to it.
   */
  @Override
  public void pause(Duration budget) {
    exclusively(
        () -> {
          if (!isPaused()) {
            connection.settle(true);
            mode =
                extensions.serves(ExtensionCommand.PAUSE2)
                        && extensions.serves(ExtensionCommand.STATE)
                    ? askToPause(PauseWay.HOLD, budget).mode()
                    : askToPause();
          }
          return mode;
        });
  }

  @Override
  public Optional<String> fork(Duration budget) {
    return exclusively(
        () -> {
          if (!extensions.serves(ExtensionCommand.PAUSE2)) {
            throw new DebuggeeRefusedException(
                ExtensionCommand.PAUSE2.name(),
                Status.BAD_COMMAND.code(),
                "this debuggee library does not know how to fork");
          }
          if (isPaused()) {
            return Optional.empty();
          }
          connection.settle(true);
          Pause pause = askToPause(PauseWay.FORK, budget);
          mode = pause.mode();
          return pause.warning();
        });
  }

  /**
   * A pause of another client is waited for, as most are over soon; one that lasts is used
   * together, like one that the program made itself.
   */
  private Pause askToPause(PauseWay way, Duration budget) {
    PauseState state = extensions.pauseState();
    boolean isOfAnotherClient = state.holder() == PauseState.Holder.OTHER_CLIENT;
    otherHolder = state.isPaused() && isOfAnotherClient ? state.client() : null;
    if (state.isPaused() && !isOfAnotherClient) {
      return foundPaused(way);
    }
    Duration waitLimit = extensions.waitLimit();
    boolean isShort = state.isPaused() && OTHERS_PATIENCE.compareTo(waitLimit) < 0;
    try {
      PauseResult result = extensions.pause(way, budget, isShort ? OTHERS_PATIENCE : waitLimit);
      return result.isFork()
          ? new Pause(Mode.FORKED, Optional.of(result.remark()).filter(text -> !text.isEmpty()))
          : new Pause(Mode.PAUSED, Optional.empty());
    } catch (DebuggeeRefusedException refused) {
      int status = refused.statusCode(); // the program may have paused itself meanwhile
      if (status == Status.BUSY.code() || status == Status.ALREADY_PAUSED.code()) {
        return foundPaused(way);
      }
      throw refused;
    } catch (DebuggerException e) {
      withdrawPause();
      throw e;
    }
  }

  private static Pause foundPaused(PauseWay way) {
    if (way == PauseWay.FORK) {
      throw new DebuggeeRefusedException(
          ExtensionCommand.PAUSE2.name(),
          Status.ALREADY_PAUSED.code(),
          Status.ALREADY_PAUSED.meaning());
    }
    return new Pause(Mode.FOUND_PAUSED, Optional.empty());
  }

  private Mode askToPause() {
    Request request = new Request.Pause();
    Status status;
    connection.send(request);
    try {
      status = connection.readResponse(IGNORE, true);
    } catch (DebuggerException e) {
      withdrawPause();
      throw e;
    }
    return switch (status) {
      case OKAY -> Mode.PAUSED;
      case ALREADY_PAUSED -> Mode.FOUND_PAUSED;
      default -> throw new Response.Refused(status).toException(request);
    };
  }

  private void withdrawPause() {
    if (!connection.isLost() && !connection.isSettled()) {
      connection.send(new Request.Resume());
    }
  }

  @Override
  public void resume() {
    exclusively(
        () -> {
          if (isPaused()) {
            connection.settle(false);
            askToResume();
          }
          return mode;
        });
  }

  private void askToResume() {
    Request request = new Request.Resume();
    connection.send(request);
    Status status = connection.readResponse(IGNORE, false);
    if (status.isError() && status != Status.NOT_PAUSED) {
      throw new Response.Refused(status).toException(request);
    }
    mode = Mode.RUNNING;
  }

  @Override
  public AddressList roots() {
    return extensions.serves(ExtensionCommand.ROOTS2)
        ? whilePaused(Command.ROOTS, extensions::roots)
        : askAddresses(new Request.Roots());
  }

  @Override
  public AddressList savedObjects() {
    return askAddresses(new Request.SavedObjects());
  }

  @Override
  public List<String> savedObjectNames() {
    return extensions.serves(ExtensionCommand.SAVED2)
        ? exclusively(() -> extensions.saved().stream().map(ExtensionAnswers.Saved::name).toList())
        : Collections.nCopies(savedObjects().size(), "");
  }

  @Override
  public AddressList weakPointers() {
    return extensions.serves(ExtensionCommand.WEAKS)
        ? whilePaused(Command.ROOTS, extensions::weakPointers)
        : AddressList.of();
  }

  @Override
  public Optional<Hello> hello() {
    return Optional.ofNullable(extensions.hello());
  }

  @Override
  public RtsFigures figures() {
    return extensions.serves(ExtensionCommand.RTS_FIGURES)
        ? exclusively(extensions::figures)
        : RtsFigures.NONE;
  }

  @Override
  public Optional<String> otherHolder() {
    return Optional.ofNullable(otherHolder);
  }

  @Override
  public Optional<String> blockPath() {
    return Optional.ofNullable(blockPath);
  }

  @Override
  public boolean servesReachable() {
    return extensions.serves(ExtensionCommand.REACHABLE);
  }

  @Override
  public List<ExtensionAnswers.ReachableClosure> reachable(AddressList closures, long budgetBytes) {
    return whilePaused(
        Command.CLOSURES, () -> extensions.reachable(untagged(closures), budgetBytes));
  }

  private AddressList askAddresses(Request request) {
    return whilePaused(
        request.command(), () -> untagged(((Response.Addresses) ask(request)).addresses()));
  }

  private static AddressList untagged(AddressList pointers) {
    long[] addresses = pointers.toArray();
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = Target.untag(addresses[i]);
    }
    return AddressList.of(addresses);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Groups of length 0 are left out; those of a compact region that the stub does not list are
   * asked for singly. When the sink throws, the rest of the answer is read and thrown away before
   * the next request, in the time that its transfer takes. The sink must not call this source.
   */
  @Override
  public long blocks(BlockSink sink) {
    return whilePaused(
        Command.ALL_BLOCKS,
        () -> {
          if (extensions.serves(ExtensionCommand.BLOCK_CONTENTS)) {
            return extendedBlocks(sink);
          }
          blockPath = "socket";
          DistinctGroups groups = new DistinctGroups(sink);
          Request all = new Request.AllBlocks();
          Status status = askBlocks(all, groups);
          if (status.isError()) {
            throw new Response.Refused(status).toException(all);
          }
          for (OptionalLong addr = groups.pollMissing();
              addr.isPresent();
              addr = groups.pollMissing()) {
            if (isPlausible(addr.getAsLong())) {
              askBlocks(new Request.Block(addr.getAsLong()), groups);
            }
          }
          return groups.handedOutBytes();
        });
  }

  /** Directly out of the process where that is possible, over the socket otherwise. */
  private long extendedBlocks(BlockSink sink) {
    List<BlockDescriptor> groups = List.of();
    int read = 0;
    if (extensions.serves(ExtensionCommand.BLOCK_LIST)
        && extensions.serves(ExtensionCommand.MEMORY_PROBE)) {
      try (ProcessMemory memory = findMemory()) {
        if (memory != null) {
          groups = extensions.blockList();
          read = memory.blocks(groups, sink);
          if (read == groups.size()) {
            blockPath = "process memory";
            return groups.stream().mapToLong(BlockDescriptor::lengthBytes).sum();
          }
        }
      }
    }
    blockPath = read == 0 ? "socket" : "process memory, then socket";
    if (groups.isEmpty()) {
      return extensions.blocks(AddressList.of(), sink);
    }
    long[] rest = groups.stream().skip(read).mapToLong(BlockDescriptor::startAddr).toArray();
    return groups.stream().limit(read).mapToLong(BlockDescriptor::lengthBytes).sum()
        + blocksInBatches(AddressList.of(rest), sink);
  }

  /** In requests that are not too long for the debuggee. */
  long blocksInBatches(AddressList addresses, BlockSink sink) {
    Batch batch = new Batch(addresses, _ -> true);
    long total = 0;
    for (int i = 0; i < batch.requests(); i++) {
      total += extensions.blocks(batch.part(i), sink);
    }
    return total;
  }

  /** {@link #blocks} over the socket, whatever else were possible. */
  long blocksOverSocket(BlockSink sink) {
    return whilePaused(Command.ALL_BLOCKS, () -> extensions.blocks(AddressList.of(), sink));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Of a program on this machine that is not profiled: the cost-centre stacks of a profiled one
   * are neither in blocks nor in static data.
   */
  @Override
  public @Nullable HeapSource detach(LongUnaryOperator infoAddrs) {
    return exclusively(
        () -> {
          boolean isPossible =
              mode != Mode.FORKED
                  && target.profiling() == ProfilingMode.VANILLA
                  && extensions.serves(ExtensionCommand.MEMORY_PROBE)
                  && extensions.serves(ExtensionCommand.STATE);
          ProcessMemory process = isPossible ? findMemory() : null;
          if (process == null) {
            return null;
          }
          StaticMemory copy = StaticMemory.copy(process);
          if (copy == null) {
            process.close();
            return null;
          }
          if (!isStillHeld()) {
            copy.close();
            throw new DebuggeeRefusedException(
                Command.ALL_BLOCKS.name(),
                Status.NOT_PAUSED.code(),
                "the pause's budget was spent while the heap was copied; allow a longer one");
          }
          return new DetachedSource(this, copy, infoAddrs);
        });
  }

  /** Nobody else says so to a client that reads the process's memory itself. */
  private boolean isStillHeld() {
    PauseState state = extensions.pauseState();
    return state.isPaused()
        && (mode == Mode.FOUND_PAUSED || state.holder() == PauseState.Holder.THIS_CLIENT);
  }

  private @Nullable ProcessMemory findMemory() {
    ExtensionAnswers.MemoryProbe probe = extensions.memoryProbe();
    ProcessMemory memory =
        peerPid == Dialer.NO_PID || mode == Mode.FORKED ? null : ProcessMemory.find(peerPid, probe);
    return memory == null && peerPid != Dialer.NO_PID
        ? ProcessMemory.find(probe.pid(), probe)
        : memory;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The stub 0.7 can die of an address outside the heap, so only those in GHC's usual
   * reservation are asked about. Programs whose heap is elsewhere ({@code -xr}, limited address
   * space) are read closure by closure.
   */
  @Override
  public void blocksAt(AddressList addresses, BlockSink sink) {
    whilePaused(
        Command.BLOCK,
        () -> {
          if (extensions.serves(ExtensionCommand.BLOCK_CONTENTS)) {
            return addresses.size() == 0 ? 0 : extensions.blocks(addresses, sink);
          }
          DistinctGroups groups = new DistinctGroups(sink);
          for (int i = 0; i < addresses.size(); i++) {
            long addr = addresses.get(i);
            if (addr >= HEAP_RESERVATION_START && addr < HEAP_RESERVATION_END) {
              askBlocks(new Request.Block(addr), groups);
            }
          }
          return groups.handedOutBytes();
        });
  }

  private Status askBlocks(Request request, DistinctGroups groups) {
    BlockStreamDecoder decoder =
        new BlockStreamDecoder(description + ", " + request.command(), groups);
    Status status = connection.exchange(request, decoder);
    if (!status.isError()) {
      decoder.finish();
    }
    return status;
  }

  @Override
  public List<long @Nullable []> closures(AddressList addresses) {
    return whilePaused(
        Command.CLOSURES,
        () -> {
          Batch batch = new Batch(untagged(addresses), SocketSource::isPlausible);
          ClosureCollector collector = new ClosureCollector(description + ", CLOSURES", batch);
          connection.exchange(
              batch.requests(), i -> new Request.Closures(batch.part(i)), collector);
          return collector.results();
        });
  }

  @Override
  public List<@Nullable InfoTable> infoTables(AddressList infoAddrs) {
    return whilePaused(Command.INFO_TABLES, () -> askInfoTables(infoAddrs));
  }

  private List<@Nullable InfoTable> askInfoTables(AddressList infoAddrs) {
    Batch batch = new Batch(infoAddrs, SocketSource::isPlausibleInfo);
    @Nullable InfoTable[] results = new InfoTable[batch.askedSize()];
    askEach(
        batch.requests(),
        i -> new Request.InfoTables(batch.part(i)),
        (request, response) -> {
          Response.MemoryChunks chunks = (Response.MemoryChunks) response;
          for (int i = 0; i < chunks.size(); i++) {
            if (chunks.sizeWords(i) > 0) {
              int position = batch.position(request, i);
              InfoTable info = ResponseValues.infoTable(infoAddrs.get(position), chunks, i);
              results[position] = info;
              seenInfoTables.put(
                  info.address().address(), info.hasConstructorName() ? HAS_NAME : NAMELESS);
            }
          }
        });
    return Arrays.asList(results);
  }

  @Override
  public AddressList srts(AddressList infoAddrs) {
    return whilePaused(
        Command.SRT,
        () -> {
          Batch batch = new Batch(infoAddrs, SocketSource::isPlausibleInfo);
          long[] results = new long[batch.askedSize()];
          askEach(
              batch.requests(),
              i -> new Request.Srt(batch.part(i)),
              (request, response) -> {
                AddressList srts = ((Response.Addresses) response).addresses();
                for (int i = 0; i < srts.size(); i++) {
                  results[batch.position(request, i)] = srts.get(i);
                }
              });
          return AddressList.of(results);
        });
  }

  /**
   * {@inheritDoc}
   *
   * <p>The stub 0.7 dies when asked about a RET_BCO frame, whose bitmap is in its BCO.
   */
  @Override
  public List<@Nullable PointerBitmap> stackBitmaps(List<FrameAddress> frames) {
    return whilePaused(
        Command.STACK_BITMAP,
        () ->
            askSingly(
                frames,
                frame -> isPlausible(frame.address()) && isWordAligned(frame.address()),
                frame -> new Request.StackBitmap(frame.baseAddr(), frame.offsetBytes()),
                response -> ResponseValues.bitmap((Response.Bitmap) response)));
  }

  @Override
  public List<@Nullable PointerBitmap> funBitmaps(List<FunArguments> functions) {
    return whilePaused(
        Command.FUN_BITMAP,
        () ->
            askSingly(
                functions,
                fun ->
                    isPlausible(fun.funAddr())
                        && fun.arguments() >= 0
                        && fun.arguments() <= MAX_BITMAP_ARGUMENTS,
                fun -> new Request.FunBitmap(Target.untag(fun.funAddr()), fun.arguments()),
                response -> ResponseValues.bitmap((Response.Bitmap) response)));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Info tables that this source has not read yet are read first, for which the program must be
   * paused: only constructors are asked for their names.
   */
  @Override
  public List<@Nullable ConstructorName> constructorNames(AddressList infoAddrs) {
    return exclusively(
        () -> {
          long[] unseen =
              LongStream.of(infoAddrs.toArray())
                  .filter(info -> info != 0 && seenInfoTables.get(info) == LongIntMap.MISSING)
                  .distinct()
                  .toArray();
          if (unseen.length > 0) {
            requirePaused(Command.CON_DESCR);
            askInfoTables(AddressList.of(unseen));
          }
          return askSingly(
              infoPointers(infoAddrs),
              info -> info.address() != 0 && seenInfoTables.get(info.address()) == HAS_NAME,
              Request.ConDescr::new,
              response -> ConstructorName.parse(((Response.Text) response).text()));
        });
  }

  @Override
  public List<@Nullable SourceInfo> sourceInfos(AddressList infoAddrs) {
    return exclusively(
        () ->
            askSingly(
                infoPointers(infoAddrs),
                info -> isPlausibleInfo(info.address()),
                Request.SourceInfo::new,
                ResponseValues::findSourceInfo));
  }

  /**
   * {@inheritDoc}
   *
   * <p>They are read from the files of the process, if it is on this machine and may be looked at
   * by this user; no request is made.
   */
  @Override
  public List<@Nullable CodeSymbol> symbols(AddressList infoAddrs) {
    return exclusively(
        () -> {
          ProcessSymbols known = processSymbols;
          if (known == null) {
            known = ProcessSymbols.of(peerPid);
            processSymbols = known;
          }
          return known.find(infoAddrs);
        });
  }

  @Override
  public List<@Nullable CostCentreStack> costCentreStacks(AddressList addresses) {
    return whilePaused(
        Command.CCS,
        () -> {
          boolean isProfiled = target.profiling() != ProfilingMode.VANILLA;
          List<@Nullable Response> stacks =
              askSingly(
                  LongStream.of(addresses.toArray()).mapToObj(CcsPtr::new).toList(),
                  stack ->
                      isProfiled && isPlausible(stack.address()) && isWordAligned(stack.address()),
                  Request.Ccs::new,
                  response -> response);
          List<Long> costCentres =
              stacks.stream()
                  .map(stack -> stack instanceof Response.Ccs ccs ? ccs.costCentreAddr() : 0L)
                  .toList();
          List<@Nullable Response> tops =
              askSingly(costCentres, SocketSource::isPlausible, Request.CostCentre::new, r -> r);
          List<@Nullable CostCentreStack> found = new ArrayList<>(addresses.size());
          for (int i = 0; i < addresses.size(); i++) {
            found.add(
                stacks.get(i) instanceof Response.Ccs stack
                        && tops.get(i) instanceof Response.CostCentre top
                    ? ResponseValues.costCentreStack(addresses.get(i), stack, top)
                    : null);
          }
          return found;
        });
  }

  private static List<InfoPtr> infoPointers(AddressList infoAddrs) {
    return LongStream.of(infoAddrs.toArray()).mapToObj(InfoPtr::new).toList();
  }

  private static boolean isPlausible(long addr) {
    return addr >= MIN_ADDRESS && addr < ADDRESS_LIMIT;
  }

  /** Info pointers are aligned, as the code that follows the table is. */
  private static boolean isPlausibleInfo(long addr) {
    return isPlausible(addr) && isWordAligned(addr);
  }

  private static boolean isWordAligned(long addr) {
    return addr % Target.WORD_BYTES == 0;
  }

  /** Takes the answer to the request with that index. */
  private interface Answers {
    void take(int index, Response response);
  }

  private Response ask(Request request) {
    Response[] answer = new Response[1];
    askEach(1, _ -> request, (_, response) -> answer[0] = response);
    return answer[0];
  }

  /**
   * Asks a row of requests; a refusal ends it.
   *
   * @throws DebuggeeRefusedException for the first request that is refused
   */
  private void askEach(int count, IntFunction<Request> request, Answers answers) {
    askEachOrRefuse(
        count,
        request,
        (index, response) -> {
          if (response instanceof Response.Refused refused) {
            throw refused.toException(request.apply(index));
          }
          answers.take(index, response);
        });
  }

  private void askEachOrRefuse(int count, IntFunction<Request> request, Answers answers) {
    PayloadBuffer payload = new PayloadBuffer(description);
    connection.exchange(
        count,
        request,
        new Connection.ResponseHandler() {
          @Override
          public void begin(int index) {
            payload.clear();
          }

          @Override
          public void body(ByteBuf bytes) {
            payload.body(bytes);
          }

          @Override
          public void end(int index, Status status) {
            answers.take(
                index, ResponseDecoder.decode(request.apply(index), status, payload.bytes()));
          }
        });
  }

  /**
   * Asks about each of some keys, pipelined.
   *
   * @param isPlausible whether a key may be asked about
   * @param value of the response; {@code null} for none
   * @return per key its value; {@code null} also where it was not asked about or was refused
   */
  private <K, V> List<@Nullable V> askSingly(
      List<K> keys,
      Predicate<K> isPlausible,
      Function<K, Request> request,
      Function<Response, @Nullable V> value) {
    int[] asked =
        IntStream.range(0, keys.size()).filter(i -> isPlausible.test(keys.get(i))).toArray();
    List<@Nullable V> values = new ArrayList<>(Collections.nCopies(keys.size(), null));
    askEachOrRefuse(
        asked.length,
        i -> request.apply(keys.get(asked[i])),
        (i, response) -> {
          if (!(response instanceof Response.Refused)) {
            values.set(asked[i], value.apply(response));
          }
        });
    return values;
  }

  private <T> T whilePaused(Command command, Supplier<T> work) {
    return exclusively(
        () -> {
          requirePaused(command);
          return work.get();
        });
  }

  private void requirePaused(Command command) {
    if (!isPaused()) {
      throw new DebuggeeRefusedException(
          command.name(), Status.NOT_PAUSED.code(), Status.NOT_PAUSED.meaning());
    }
  }

  private <T extends @Nullable Object> T exclusively(Supplier<T> work) {
    lock.lock();
    try {
      if (closing.get()) {
        throw new SourceUnavailableException(description, "closed");
      }
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Waits until the program runs again and every answer has been read; when no byte comes for
   * the time-out, a daemon thread goes on waiting. From any thread, except from within a {@link
   * BlockSink}.
   */
  @Override
  public void close() {
    if (closing.getAndSet(true)) {
      return;
    }
    connection.abandon();
    if (acquiredLock()) {
      try {
        finish();
      } finally {
        lock.unlock();
      }
    } else {
      startDaemon(
          () -> {
            lock.lock();
            finish();
          });
    }
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException alreadyShuttingDown) {
      // The hook is what closes.
    }
  }

  /** The lock is held for long only by a thread that hangs in a sink, or in System.exit there. */
  private boolean acquiredLock() {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return lock.tryLock(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void finish() {
    connection.adopt();
    try {
      if (!connection.isLost()) {
        boolean isHeld = mode == Mode.PAUSED || mode == Mode.FORKED;
        if (isHeld) {
          connection.send(new Request.Resume());
        }
        if (isHeld || !canLeaveUnsettled()) {
          connection.settle(false);
        }
      }
    } catch (DebuggerException unfinished) {
      // Whatever is still owed is waited for below, unless the connection is lost.
    }
    mode = Mode.RUNNING;
    if (processSymbols != null) {
      processSymbols.close();
      processSymbols = null;
    }
    closeWhenSettled();
  }

  /**
   * Whether the debuggee takes it well when a client goes that it still owes an answer, for
   * instance to a PAUSE of a program that does not stop: our own library ends what the client
   * wanted.
   */
  private boolean canLeaveUnsettled() {
    return extensions != null && extensions.hello() != null;
  }

  private void closeWhenSettled() {
    if (connection.isSettled() || connection.isLost() || canLeaveUnsettled()) {
      connection.close();
    } else {
      startDaemon(connection::closeWhenSettled);
    }
  }

  private void startDaemon(Runnable work) {
    Thread.ofPlatform().daemon().name("ghc-debug drain " + description).start(work);
  }
}
