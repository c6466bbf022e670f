package org.ghcdebug.repl.render;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The target of an answer, as it is told beside the rows.
 *
 * @param spec as the user wrote it
 * @param name of the program or file
 * @param kind {@code live} or {@code recorded}
 * @param ghc the compiler's version
 * @param way {@code vanilla}, {@code profiled} …
 * @param takenAt when its heap was as the answer shows it; null when no heap was looked at, or that
 *     is not known
 */
public record TargetLabel(
    String spec,
    String name,
    String kind,
    @Nullable String ghc,
    @Nullable String way,
    @Nullable Instant takenAt) {
  /** The keys of {@code "target"} in JSON. */
  public static final List<Column<TargetLabel>> COLUMNS =
      List.of(
          new Column.Text<>("spec", TargetLabel::spec),
          new Column.Text<>("name", TargetLabel::name),
          new Column.Text<>("kind", TargetLabel::kind),
          new Column.Text<>("ghc", TargetLabel::ghc),
          new Column.Text<>("way", TargetLabel::way),
          new Column.Time<>("takenAt", TargetLabel::takenAt));
}
