/**
 * The heap of a running program over its debug socket, and finding such sockets.
 *
 * <p>{@link org.ghcdebug.client.source.socket.SocketSource} speaks the protocol of {@link
 * org.ghcdebug.protocol.wire} over a Unix socket or TCP; {@link
 * org.ghcdebug.client.source.socket.Discovery} lists the sockets of the current user's programs:
 *
 * <pre>{@code
 * Path folder = Discovery.findFolder(System.getenv()).orElseThrow();
 * for (DebuggeeSocket found : Discovery.list(folder, Duration.ofSeconds(1))) {
 *   try (SocketSource source = SocketSource.connect(found.path(), Duration.ofSeconds(10))) {
 *     source.pause();
 *     AddressList roots = source.roots();
 *   }                                                  // the program goes on
 * }
 * }</pre>
 */
@NullMarked
package org.ghcdebug.client.source.socket;

import org.jspecify.annotations.NullMarked;
