package org.ghcdebug.repl.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that hold what is expected; {@code -Dgolden.update=true} rewrites them. */
public final class Golden {
  private static final Path PROJECT = Path.of(System.getProperty("ghcdebug.projectRoot", ".."));

  private Golden() {}

  /** Compares with a file of {@code src/test/resources/golden}. */
  public static void check(String name, String actual) {
    checkFile("debugger-repl/src/test/resources/golden/" + name, actual);
  }

  /** Compares with a file of the project, named from its root. */
  public static void checkFile(String name, String actual) {
    Path file = PROJECT.resolve(name);
    try {
      if (Boolean.getBoolean("golden.update")) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, actual);
        return;
      }
      assertTrue(Files.exists(file), () -> name + " is missing; write it by -Dgolden.update=true");
      assertEquals(
          Files.readString(file),
          actual,
          () -> name + " is stale; rewrite by -Dgolden.update=true");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
