package org.ghcdebug.protocol.layout;

import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.target.ProfilingMode;

/**
 * What must be known of a GHC release and way to find the fields of its closures.
 *
 * @param series {@code __GLASGOW_HASKELL__} of the release
 * @param profiling the way; decides the header's size
 * @param closureTypeCount one more than the last closure type's number (RTS {@code
 *     N_CLOSURE_TYPES})
 * @param tso fields of threads
 */
public record ClosureLayout(
    int series, ProfilingMode profiling, int closureTypeCount, TsoLayout tso) {
  /** Words of a transaction log's entry in the threaded RTS (RTS {@code TRecEntry}). */
  public static final int TREC_ENTRY_WORDS = 4;

  /** Entries of a transaction log's chunk (RTS {@code TREC_CHUNK_NUM_ENTRIES}). */
  public static final int TREC_CHUNK_ENTRIES = 16;

  /** Elements that a card of a MUT_ARR_PTRS stands for (RTS {@code MUT_ARR_PTRS_CARD_BITS}). */
  public static final int CARD_ELEMENTS = 128;

  /** H: words of every closure's header. */
  public int headerWords() {
    return profiling.headerWords();
  }

  public boolean isProfiled() {
    return profiling != ProfilingMode.VANILLA;
  }

  /** The table's type, {@link ClosureType#UNKNOWN} when this release has no such number. O(1). */
  public ClosureType typeOf(InfoTable info) {
    return info.typeNumber() < closureTypeCount ? info.type() : ClosureType.UNKNOWN;
  }

  /** Words of a thread, header included. */
  public int tsoWords() {
    return headerWords() + tso.payloadWords(isProfiled());
  }
}
