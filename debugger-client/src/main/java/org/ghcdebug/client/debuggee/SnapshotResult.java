package org.ghcdebug.client.debuggee;

import java.nio.file.Path;
import org.ghcdebug.client.index.HeapTally;

/**
 * A snapshot that was written.
 *
 * @param file where it is
 * @param fileBytes its size
 * @param blockBytes the size of the heap's blocks
 * @param closures how many are reachable
 * @param bytes their sizes added up
 * @param missing what of the heap could not be read
 */
public record SnapshotResult(
    Path file,
    long fileBytes,
    long blockBytes,
    long closures,
    long bytes,
    HeapTally.Missing missing) {}
