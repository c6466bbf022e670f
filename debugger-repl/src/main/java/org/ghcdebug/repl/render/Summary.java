package org.ghcdebug.repl.render;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known when the last row has been given.
 *
 * @param complete false when anything could not be decoded or read; a warning then says how much
 * @param warnings one line each
 * @param totals null when the shape has none
 * @param exitCode 0, or what is wrong with the rows although they were given
 * @param leftOut rows that options left out; {@link #UNKNOWN} when reading stopped before their end
 */
public record Summary<T>(
    boolean complete, List<String> warnings, @Nullable T totals, int exitCode, long leftOut) {
  /** Of {@link #leftOut}: perhaps some, perhaps none. */
  public static final long UNKNOWN = -1;

  public Summary {
    warnings = List.copyOf(warnings);
  }

  /** All is well, and there are no totals. */
  public static <T> Summary<T> ok() {
    return new Summary<>(true, List.of(), null, 0, 0);
  }

  /**
   * The same of rows that were made from something damaged.
   *
   * @param damages a warning each; none leave everything as it is
   * @param damagedCode the exit code, unless there is one already
   */
  public Summary<T> withDamage(List<String> damages, int damagedCode) {
    return damages.isEmpty()
        ? this
        : new Summary<>(
            false,
            Stream.concat(damages.stream(), warnings.stream()).toList(),
            totals,
            exitCode == 0 ? damagedCode : exitCode,
            leftOut);
  }

  /** The same when options have left out more rows. */
  Summary<T> withLeftOut(long more) {
    return new Summary<>(
        complete,
        warnings,
        totals,
        exitCode,
        leftOut == UNKNOWN || more == UNKNOWN ? UNKNOWN : leftOut + more);
  }

  /** The same with more warnings, which say nothing against it. */
  public Summary<T> withNotes(List<String> notes) {
    return new Summary<>(
        complete,
        Stream.concat(notes.stream(), warnings.stream()).toList(),
        totals,
        exitCode,
        leftOut);
  }

  /** Totals of rows that may lack something. */
  public static <T> Summary<T> of(boolean complete, List<String> warnings, @Nullable T totals) {
    return new Summary<>(complete, warnings, totals, 0, 0);
  }
}
