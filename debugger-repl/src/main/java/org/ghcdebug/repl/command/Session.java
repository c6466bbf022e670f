package org.ghcdebug.repl.command;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.debuggee.Options;
import org.ghcdebug.client.debuggee.State;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.repl.render.TargetLabel;
import org.ghcdebug.repl.render.TextStyle;
import org.jspecify.annotations.Nullable;

/**
 * What verbs work with: the debuggee attached to, variables, aliases, and the work going on.
 *
 * <p>Used by one thread, but for {@link #cancel}. Closing it resumes the debuggee.
 */
public final class Session implements AutoCloseable {
  private static final String TARGET_VARIABLE = "GHC_DEBUG_SOCKET";
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

  private final Host host;
  private final Registry registry;
  private final Interpreter interpreter;
  private final Variables variables = new Variables();
  private final Map<String, String> aliases = new TreeMap<>();
  private @Nullable Attachment attachment;
  private volatile @Nullable Running running;
  private @Nullable Prompt prompt;
  private @Nullable Watch watch;
  private volatile boolean interrupted; // the line that was typed last, perhaps before its verb ran
  private boolean leaving;

  /** A verb that runs, and the one whose script it is a line of. */
  private record Running(
      Progress progress,
      @Nullable ConnectOptions options,
      TextStyle style,
      @Nullable Running outer) {}

  /** Something that goes on beside the prompt. */
  public interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  public Session(Host host, Registry registry) {
    this.host = host;
    this.registry = registry;
    this.interpreter = new Interpreter(this);
  }

  public Host host() {
    return host;
  }

  public Registry registry() {
    return registry;
  }

  public Interpreter interpreter() {
    return interpreter;
  }

  public Variables variables() {
    return variables;
  }

  /** What each alias stands for. */
  public Map<String, String> aliases() {
    return Map.copyOf(aliases);
  }

  /**
   * Makes a word stand for a line: one word is the line as it is, several are its words.
   *
   * @throws UsageException when {@code name} could not be the first word of a line
   */
  public void defineAlias(String name, List<String> words) {
    if (!name.matches("[\\w-]+")) {
      throw new UsageException(
          "\"%s\" cannot be an alias; expected letters, digits, _ and -".formatted(name));
    }
    aliases.put(name, words.size() == 1 ? words.getFirst() : Line.quote(words));
  }

  /** Progress and cancellation of the verb that runs. */
  public Work work() {
    Running current = running;
    return current == null ? Work.UNATTENDED : current.progress();
  }

  /**
   * @param options null where the verb needs no target
   * @param style of text for the terminal
   */
  void begin(Progress progress, @Nullable ConnectOptions options, TextStyle style) {
    running = new Running(progress, options, style, running);
    if (interrupted) {
      progress.cancel();
    }
    if (attachment != null && options != null) {
      Debuggee debuggee = attachment.debuggee();
      debuggee.use(options.over(debuggee.options()));
    }
  }

  void end() {
    Running current = running;
    running = current == null ? null : current.outer();
  }

  /** Stops the verb that runs, soon; any thread may ask. False when none runs. */
  public boolean cancel() {
    Running current = running;
    for (Running verb = current; verb != null; verb = verb.outer()) {
      verb.progress().cancel();
    }
    return current != null;
  }

  /** A line was typed; Ctrl-C is about it from now on. */
  public void beginLine() {
    interrupted = false;
  }

  /** Stops the verb of the line that was typed, also if it has not begun; any thread may ask. */
  public void interruptLine() {
    interrupted = true;
    cancel();
  }

  /** How the verb that runs lays out text for the terminal. */
  public TextStyle style() {
    Running current = running;
    return current == null ? TextStyle.PLAIN : current.style();
  }

  /** Where lines are typed, if that is so. */
  public Optional<Prompt> findPrompt() {
    return Optional.ofNullable(prompt);
  }

  /** Says where lines are typed. */
  public void usePrompt(Prompt prompt) {
    this.prompt = prompt;
  }

  /** Lets something go on beside the prompt, instead of what did before. */
  public void watch(Watch next) {
    endWatch();
    watch = next;
  }

  /** What goes on beside the prompt. */
  public Optional<Watch> findWatch() {
    return Optional.ofNullable(watch);
  }

  /** Ends what goes on beside the prompt; false if nothing did. */
  public boolean endWatch() {
    Watch current = watch;
    watch = null;
    if (current != null) {
      current.close();
    }
    return current != null;
  }

  /** No more lines are to be run. */
  public void leave() {
    leaving = true;
  }

  public boolean isLeaving() {
    return leaving;
  }

  /** What stands for TARGET where it is left out. */
  public Optional<String> findDefaultTarget() {
    // A variable with a path in it; a path without a slash must not be taken for a program's name.
    return Optional.ofNullable(host.environment().get(TARGET_VARIABLE))
        .filter(path -> !path.isEmpty())
        .map(path -> path.contains("/") ? path : "./" + path);
  }

  /**
   * Attaches to a target, which goes on running. Lets go of the one before first: it may be the
   * same, and a debuggee serves one client at a time.
   *
   * @throws UsageException when the text is no target
   * @throws org.ghcdebug.protocol.error.DebuggerException when it cannot be opened
   */
  public Debuggee attach(String target) {
    detach();
    attachment = open(target);
    return attachment.debuggee();
  }

  private Attachment open(String target) {
    var opened = new Attachment[1];
    work().waiting(() -> opened[0] = Attachment.open(target, options()));
    return opened[0];
  }

  private Options options() {
    Running current = running;
    return current == null || current.options() == null
        ? Options.DEFAULT
        : current.options().over(Options.DEFAULT);
  }

  /**
   * Looks at another target than the one attached to, and closes it again.
   *
   * @throws UsageException when the text is no target
   * @throws org.ghcdebug.protocol.error.DebuggerException when it cannot be opened
   */
  public <T> T at(String target, Function<Debuggee, T> look) {
    try (Attachment other = open(target)) {
      return look.apply(other.debuggee());
    }
  }

  /**
   * The debuggee attached to.
   *
   * @throws UsageException when there is none
   */
  public Debuggee debuggee() {
    if (attachment == null) {
      throw new UsageException("no target is attached; attach one by: attach TARGET");
    }
    return attachment.debuggee();
  }

  /** The heap as the pause mode gives it: the view taken before, or one taken now. */
  public HeapView view() {
    return debuggee().view(work());
  }

  /** Names of closures that were met in the heap attached to. */
  public SortedSet<String> knownNames() {
    return attachment == null ? Collections.emptySortedSet() : attachment.debuggee().knownNames();
  }

  /** What is missing from what is attached to, if that is a recording. */
  List<String> warnings() {
    return attachment == null ? List.of() : attachment.debuggee().warnings();
  }

  /** What is to be known about how what is attached to was read. */
  List<String> notes() {
    return attachment == null ? List.of() : attachment.debuggee().notes();
  }

  /** Tells what is attached to. */
  Optional<TargetLabel> findTargetLabel() {
    return Optional.ofNullable(attachment).map(Attachment::label);
  }

  /** The prompt without its mark: the target and its state, as {@code app [paused 3 s]}. */
  public String prompt() {
    if (attachment == null) {
      return "ghc-debug";
    }
    Debuggee debuggee = attachment.debuggee();
    String state =
        switch (debuggee.state()) {
          case State.Running _ -> "running";
          case State.Copied(Instant at) -> "copy " + CLOCK.format(at);
          case State.Forked(Instant at) -> "fork " + CLOCK.format(at);
          case State.Paused(Instant since) ->
              "paused %d s".formatted(Duration.between(since, Instant.now()).toSeconds());
          case State.Recorded _ -> "recorded";
        };
    return "%s [%s]".formatted(debuggee.name(), state);
  }

  /** Whether a running program is attached to. */
  boolean isLive() {
    return attachment != null && attachment.debuggee().isLive();
  }

  /** Another client that holds the program attached to. */
  Optional<String> findOtherHolder() {
    return Optional.ofNullable(attachment).flatMap(it -> it.debuggee().otherHolder());
  }

  /** What Ctrl-C promises: a program that is held still goes on. */
  void resumeAfterCancel() {
    if (attachment != null && attachment.debuggee().state() instanceof State.Paused) {
      attachment.debuggee().resume();
    }
  }

  @Override
  public void close() {
    endWatch();
    detach();
  }

  private void detach() {
    if (attachment != null) {
      attachment.close();
      attachment = null;
    }
  }
}
