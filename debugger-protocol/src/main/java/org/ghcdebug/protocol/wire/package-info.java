/**
 * The heap-debug wire protocol: frames, the 19 commands as {@link Request} and {@link Response},
 * and their codecs on netty buffers. It opens no sockets and starts no threads.
 *
 * <pre>
 * request   offset width
 *                0     4  N, big-endian: bytes that follow this field, at least 4
 *                4     4  command number, big-endian
 *                8   N-4  payload; bytes beyond what the command needs are ignored
 *
 * response  one or more frames, the last one with a status other than CONTINUES
 *                0     4  L, big-endian: bytes of this frame's body, may be 0
 *                4     2  status, big-endian
 *                6     L  body; the payload is the bodies of all frames, concatenated
 * </pre>
 *
 * <p>Responses come strictly in the order of the requests and carry no request number. Lengths and
 * counts are big-endian; pointers, memory, block flags and the numbers of cost centres are
 * little-endian. The protocol is that of the {@code ghc-debug-stub} package, 0.2 to 0.7.
 *
 * <p>A client writes with {@link RequestEncoder} and reads with {@link FrameDecoder}, which passes
 * the bodies on to a {@link PayloadBuffer} (then {@link ResponseDecoder} gives the value) or, where
 * a response is as large as the heap, to a {@link BlockStreamDecoder}:
 *
 * <pre>{@code
 * RequestEncoder.encode(request, out);                 // and write out to the socket
 * Status status = frames.decode(in, payload);          // with every chunk that is read
 * if (status != null) {                                // the response is complete
 *   Response response = ResponseDecoder.decode(request, status, payload.bytes());
 * }
 * }</pre>
 *
 * <p>A server reads with {@link RequestDecoder} and writes with {@link ResponseEncoder} to a {@link
 * FrameWriter}.
 *
 * <p><b>Buffers:</b> nothing here keeps, retains or releases a buffer that it is given; whoever
 * allocated one releases it. Values copy what they hold. Buffers handed to a {@link BodySink} or
 * {@link BlockSink} are valid during the call only.
 *
 * <p><b>Hostile input:</b> a length is checked before anything is allocated for it, and memory
 * grows with the bytes that arrived, never with those announced.
 */
@NullMarked
package org.ghcdebug.protocol.wire;

import org.jspecify.annotations.NullMarked;
