/**
 * What our own debuggee library says beyond the stub 0.7's protocol: docs/protocol-extensions.md,
 * the client's side. Requests are written as frames; answers are read from the payloads that {@link
 * org.ghcdebug.protocol.wire.FrameDecoder} hands out. Addresses are unsigned.
 */
@NullMarked
package org.ghcdebug.protocol.extension;

import org.jspecify.annotations.NullMarked;
