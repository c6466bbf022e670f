package org.ghcdebug.client.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.TestPrograms;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The example of docs/junit.md, run as a test of a program that leaks and of one that does not. */
class ExampleTest {
  private static final Path ROOT = Path.of(System.getProperty("ghcdebug.projectRoot", ".."));

  @DebuggeeTest
  void passesWhenNothingLeaks(String ghc) {
    Map<String, @Nullable Throwable> failures = run(TestPrograms.require(ghc, "leak"), "fixed");

    assertEquals(3, failures.size());
    failures.forEach((test, failure) -> assertNull(failure, () -> test + " failed: " + failure));
  }

  @DebuggeeTest
  void failsWhenALeakIsPlantedAndSaysWhatWasFound(String ghc) {
    Map<String, @Nullable Throwable> failures = run(TestPrograms.require(ghc, "leak"), "planted");

    assertEquals(3, failures.size());
    // The compiler made code for the session of a first visit in two places.
    assertMessage(
        """
        Expected at most 100 closures named Main\\.Session in the heap of leak \\(pid \\d+\\),
         but found 501, of 16,032 bytes:
          count   bytes  closure +some of them
            499  15,968  Main\\.Session \\(leak\\.hs:\\S+\\) +(0x[0-9a-f]{16}\\s+){4}\
        2      64  Main\\.Session \\(leak\\.hs:\\S+\\) +0x[0-9a-f]{16} 0x[0-9a-f]{16}\
        """,
        failures.get("sessionsAreRemoved()"));
    assertMessage(
        """
        Expected no closures named Main\\.serve in what Main\\.Server reaches in the heap of \
        leak \\(pid \\d+\\),
         but found 1,000, of 24,000 bytes:
          count   bytes  closure +some of them
          1,000  24,000  <THUNK_1_0> serve \\(leak\\.hs:\\S+\\) +0x[0-9a-f]{16}( 0x[0-9a-f]{16}){3}\
        """,
        failures.get("hitsAreCountedAtOnce()"));
    assertMessage(
        """
        Expected no closure to grow by more than 100 closures in the heap of leak \\(pid \\d+\\) \
        since the earlier heap,
         but \\d did:
           count  before  after     bytes  closure
        (?s).*\
          \\+2,000   1,000  3,000   \\+48,000  <THUNK_1_0> serve \\(leak\\.hs:.*\
          \\+1,000     499  1,499   \\+32,000  Main\\.Session \\(leak\\.hs:.*\
        """,
        failures.get("servingMoreLeavesNothingBehind()"));
  }

  private static void assertMessage(String pattern, @Nullable Throwable failure) {
    String message = String.valueOf(assertInstanceOf(AssertionError.class, failure).getMessage());
    assertTrue(message.replace(System.lineSeparator(), "\n").matches(pattern), message);
  }

  /** Test's name to why it failed. */
  private static Map<String, @Nullable Throwable> run(Path server, String leaks) {
    System.setProperty("server", server.toString());
    System.setProperty("leaks", leaks);
    try {
      Map<String, @Nullable Throwable> failures = new TreeMap<>();
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(selectClass(SessionsExample.class))
              .build();
      LauncherFactory.create()
          .execute(
              request,
              new TestExecutionListener() {
                @Override
                public void executionFinished(TestIdentifier id, TestExecutionResult result) {
                  if (id.isTest()) {
                    failures.put(id.getDisplayName(), result.getThrowable().orElse(null));
                  }
                }
              });
      return failures;
    } finally {
      System.clearProperty("server");
      System.clearProperty("leaks");
    }
  }

  @Test
  void isTheOneThatIsDocumented() throws IOException {
    String source =
        Files.readString(
            ROOT.resolve(
                "debugger-client/src/test/java/org/ghcdebug/client/junit/SessionsExample.java"));
    Matcher documented =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("docs/junit.md")));

    assertTrue(documented.find());
    assertEquals(source.substring(source.indexOf("import ")), documented.group(1));
  }
}
