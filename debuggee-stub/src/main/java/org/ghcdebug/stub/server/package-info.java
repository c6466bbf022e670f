/**
 * A debuggee without a program: speaks the debugger's wire protocol over a Unix socket, or TCP on
 * the loopback address, for a {@link org.ghcdebug.stub.heap.StubHeap}. For tests and
 * demonstrations.
 *
 * <p>It has the states of a real stub, serves one client at a time, and fails on demand:
 *
 * <pre>{@code
 * try (var stub = new StubServer(heap, Path.of("/tmp/stub.sock"))) {
 *   stub.inject(Command.ROOTS, new Fault.Disconnect(3));
 *   // connect a client to stub.socketPath()
 * }
 * }</pre>
 *
 * <p>It knows no closures and no GHC versions; the heap does.
 */
@NullMarked
package org.ghcdebug.stub.server;

import org.jspecify.annotations.NullMarked;
