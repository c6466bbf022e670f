/**
 * From raw words to closures, stack frames and references, and nothing else: no I/O, no caches.
 *
 * <p>Two ways through the same rules. {@link org.ghcdebug.protocol.decode.EdgeWalker} reports the
 * references of a closure without allocating, for traversals; {@link
 * org.ghcdebug.protocol.decode.ClosureDecoder} makes values, for showing. Both read a closure
 * through {@link org.ghcdebug.protocol.decode.ClosureWords} and ask {@link
 * org.ghcdebug.protocol.decode.CodeTables} for what is not in the closure itself.
 *
 * <p>Input is hostile: whatever the words are, the result is a value that says what was not
 * understood, found in time and memory bounded by the words given. Nothing here throws for bad
 * data.
 *
 * <pre>{@code
 * ClosureLayout layout = Layouts.of(target);
 * ClosureDecoder decoder = new ClosureDecoder(layout);
 * Closure closure = decoder.decode(address, info, ClosureWords.of(words), tables);
 * }</pre>
 */
@NullMarked
package org.ghcdebug.protocol.decode;

import org.jspecify.annotations.NullMarked;
