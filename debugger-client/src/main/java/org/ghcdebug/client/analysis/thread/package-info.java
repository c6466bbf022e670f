/**
 * What the program's threads do, and which wait for each other.
 *
 * <p>{@link org.ghcdebug.client.analysis.thread.Threads} reads the threads among a heap's roots,
 * their stacks and what they are blocked on; it needs no copy of the heap.
 */
@NullMarked
package org.ghcdebug.client.analysis.thread;

import org.jspecify.annotations.NullMarked;
