package org.ghcdebug.client.junit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.Options;
import org.ghcdebug.client.debuggee.PauseMode;
import org.ghcdebug.client.debuggee.TargetSpec;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.DebuggerException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Haskell program under test: registered with JUnit's {@code @RegisterExtension}, it is there
 * while tests run. In a static field one program serves all tests of the class; in an instance
 * field each test has a program of its own.
 *
 * <p>A program that is {@linkplain #start started} gets the environment variable {@code
 * GHC_DEBUG_SOCKET} with a path in a fresh folder; it is killed when the tests are over. Its
 * standard output and error are read all the time. A program that was {@linkplain #attach attached
 * to} goes on; a recorded heap will do as well.
 *
 * <p>The program is held still only inside of {@link #heap}, and resumed however that ends.
 *
 * <p>Without JUnit: {@link #launch} and {@link #close}. Thread-safe; what {@link #heap} returns is
 * not.
 */
public final class HaskellProgram
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        AutoCloseable {
  private final Origin origin;
  private final Duration timeout;

  private final Set<String> users = new HashSet<>(); // ids of classes and tests that go on
  private @Nullable ProgramProcess process;
  private @Nullable Debuggee debuggee;

  private sealed interface Origin {}

  private record Started(ProgramProcess.Recipe recipe) implements Origin {}

  private record Attached(TargetSpec target) implements Origin {}

  private HaskellProgram(Origin origin, Duration timeout) {
    this.origin = origin;
    this.timeout = timeout;
  }

  /** A program to be started; does not start it yet. */
  public static HaskellProgram start(Path executable, String... arguments) {
    return new HaskellProgram(
        new Started(ProgramProcess.Recipe.of(executable, List.of(arguments))),
        Options.DEFAULT.timeout());
  }

  /** A program that runs already, or a recorded heap; does not connect yet. */
  public static HaskellProgram attach(TargetSpec target) {
    return new HaskellProgram(new Attached(target), Options.DEFAULT.timeout());
  }

  /** A program that runs already, as on the command line; see {@link TargetSpec#parse}. */
  public static HaskellProgram attach(String target) {
    return attach(TargetSpec.parse(target));
  }

  /**
   * This, to be waited for until it has printed a line; otherwise it is ready when it can be
   * attached to, which is before its {@code main} does anything.
   *
   * @param line the whole line
   * @throws IllegalStateException for a program that is not started
   */
  public HaskellProgram readyWhenPrinted(String line) {
    return new HaskellProgram(new Started(requireRecipe().withReadyLine(line)), timeout);
  }

  /**
   * This, with a variable in its environment.
   *
   * @throws IllegalStateException for a program that is not started
   */
  public HaskellProgram withEnvironment(String name, String value) {
    return new HaskellProgram(new Started(requireRecipe().withVariable(name, value)), timeout);
  }

  /**
   * This, in a working directory.
   *
   * @throws IllegalStateException for a program that is not started
   */
  public HaskellProgram in(Path directory) {
    return new HaskellProgram(new Started(requireRecipe().withDirectory(directory)), timeout);
  }

  private ProgramProcess.Recipe requireRecipe() {
    return switch (origin) {
      case Started(ProgramProcess.Recipe recipe) -> recipe;
      case Attached(TargetSpec target) ->
          throw new IllegalStateException(target + " is attached to, not started by this test");
    };
  }

  /** This, with another limit for its start, for a line, and for an answer; 30 s unless told. */
  public HaskellProgram withTimeout(Duration limit) {
    return new HaskellProgram(origin, limit);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    use(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    use(context);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    release(context);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    release(context);
  }

  private synchronized void use(ExtensionContext context) {
    users.add(context.getUniqueId());
    if (debuggee == null) {
      launch();
    }
  }

  // JUnit calls it also for those that never used it, because another extension failed before.
  private synchronized void release(ExtensionContext context) {
    if (users.remove(context.getUniqueId()) && users.isEmpty()) {
      close();
    }
  }

  /**
   * Starts or attaches, and waits until it is ready. JUnit does it for a registered program.
   *
   * @return this
   * @throws IllegalStateException when it is there already
   * @throws SourceUnavailableException when it cannot be started or found, or ends at once; with
   *     what it printed
   * @throws TimeLimitException when it is not ready in time; with what it printed
   */
  public synchronized HaskellProgram launch() {
    if (debuggee != null) {
      throw new IllegalStateException(describe() + " is there already");
    }
    Options options = new Options(PauseMode.COPY, timeout, null, null);
    switch (origin) {
      case Started(ProgramProcess.Recipe recipe) -> {
        ProgramProcess started = ProgramProcess.start(recipe);
        try {
          debuggee = started.awaitReady(options);
          process = started;
        } finally {
          if (debuggee == null) {
            started.close();
          }
        }
      }
      case Attached(TargetSpec target) -> debuggee = Debuggee.open(target, options);
    }
    return this;
  }

  /** Kills it if it was started, lets it go if it was attached to. Idempotent. */
  @Override
  public synchronized void close() {
    ProgramProcess started = process;
    Debuggee attached = debuggee;
    process = null;
    debuggee = null;
    try {
      if (attached != null) {
        attached.close();
      }
    } finally {
      if (started != null) {
        started.close();
      }
    }
  }

  /**
   * The heap as it is now: pauses the program, copies, resumes. The copy before this one is freed.
   *
   * <p>A program that paused itself stays paused, until {@link #resume}.
   *
   * @throws SourceUnavailableException when the program has ended; with what it printed
   * @throws TimeLimitException when it does not answer in time
   */
  public synchronized ProgramHeap heap() {
    Debuggee current = requireDebuggee();
    try {
      return ProgramHeap.of(current.refresh(Work.UNATTENDED), describe());
    } catch (DebuggerException e) {
      if (process != null && process.awaitEnd(ProgramProcess.MOMENT)) {
        throw process.ended("its heap was read", e);
      }
      throw e;
    }
  }

  /** Lets a program go on that paused itself. Ends the heap before. */
  public synchronized void resume() {
    requireDebuggee().resume();
  }

  private Debuggee requireDebuggee() {
    if (debuggee == null) {
      throw notThere();
    }
    return debuggee;
  }

  private synchronized ProgramProcess requireProcess() {
    requireRecipe();
    if (process == null) {
      throw notThere();
    }
    return process;
  }

  private static IllegalStateException notThere() {
    return new IllegalStateException(
        "the program has not been launched: put @RegisterExtension before its field, or call"
            + " launch()");
  }

  private synchronized String describe() {
    return process != null ? process.toString() : requireDebuggee().description();
  }

  /**
   * Writes a line to its standard input.
   *
   * @throws SourceUnavailableException when it no longer reads; with what it printed
   */
  public void send(String line) {
    requireProcess().send(line);
  }

  /** Ends its standard input. */
  public void endInput() {
    requireProcess().endInput();
  }

  /**
   * Waits until it prints a line, after those that were waited for before.
   *
   * @param line the whole line
   * @throws SourceUnavailableException when it ends before; with what it printed
   * @throws TimeLimitException when it does not in time; with what it printed
   */
  public void awaitLine(String line) {
    requireProcess().awaitLine(line::equals, '"' + line + '"', timeout);
  }

  /** As {@link #awaitLine(String)}, for any line that fits; returns it. */
  public String awaitLine(Predicate<String> wanted) {
    return requireProcess().awaitLine(wanted, "the line that was waited for", timeout);
  }

  /** What it printed so far, on standard output and error; the last ten thousand lines. */
  public List<String> output() {
    return requireProcess().output();
  }

  /** The process of a program that was started. */
  public Process process() {
    return requireProcess().process();
  }
}
