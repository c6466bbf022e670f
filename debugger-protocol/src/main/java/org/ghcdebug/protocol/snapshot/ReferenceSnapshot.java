package org.ghcdebug.protocol.snapshot;

import org.ghcdebug.protocol.wire.Command;

/** What reader and writer agree on. */
final class ReferenceSnapshot {
  static final int FORMAT_VERSION = 0;

  /** Bytes of the format's version and the number of entries. */
  static final int HEADER_BYTES = 12;

  private ReferenceSnapshot() {}

  /** What a request's frame has as its length; 0 when the request does not occur. */
  static int requestBytes(Command command) {
    return switch (command) {
      case VERSION, ROOTS, SAVED_OBJECTS, ALL_BLOCKS, CCS_MAIN -> 4;
      case CON_DESCR, SOURCE_INFO, BLOCK, CCS, CC, INDEX_TABLE -> 12;
      case CLOSURES, INFO_TABLES, SRT, FUN_BITMAP -> 14;
      case STACK_BITMAP -> 16;
      case PAUSE, RESUME, POLL -> 0;
    };
  }
}
