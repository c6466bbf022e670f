package org.ghcdebug.repl.command.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.ghcdebug.protocol.wire.Command;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.testing.MemoryHost;
import org.ghcdebug.repl.testing.SmallHeap;
import org.ghcdebug.stub.server.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done with snapshot files, from the command line. */
class SnapshotVerbsTest {
  @TempDir private Path folder;

  private final SmallHeap program = new SmallHeap();
  private final MemoryHost host = new MemoryHost();
  private Path file = Path.of("");

  @BeforeEach
  void nameFile() {
    file = folder.resolve("app.snapshot");
  }

  @AfterEach
  void stop() {
    program.close();
  }

  private int run(String... arguments) {
    try (var session = new Session(host, Verbs.REGISTRY)) {
      return session.interpreter().runSubcommand(List.of(arguments), options -> 0);
    }
  }

  private String answer(String... arguments) {
    assertEquals(0, run(arguments), host::takeErr);
    return host.takeOut();
  }

  private void takeSnapshot() {
    answer("snapshot", program.socket().toString(), "-o", file.toString());
  }

  @Test
  void everyVerbSaysOfTheFileWhatItSaysOfTheProgram() {
    takeSnapshot();
    assertFalse(program.server().isPaused());
    for (String verb : List.of("roots", "saved", "count", "census")) {
      assertEquals(answer(verb, program.socket().toString()), answer(verb, file.toString()));
    }
    String list = answer("saved", file.toString(), "--columns", "address").lines().toList().get(1);
    String address = list.substring(list.indexOf("0x"));
    for (String verb : List.of("print", "tree", "closure")) {
      assertEquals(
          answer(verb, program.socket().toString(), address),
          answer(verb, file.toString(), address));
    }
    assertEquals("", host.takeErr());
  }

  @Test
  void aSnapshotOfASnapshotIsOneOfTheProgram() throws IOException {
    takeSnapshot();
    Path again = folder.resolve("again");
    answer("snapshot", file.toString(), "-o", again.toString());

    assertEquals(answer("census", file.toString()), answer("census", again.toString()));
    assertTrue(answer("snapshot", "info", again.toString()).contains("app"));
    assertEquals(2, Files.list(folder).count());
  }

  @Test
  void aRedactedSnapshotAnswersTheSameWithoutContents() throws IOException {
    takeSnapshot();
    Path redacted = folder.resolve("redacted");
    answer("snapshot", "redact", file.toString(), "-o", redacted.toString());

    for (String verb : List.of("count", "census", "suspects", "typegraph", "frag")) {
      assertEquals(answer(verb, file.toString()), answer(verb, redacted.toString()));
    }
    assertTrue(answer("roots", file.toString()).contains("\"main\""));
    assertFalse(answer("roots", redacted.toString()).contains("main")); // a label is text
    assertTrue(answer("snapshot", "info", redacted.toString()).contains("redacted"));
    assertEquals(0, run("snapshot", "verify", redacted.toString()));
    assertEquals(2, run("snapshot", "redact", file.toString(), "-o", file.toString()));
    assertTrue(host.takeErr().contains("is the snapshot itself"));
  }

  @Test
  void questionsAboutContentsThatAreNotThereAreRefusedOrAnsweredWithAWarning() {
    takeSnapshot();
    Path redacted = folder.resolve("redacted");
    answer("snapshot", "redact", file.toString(), "-o", redacted.toString());
    Path again = folder.resolve("again");
    answer("snapshot", redacted.toString(), "-o", again.toString());
    String list = answer("saved", file.toString(), "--columns", "address").lines().toList().get(1);
    String address = list.substring(list.indexOf("0x"));

    for (Path without : List.of(redacted, again)) {
      for (String verb : List.of("strings", "arrwords", "dups")) {
        answer(verb, file.toString());
        assertEquals(2, run(verb, without.toString()));
        assertEquals("", host.takeOut());
        assertTrue(host.takeErr().contains(verb + ": the snapshot is redacted"));
      }
      for (String verb : List.of("print", "closure")) {
        answer(verb, file.toString(), address);
        assertEquals("", host.takeErr());
        answer(verb, without.toString(), address);
        assertTrue(host.takeErr().contains("the snapshot is redacted"));
        assertTrue(
            answer(verb, without.toString(), address, "--json")
                .contains("\"warnings\":[\"the snapshot is redacted: "));
        host.takeErr();
      }
      answer("count", file.toString(), "text = A1");
      assertEquals(2, run("count", without.toString(), "text = A1"));
      assertTrue(host.takeErr().contains("filter: text: the snapshot is redacted"));
    }
  }

  @Test
  void verifyFindsAnyDamageAndOthersReadWhatIsLeft() throws IOException {
    takeSnapshot();
    assertEquals(0, run("snapshot", "verify", file.toString()));
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);

    assertEquals(5, run("snapshot", "verify", file.toString()));
    assertTrue(host.takeErr().contains("is damaged in 1 places"));
  }

  @Test
  void aFileThatWasCutOffIsReadInPartAndSaysSo() throws IOException {
    takeSnapshot();
    String whole = answer("count", file.toString());
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 40));

    assertEquals(5, run("count", file.toString()));
    assertEquals(whole, host.takeOut());
    assertTrue(host.takeErr().contains("warning: the file is damaged or was cut off"));
    assertEquals(5, run("snapshot", "info", file.toString(), "--json"));
    assertTrue(host.takeOut().contains("\"complete\":false"));
  }

  @Test
  void otherFilesAreToldByTheirContents() throws IOException {
    Files.writeString(file, "hdrb, and so on");
    assertEquals(5, run("count", file.toString()));
    assertTrue(host.takeErr().contains("an eventlog, expected a snapshot"));
    Files.writeString(file, "");
    assertEquals(5, run("count", file.toString()));
    assertTrue(host.takeErr().contains("an empty file, expected a snapshot"));
  }

  @Test
  void aFileThatIsMissingIsSaidToBe() {
    for (String verb : List.of("info", "verify")) {
      assertEquals(3, run("snapshot", verb, file.toString()));
      assertEquals(
          "error: " + file + ": cannot be read: no such file or directory\n", host.takeErr());
    }
  }

  @Test
  void whatCameBeforeTheProgramWasLostIsKept() {
    program.server().inject(Command.ALL_BLOCKS, new Fault.Disconnect(5000));
    assertEquals(3, run("snapshot", program.socket().toString(), "-o", file.toString()));

    assertFalse(Files.exists(file));
    assertTrue(host.takeErr().contains(file + ".partial"));
    assertTrue(Files.exists(Path.of(file + ".partial")));
  }
}
