package org.ghcdebug.repl.command.verb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.Words;
import org.ghcdebug.protocol.error.IoReason;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.repl.command.Address;
import org.ghcdebug.repl.command.Session;
import org.ghcdebug.repl.command.UsageException;
import org.ghcdebug.repl.command.Verb;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.render.Summary;
import org.ghcdebug.repl.render.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The bytes of a byte array. */
@Command(
    name = "dump",
    header = "Write the payload of a byte array (ARR_WORDS) to a file.",
    description = {
      "",
      "Text, ByteString, Integer and unboxed arrays keep their contents in one; \"tree\" shows"
          + " where."
    },
    footer = {"", "Example:", "  ghc-debug dump app.sock 0x4200105010 -o bytes.bin"})
final class Dump implements Verb {
  record Row(long address, String file, long bytes) {}

  private static final Shape<Row, Void> SHAPE =
      Shape.facts(
          "dump",
          List.<Column<Row>>of(
              new Column.Address<>("address", Row::address),
              new Column.Text<>("file", Row::file),
              new Column.Bytes<>("bytes", Row::bytes)));

  @Parameters(paramLabel = "ADDR", description = "The byte array.")
  private Address address = new Address(0);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write.")
  private Path output = Path.of("");

  @Override
  public Shape<?, ?> shape() {
    return SHAPE;
  }

  @Override
  public boolean needsTarget() {
    return true;
  }

  @Override
  public View<?, ?> run(Session session) {
    Closure closure = ClosureRow.require(session.view().heap(), address);
    if (!(closure instanceof Closure.ArrWords array)) {
      throw new UsageException(
          "dump: there is a %s at %s; expected an ARR_WORDS"
              .formatted(closure.info().type(), closure.address()));
    }
    try {
      Files.write(output, payload(array));
    } catch (IOException e) {
      throw new SourceUnavailableException(
          output.toString(),
          "cannot be written (%s); write to another file".formatted(IoReason.of(e)),
          e);
    }
    return View.of(
        SHAPE,
        List.of(new Row(Target.untag(address.value()), output.toString(), array.sizeBytes())),
        Summary.<Void>ok().withNotes(Redacted.notes(session.view())));
  }

  private static byte[] payload(Closure.ArrWords array) {
    Words data = array.data();
    ByteBuffer words =
        ByteBuffer.allocate(data.size() * Target.WORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    words.asLongBuffer().put(data.values());
    byte[] payload = new byte[Math.toIntExact(array.sizeBytes())];
    words.get(payload);
    return payload;
  }
}
