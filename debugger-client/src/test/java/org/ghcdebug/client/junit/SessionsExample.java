package org.ghcdebug.client.junit;

import static org.ghcdebug.client.junit.HeapAssertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SessionsExample {
  @RegisterExtension
  final HaskellProgram server =
      HaskellProgram.start(
              Path.of(System.getProperty("server")), "1000", System.getProperty("leaks"))
          .readyWhenPrinted("ready");

  @Test
  void sessionsAreRemoved() {
    assertThat(server.heap()).hasAtMost(100, "Main.Session");
  }

  @Test
  void hitsAreCountedAtOnce() {
    assertThat(server.heap().from("Main.Server")).hasNone("Main.serve");
  }

  @Test
  void servingMoreLeavesNothingBehind() {
    ProgramHeap before = server.heap();
    server.send("2000");
    server.awaitLine("ready");
    assertThat(server.heap()).since(before).grewByAtMost(100);
  }
}
