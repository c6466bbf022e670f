package org.ghcdebug.client.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.opentest4j.TestAbortedException;

/** The Haskell programs that tests debug. Thread-safe. */
public final class TestPrograms {
  /** The GHCs that programs are expected of, be they there or not. */
  private static final List<String> EXPECTED_GHCS = List.of("9.6.6", "9.10.3");

  private static final String REQUIRED_VARIABLE = "GHC_DEBUG_REQUIRE_DEBUGGEES";
  private static final Path FOLDER =
      Path.of(
              System.getProperty("ghcdebug.projectRoot", ".."),
              "debuggee-stub/target/test-programs")
          .toAbsolutePath()
          .normalize();

  /** Reasons for skipping that have been printed. */
  private static final Set<String> PRINTED = ConcurrentHashMap.newKeySet();

  private TestPrograms() {}

  /** The expected GHCs, then others that programs are there of. */
  public static List<String> ghcVersions() {
    Set<String> others = new TreeSet<>();
    if (Files.isDirectory(FOLDER)) {
      try (Stream<Path> folders = Files.list(FOLDER)) {
        folders
            .map(folder -> folder.getFileName().toString())
            .filter(name -> name.startsWith("ghc-"))
            .forEach(name -> others.add(name.substring("ghc-".length())));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    others.removeAll(EXPECTED_GHCS);
    return Stream.concat(EXPECTED_GHCS.stream(), others.stream()).toList();
  }

  /**
   * The executable of a program; the test ends here when there is none.
   *
   * @param ghc version of the compiler, such as 9.6.6
   * @param program name, such as {@code bigmap} or {@code bigmap-prof}
   * @throws TestAbortedException (skipping the test, the reason is printed) when it is missing
   * @throws AssertionError when it is missing and programs of that GHC are required
   */
  public static Path require(String ghc, String program) {
    Path executable = FOLDER.resolve("ghc-" + ghc).resolve(program);
    if (Files.isExecutable(executable)) {
      return executable;
    }
    String reason =
        "no %s: build it with debuggee-stub/haskell/test-programs/build (see CONTRIBUTING.md)"
            .formatted(executable);
    if (isRequired(ghc)) {
      Assertions.fail(reason + "; " + REQUIRED_VARIABLE + " requires it");
    }
    if (PRINTED.add(reason)) {
      System.out.println("Tests skipped: " + reason);
    }
    throw new TestAbortedException(reason);
  }

  private static boolean isRequired(String ghc) {
    String required = System.getenv(REQUIRED_VARIABLE);
    return required != null && List.of(required.split(",")).contains(ghc);
  }

  /**
   * Starts a program that listens on a socket of its own; see {@link #require} for when there is
   * none.
   */
  public static RunningProgram start(String ghc, String program, String... arguments) {
    return start(ghc, program, Map.of(), arguments);
  }

  /** Likewise, with more in its environment. */
  public static RunningProgram start(
      String ghc, String program, Map<String, String> environment, String... arguments) {
    return RunningProgram.start(require(ghc, program), environment, List.of(arguments));
  }

  /** A TCP port that nobody listens to. */
  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
