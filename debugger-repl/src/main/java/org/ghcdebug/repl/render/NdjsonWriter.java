package org.ghcdebug.repl.render;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One object a row, one row a line, nothing else. */
final class NdjsonWriter implements ViewWriter {
  @Override
  public <R, T> void write(View<R, T> view, @Nullable TargetLabel target, Consumer<String> lines) {
    view.rows()
        .forEach(
            row -> {
              lines.accept(Json.object(view.shape().columns(), row));
              return true;
            });
  }
}
