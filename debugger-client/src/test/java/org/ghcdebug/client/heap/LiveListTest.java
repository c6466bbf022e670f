package org.ghcdebug.client.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.ghcdebug.client.testing.DebuggeeTest;
import org.ghcdebug.client.testing.RunningProgram;
import org.ghcdebug.client.testing.TestPrograms;

class LiveListTest {
  private static final int CELLS = 1_000_000;

  private static final Map<String, Integer> MOST_ROUND_TRIPS =
      Map.of("blocks", 20_000, "extensions", 500);

  @DebuggeeTest
  void aMillionCellsAreWalkedInFewRoundTripsAndLittleMemory(String ghc) throws Exception {
    try (RunningProgram program =
        TestPrograms.start(ghc, "list", Integer.toString(CELLS)).awaitReady()) {
      for (Map.Entry<String, Integer> way : MOST_ROUND_TRIPS.entrySet()) {
        Map<String, Long> walk = walkInAProcessOf64Mebibytes(program.socket(), way.getKey());

        assertEquals(CELLS, walk.get("cells"));
        assertEquals(program.number("list.sum"), walk.get("sum"));
        long roundTrips = walk.get("roundTrips");
        assertTrue(roundTrips <= way.getValue(), () -> roundTrips + " round trips by " + way);
      }
      program.goOn();
      assertEquals(0, program.awaitExit());
      assertEquals(999 + CELLS, program.number("list.last"));
    }
  }

  private static Map<String, Long> walkInAProcessOf64Mebibytes(Path socket, String way)
      throws IOException, InterruptedException {
    Process walker =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                WalkList.class.getName(),
                socket.toString(),
                way)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(walker.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, walker.waitFor(), output);
    return output
        .lines()
        .map(line -> line.split("="))
        .collect(Collectors.toMap(pair -> pair[0], pair -> Long.parseLong(pair[1])));
  }
}
