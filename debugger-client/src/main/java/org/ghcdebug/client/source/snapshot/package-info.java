/**
 * Recorded heaps as sources.
 *
 * <p>{@link org.ghcdebug.client.source.snapshot.ReferenceSnapshotSource} opens the files of the
 * reference Haskell client, whose format is that of {@link org.ghcdebug.protocol.snapshot}:
 *
 * <pre>{@code
 * try (HeapSource heap = ReferenceSnapshotSource.open(Path.of("leak.snapshot.gz"))) {
 *   AddressList roots = heap.roots();
 * }
 * }</pre>
 */
@NullMarked
package org.ghcdebug.client.source.snapshot;

import org.jspecify.annotations.NullMarked;
