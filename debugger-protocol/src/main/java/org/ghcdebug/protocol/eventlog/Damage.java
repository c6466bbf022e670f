package org.ghcdebug.protocol.eventlog;

import java.util.OptionalInt;

/**
 * Bytes that are no events, and were skipped.
 *
 * @param offsetBytes first byte that could not be used
 * @param lengthBytes how many bytes were skipped; 0 where only a promise was broken
 * @param reason what was wrong at {@code offsetBytes}
 * @param detail what was found and what was expected there
 * @param ghcIssue number of the GHC issue that is known to cause this, where recognised
 */
public record Damage(
    long offsetBytes, long lengthBytes, Reason reason, String detail, OptionalInt ghcIssue)
    implements LogItem {

  /** What gave the damage away. */
  public enum Reason {
    /** The stream does not begin with a log header. */
    NO_HEADER,
    /** The header itself is damaged; types that it lost are read by the catalogue. */
    MALFORMED_HEADER,
    /** An event id that the header does not declare, so that its size is not known. */
    UNDECLARED_EVENT,
    /** A time outside the block's. */
    IMPLAUSIBLE_TIME,
    /** An event that would reach past the end of its block. */
    OVERRUNS_BLOCK,
    /** A payload that contradicts its own length. */
    MALFORMED_PAYLOAD,
    /** Neither a block marker nor an end marker where a block ended. */
    MISSING_BLOCK_MARKER,
    /** A block marker with an impossible size. */
    MALFORMED_BLOCK_MARKER,
    /** A new block or log began before the current block's end. */
    BLOCK_CUT_SHORT,
    /** Bytes after the end marker that are no further log. */
    TRAILING_BYTES
  }
}
