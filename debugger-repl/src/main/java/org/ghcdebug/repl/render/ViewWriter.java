package org.ghcdebug.repl.render;

import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes views in one {@link Format}. */
public interface ViewWriter {
  /**
   * Writes a view, a row as soon as it is given where the format permits.
   *
   * @param target null for verbs without one
   * @param lines takes each line, without its end
   */
  <R, T> void write(View<R, T> view, @Nullable TargetLabel target, Consumer<String> lines);

  /**
   * @param style of text; the other formats do without
   * @param question what was asked, for JSON; the other formats do without
   */
  static ViewWriter of(Format format, TextStyle style, Map<String, String> question) {
    return switch (format) {
      case TEXT -> new TextWriter(style);
      case JSON -> new JsonWriter(question);
      case NDJSON -> new NdjsonWriter();
      case CSV -> new SeparatedWriter(SeparatedWriter.Dialect.CSV);
      case TSV -> new SeparatedWriter(SeparatedWriter.Dialect.TSV);
      case MD -> new SeparatedWriter(SeparatedWriter.Dialect.MARKDOWN);
    };
  }
}
