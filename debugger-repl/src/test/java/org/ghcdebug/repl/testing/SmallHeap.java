package org.ghcdebug.repl.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.Ref;
import org.ghcdebug.stub.heap.Slot;
import org.ghcdebug.stub.server.StubServer;

/**
 * A program without GHC whose heap never changes: a saved list of three customers, each with an
 * age; the last one's age is a thunk, and a mutable variable leads back to the list; also saved are
 * a thread with two frames and a byte array.
 *
 * <p>Serves it on a socket in a folder of its own until it is closed.
 */
public final class SmallHeap implements AutoCloseable {
  private final Path folder;
  private final StubServer server;

  /** Starts serving. */
  public SmallHeap() {
    try {
      folder = Files.createTempDirectory(Path.of("/tmp"), "ghcd");
      server = new StubServer(build().build(), socket());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HeapBuilder build() {
    var heap = new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));
    var int_ = heap.constructor("ghc-prim:GHC.Types.I#", 0, 1, 0);
    var nil = heap.constructor("ghc-prim:GHC.Types.[]", 0, 0, 0);
    var cons = heap.constructor("ghc-prim:GHC.Types.:", 2, 0, 1);
    var customer = heap.constructor("main:Main.Customer", 2, 0, 0);
    var age = heap.thunk(1, 0).withSource("Int", "ageOf", "Main", "app/Main.hs:12:5-20");
    Ref variable = heap.declare();
    Ref list = heap.staticConstr(nil);
    for (int i = 3; i > 0; i--) {
      Ref years = i == 3 ? heap.thunk(age, variable) : heap.constr(int_, Slot.word(20 + i));
      Ref name = heap.byteArray((byte) 'A', (byte) ('0' + i));
      list = heap.constr(cons, heap.constr(customer, name, years), list);
    }
    heap.define(variable, heap.mutVar(list));
    var handler = heap.fun(heap.function("PN", 1, 0), variable);
    var caller =
        heap.returnAddress("PN").withSource("", "main.loop", "Main", "app/Main.hs:20:3-30");
    var thread =
        heap.thread(
            heap.stack(
                4,
                heap.frame(caller, list, Slot.word(7)),
                heap.catchFrame(handler),
                heap.stopFrame()),
            "main");
    return heap.root(variable)
        .save(list)
        .save(thread)
        .save(heap.byteArray("bytes".getBytes(US_ASCII)));
  }

  /** Where it listens. */
  public Path socket() {
    return folder.resolve("app.sock");
  }

  /** The program that it pretends to be. */
  public StubServer server() {
    return server;
  }

  @Override
  public void close() {
    server.close();
    try {
      Files.deleteIfExists(socket());
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
