/**
 * The whole heap in flat arrays: a copy of its blocks, which closures are reachable, and how many
 * bytes of what they are.
 *
 * <p>{@link org.ghcdebug.client.index.HeapImage} holds the blocks off-heap and finds the place of
 * an address. {@link org.ghcdebug.client.index.HeapCopy} marks it from the roots while the debuggee
 * is held still, fetching in batches what lies outside the blocks, and is afterwards a source of
 * its own:
 *
 * <pre>{@code
 * source.pause();
 * HeapCopy copy = HeapCopy.take(source, Work.UNATTENDED);
 * source.resume();
 * long live = copy.tally().totalBytes();
 * }</pre>
 *
 * <p>{@link org.ghcdebug.client.index.HeapGraph} numbers what was reached and holds who refers to
 * whom, for analyses that ask more than how much.
 */
@NullMarked
package org.ghcdebug.client.index;

import org.jspecify.annotations.NullMarked;
