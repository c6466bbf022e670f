package org.ghcdebug.client.debuggee;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.ImageMemory;
import org.ghcdebug.client.source.ForwardingSource;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.Introspection;
import org.ghcdebug.client.source.Pausable;
import org.ghcdebug.client.source.Recorded;
import org.ghcdebug.client.source.snapshot.SnapshotWriter;
import org.ghcdebug.client.source.socket.DebuggeeSocket;
import org.ghcdebug.client.source.socket.Discovery;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.DebuggeeRefusedException;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.ghcdebug.protocol.extension.Hello;
import org.ghcdebug.protocol.extension.RtsFigure;
import org.ghcdebug.protocol.extension.RtsFigures;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * A program, or a recorded heap, that is being debugged.
 *
 * <p>Opening leaves the program running. The first {@link #view} holds it still in the {@link
 * PauseMode} chosen and is kept, so that addresses stay valid, until {@link #refresh}, {@link
 * #pause} or {@link #resume}. Closing resumes a program that was paused.
 *
 * <p>Not thread-safe.
 */
public final class Debuggee implements AutoCloseable {
  /**
   * The debuggee itself ends a pause so much later than this client would: for a client that has
   * been stopped or cut off.
   */
  private static final Duration BUDGET_GRACE = Duration.ofMillis(250);

  /** Of one capability, unless {@code -A} says otherwise; the figures leave nurseries out. */
  private static final long NURSERY_BYTES = 4L << 20;

  private final String name;
  private final HeapSource source;
  private Options options;
  private @Nullable HeapView view;
  private @Nullable Instant pausedSince;
  private boolean isForked; // the view is of a copy of the program
  private @Nullable String note; // on how the view was taken
  private @Nullable Thread budget; // resumes a held program when its time is spent

  private Debuggee(String name, HeapSource source, Options options) {
    this.name = name;
    this.source = source;
    this.options = options;
  }

  /**
   * Connects or opens.
   *
   * @throws SourceUnavailableException when there is nothing to connect to or to open
   * @throws org.ghcdebug.protocol.error.UnsupportedTargetException when its GHC is not supported
   * @throws org.ghcdebug.protocol.error.MalformedDataException when it is neither a debuggee nor a
   *     snapshot
   */
  public static Debuggee open(TargetSpec spec, Options options) {
    return switch (spec) {
      case TargetSpec.AtPath(Path path) ->
          new Debuggee(nameOf(path), openPath(path, options), options);
      case TargetSpec.Tcp(String host, int port) ->
          new Debuggee(
              spec.toString(),
              SocketSource.connect(host, port, options.timeout(), options.token()),
              options);
      case TargetSpec.Pid(long pid) -> discovered(spec, options, socket -> socket.pid() == pid);
      case TargetSpec.ProgramName(String program) ->
          discovered(spec, options, socket -> socket.program().equals(program));
      case TargetSpec.Demo() ->
          throw new SourceUnavailableException(
              "demo", "is served by the ghc-debug command line only; use ghc-debug demo");
    };
  }

  private static HeapSource openPath(Path path, Options options) {
    if (!Files.exists(path)) {
      throw new SourceUnavailableException(
          path.toString(),
          "no such socket or file; ghc-debug ps lists the debuggees that it finds");
    }
    return Files.isRegularFile(path)
        ? SnapshotFile.open(path)
        : SocketSource.connect(path, options.timeout());
  }

  private static Debuggee discovered(
      TargetSpec spec, Options options, Predicate<DebuggeeSocket> wanted) {
    List<DebuggeeSocket> live =
        discover(options.timeout()).stream().filter(DebuggeeSocket::live).toList();
    List<DebuggeeSocket> matches = live.stream().filter(wanted).toList();
    if (matches.size() == 1) {
      DebuggeeSocket match = matches.getFirst();
      return new Debuggee(
          match.program(), SocketSource.connect(match.path(), options.timeout()), options);
    }
    List<DebuggeeSocket> listed = matches.isEmpty() ? live : matches;
    throw new SourceUnavailableException(
        spec.toString(),
        (matches.isEmpty()
                ? (spec instanceof TargetSpec.ProgramName
                        ? "no file of that name exists, and no program of that name"
                        : "no program with that number")
                    + " is running that can be debugged; found: "
                : "ambiguous, give one of: ")
            + listed.stream()
                .map(socket -> "pid:" + socket.pid() + " (" + socket.program() + ")")
                .collect(Collectors.joining(", ", "", listed.isEmpty() ? "none" : "")));
  }

  /**
   * The sockets in the discovery folder of this user, stale ones included.
   *
   * @param timeout how long to wait for each to accept
   */
  public static List<DebuggeeSocket> discover(Duration timeout) {
    return Discovery.findFolder(System.getenv())
        .map(folder -> Discovery.list(folder, timeout))
        .orElse(List.of());
  }

  private static String nameOf(Path path) {
    Path file = path.getFileName();
    String name = file == null ? path.toString() : file.toString();
    return name.endsWith(".sock") ? name.substring(0, name.length() - ".sock".length()) : name;
  }

  /** Short, for a prompt. */
  public String name() {
    return name;
  }

  /** The socket or file, for messages. */
  public String description() {
    return source.description();
  }

  /**
   * Treats it so from the next view on; the one there is stays. The time-out of a connection is
   * that of {@link #open}.
   */
  public void use(Options next) {
    options = next;
  }

  /** How it is treated. */
  public Options options() {
    return options;
  }

  /** What it is. No I/O. */
  public Target target() {
    return source.target();
  }

  /** Whether there is a program behind it. */
  public boolean isLive() {
    return source instanceof Pausable;
  }

  /** No I/O. */
  public State state() {
    if (!isLive()) {
      return new State.Recorded();
    }
    if (pausedSince != null) {
      return isBudgetSpent() ? new State.Running() : new State.Paused(pausedSince);
    }
    if (view == null) {
      return new State.Running();
    }
    return isForked ? new State.Forked(view.takenAt()) : new State.Copied(view.takenAt());
  }

  /**
   * The current view; taken now, in the pause mode chosen, if there is none. A program that is
   * found paused, because it paused itself, stays so and is read lazily in either mode.
   *
   * @throws TimeLimitException when holding the program still would exceed the budget; it has been
   *     resumed
   * @throws org.ghcdebug.protocol.error.CanceledException when {@code work} was canceled; the
   *     program has been resumed
   */
  public HeapView view(Work work) {
    if (isBudgetSpent()) {
      release();
      throw budgetSpent("the program was held");
    }
    if (view == null) {
      view = take(work, UnaryOperator.identity());
    }
    return view;
  }

  /**
   * @param through decorates the source where it is copied
   */
  private HeapView take(Work work, UnaryOperator<HeapSource> through) {
    if (!(source instanceof Pausable program)) {
      return new HeapView(source, Instant.now());
    }
    if (pausedSince != null) {
      return new HeapView(source, pausedSince);
    }
    note = null;
    if (options.pauseMode() == PauseMode.HOLD) {
      work.waiting(this::pause);
      return new HeapView(source, Instant.now());
    }
    if (options.pauseMode() == PauseMode.FORK && tryToFork(program, work)) {
      return new HeapView(source, Instant.now());
    }
    Instant takenAt = Instant.now();
    ImageMemory memory = ImageMemory.reserve(expectedBytes(), work);
    try {
      work.waiting(() -> program.pause(debuggeeBudget()));
    } catch (Throwable failure) {
      memory.close();
      throw failure;
    }
    if (program.wasFoundPaused()) {
      memory.close();
      pausedSince = takenAt;
      return new HeapView(source, takenAt);
    }
    try {
      HeapSource read = through.apply(source);
      HeapCopy copy = HeapCopy.take(read, memory, program::resume, budgeted(work));
      if (read == source && isMissingStaticData(copy)) {
        copy.close();
        work.waiting(() -> program.pause(debuggeeBudget()));
        copy = HeapCopy.take(new ForwardingSource(source) {}, budgeted(work));
      }
      return new HeapView(copy, takenAt);
    } finally {
      program.resume();
    }
  }

  private Duration debuggeeBudget() {
    Duration limit = options.maxPause();
    return limit == null ? Duration.ZERO : limit.plus(BUDGET_GRACE);
  }

  /** Of its blocks; 0 when it is not known. */
  private long expectedBytes() {
    OptionalLong blocks = figures().find(RtsFigure.BLOCK_BYTES);
    return blocks.isPresent() ? blocks.getAsLong() + NURSERY_BYTES : 0;
  }

  /** Closures elsewhere than in files' mappings, such as code loaded at run time has. */
  private static boolean isMissingStaticData(HeapCopy copy) {
    return copy.isDetached() && copy.tally().missing().unreadableClosures() > 0;
  }

  private boolean tryToFork(Pausable program, Work work) {
    try {
      work.waiting(() -> note = program.fork(Duration.ZERO).orElse(null));
      isForked = true;
    } catch (DebuggeeRefusedException refused) {
      note = "not forked but copied under a pause: " + refused.getMessage();
    }
    return isForked;
  }

  /** Names of closures that the current view has met; none without one. No I/O. */
  public SortedSet<String> knownNames() {
    return view == null ? Collections.emptySortedSet() : view.heap().knownNames();
  }

  /**
   * When the heap was as the current view shows it, or as it was recorded; empty where there is no
   * view, and of recordings that do not tell. No I/O.
   */
  public Optional<Instant> findTakenAt() {
    return switch (source) {
      case Recorded recorded -> instant(recorded.metadata().get("takenAt"));
      default -> Optional.ofNullable(view).map(HeapView::takenAt);
    };
  }

  private static Optional<Instant> instant(@Nullable String text) {
    try {
      return Optional.ofNullable(text).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty(); // Written by another program, in another way.
    }
  }

  /**
   * Which other client held the program when this one last wanted to; empty when none did, and
   * where the debuggee library does not tell. No I/O.
   */
  public Optional<String> otherHolder() {
    return source instanceof Introspection live ? live.otherHolder() : Optional.empty();
  }

  /** What is missing from a recorded heap, as far as it has been read; nothing of a live one. */
  public List<String> warnings() {
    return source instanceof Recorded recorded ? recorded.warnings() : List.of();
  }

  /**
   * Why the view was taken in another way than was asked for, or what the debuggee warned of then;
   * nothing is missing from it.
   */
  public List<String> notes() {
    return note == null ? List.of() : List.of(note);
  }

  /**
   * What the program and its debuggee library say of themselves; empty for a recorded heap, and for
   * a library without extensions. No I/O.
   */
  public Optional<Hello> hello() {
    return source instanceof Introspection live ? live.hello() : Optional.empty();
  }

  /** What the RTS counts: now, or as it was recorded. None of them where nothing tells. */
  public RtsFigures figures() {
    return switch (source) {
      case Introspection live -> live.figures();
      case Recorded recorded -> SnapshotFile.figures(recorded.metadata());
      default -> RtsFigures.NONE;
    };
  }

  /** How the blocks came when they were last read, for people; empty for a recorded heap. */
  public Optional<String> blockPath() {
    return source instanceof Introspection live ? live.blockPath() : Optional.empty();
  }

  /**
   * Writes the heap into a file: the current view, or one taken now, which is then written while it
   * is being copied. When the debuggee is lost on the way, what had come is kept in a file whose
   * name ends in {@code .partial}.
   *
   * @param file replaced if it is there
   * @throws SourceUnavailableException when the file cannot be written, or the debuggee is lost
   * @throws TimeLimitException as {@link #view}; nothing is kept
   * @throws org.ghcdebug.protocol.error.CanceledException as {@link #view}; nothing is kept
   */
  public SnapshotResult snapshot(Path file, Work work) {
    Instant takenAt = view == null ? Instant.now() : view.takenAt();
    SnapshotWriter writer = SnapshotWriter.create(file, target(), metadata(takenAt));
    try (writer) {
      if (view == null && !isBudgetSpent()) {
        view = take(work, writer::recording);
      }
      HeapCopy copy = view(work).copy(work, writer::recording);
      writer.finish(copy, work);
      return new SnapshotResult(
          file,
          writer.sizeBytes(),
          copy.image().sizeBytes(),
          copy.tally().totalCount(),
          copy.tally().totalBytes(),
          copy.tally().missing());
    } catch (SourceUnavailableException | MalformedDataException lost) {
      if (!writer.hasBlocks()) {
        writer.discard();
        throw lost;
      }
      throw new SourceUnavailableException(
          file.toString(),
          "not finished, what had come is in %s: %s"
              .formatted(SnapshotWriter.partialFile(file), lost.getMessage()),
          lost);
    } catch (Throwable failure) {
      writer.discard();
      throw failure;
    }
  }

  private Map<String, String> metadata(Instant takenAt) {
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put("program", name);
    metadata.put("source", description());
    metadata.put("takenAt", takenAt.toString());
    metadata.put("writer", "ghc-debug for the JVM");
    hello().ifPresent(hello -> metadata.put("program", hello.program()));
    figures()
        .values()
        .forEach(
            (figure, value) ->
                metadata.put(SnapshotFile.RTS_PREFIX + figure.key(), value.toString()));
    if (source instanceof Recorded recorded) { // written anew, but taken then
      recorded.metadata().forEach(metadata::replace);
      if (recorded.metadata().containsKey(SnapshotFile.REDACTED)) {
        metadata.put(SnapshotFile.REDACTED, "true");
      }
    }
    return metadata;
  }

  /**
   * Holds a live program still from now on; verbs read it lazily. Ends the current view. When the
   * budget is spent the program is resumed, and the next {@link #view} says so.
   */
  public void pause() {
    Pausable program = requireLive("pause");
    if (pausedSince != null && !isBudgetSpent()) {
      return;
    }
    release();
    Duration limit = options.maxPause();
    program.pause(debuggeeBudget());
    pausedSince = Instant.now();
    if (limit != null) {
      budget =
          Thread.ofPlatform().daemon().name("ghc-debug pause budget").start(resumeAfter(limit));
    }
  }

  private Runnable resumeAfter(Duration limit) {
    return () -> {
      try {
        Thread.sleep(limit);
        requireLive("resume").resume();
      } catch (InterruptedException endedEarlier) {
        Thread.currentThread().interrupt();
      }
    };
  }

  /** Lets a live program go on. Ends the current view. */
  public void resume() {
    requireLive("resume").resume();
    release();
  }

  private boolean isBudgetSpent() {
    return budget != null && source instanceof Pausable program && !program.isPaused();
  }

  private TimeLimitException budgetSpent(String what) {
    Duration limit = requireNonNull(options.maxPause());
    return new TimeLimitException(
        limit,
        "%s for the whole pause budget of %d ms and has been resumed; raise --max-pause"
            .formatted(what, limit.toMillis()));
  }

  /** Forgets the view and, if the program was held, that it was; ends a copy. */
  private void release() {
    boolean hasCopy = isForked;
    forgetView();
    if (hasCopy && source instanceof Pausable program) {
      program.resume();
    }
  }

  private void forgetView() {
    if (view != null) {
      view.close();
      view = null;
    }
    pausedSince = null;
    isForked = false;
    if (budget != null) {
      budget.interrupt();
      budget = null;
    }
  }

  /**
   * Takes a new view: of a held program by letting it run for a moment, of a running one by a new
   * copy.
   */
  public HeapView refresh(Work work) {
    boolean held = pausedSince != null && !isBudgetSpent();
    if (held) {
      resume();
      pause();
    } else {
      release();
    }
    return view(work);
  }

  private Pausable requireLive(String what) {
    if (source instanceof Pausable program) {
      return program;
    }
    throw new SourceUnavailableException(
        source.description(), "a recorded heap cannot " + what + "; attach to a running program");
  }

  private Work budgeted(Work work) {
    Duration limit = options.maxPause();
    if (limit == null) {
      return work;
    }
    long deadlineNanos = System.nanoTime() + limit.toNanos();
    return new Work() {
      @Override
      public void progress(String phase, long done, long total) {
        work.progress(phase, done, total);
      }

      @Override
      public void checkStopped() {
        work.checkStopped();
        boolean isHeld = source instanceof Pausable program && program.isPaused();
        if (isHeld && System.nanoTime() - deadlineNanos > 0) {
          throw budgetSpent("the copy was not complete; the program was held");
        }
      }
    };
  }

  /** Resumes the program if it was paused, and disconnects; also when it is gone. Idempotent. */
  @Override
  public void close() {
    forgetView();
    source.close();
  }
}
