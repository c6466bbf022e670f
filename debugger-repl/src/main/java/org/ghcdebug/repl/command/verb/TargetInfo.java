package org.ghcdebug.repl.command.verb;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.ghcdebug.client.debuggee.Debuggee;
import org.ghcdebug.client.debuggee.State;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Layout;
import org.ghcdebug.repl.render.Shape;
import org.jspecify.annotations.Nullable;

/**
 * A target and its state.
 *
 * @param state {@code running}, {@code copy}, {@code paused}, {@code fork} or {@code recorded}
 * @param since when the copy was taken, or the pause began
 */
record TargetInfo(
    String name, String kind, String ghc, String way, String state, @Nullable Instant since) {
  /** All that is known, for a row that has it. */
  static <R> List<Column<R>> columns(Function<R, TargetInfo> target) {
    return List.of(
        new Column.Text<>("name", row -> target.apply(row).name()),
        new Column.Text<>("kind", row -> target.apply(row).kind()),
        new Column.Text<>("ghc", row -> target.apply(row).ghc()),
        new Column.Text<>("way", row -> target.apply(row).way()),
        new Column.Text<>("state", row -> target.apply(row).state()),
        new Column.Time<>("since", row -> target.apply(row).since()));
  }

  static TargetInfo of(Debuggee debuggee) {
    ProfilingMode way = debuggee.target().profiling();
    String state =
        switch (debuggee.state()) {
          case State.Running _ -> "running";
          case State.Copied _ -> "copy";
          case State.Paused _ -> "paused";
          case State.Forked _ -> "fork";
          case State.Recorded _ -> "recorded";
        };
    Instant since =
        switch (debuggee.state()) {
          case State.Running _, State.Recorded _ -> null;
          case State.Copied(Instant at) -> at;
          case State.Paused(Instant at) -> at;
          case State.Forked(Instant at) -> at;
        };
    return new TargetInfo(
        debuggee.name(),
        debuggee.isLive() ? "live" : "recorded",
        debuggee.target().ghc().toString(),
        way.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        state,
        since);
  }

  /** One sentence, for verbs that change the state. */
  static Shape<TargetInfo, Void> sentence(String verb) {
    return new Shape<>(
        verb, new Layout.Lines<>(TargetInfo::toSentence), columns(Function.identity()), List.of());
  }

  private String toSentence() {
    return "%s (GHC %s, %s) is %s"
        .formatted(
            name,
            ghc,
            way,
            switch (state) {
              case "copy" -> "running, and was copied";
              case "fork" -> "running, and was forked";
              default -> state;
            });
  }
}
