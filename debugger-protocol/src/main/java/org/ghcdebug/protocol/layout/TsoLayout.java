package org.ghcdebug.protocol.layout;

/**
 * Where the fields of a thread are (RTS {@code StgTSO_}, rts/storage/TSO.h). Words are counted from
 * the end of the header, so that they hold for every way.
 *
 * <pre>
 *   0      _link                       b      block_info        L      label, if there is one
 *   1      global_link                 b+1    id                E      blocked_exceptions
 *   2      stackobj                    b+2    u32 saved_errno, u32 dirty
 *   3      u16 what_next,              b+3    bound             E+1    bq
 *          u16 why_blocked or padding, b+4    cap               E+2    alloc_limit
 *          u32 flags                   b+5    trec              E+3    u32 tot_stack_size, 4 padding
 *                                                               E+4    profiled: current CCS
 * </pre>
 *
 * @param whyBlockedByte where {@code why_blocked} is, in bytes from the end of the header
 * @param whyBlockedBytes its width
 * @param blockInfoWord b
 * @param labelWord L, or -1 when threads have no label
 * @param blockedExceptionsWord E
 */
public record TsoLayout(
    int whyBlockedByte,
    int whyBlockedBytes,
    int blockInfoWord,
    int labelWord,
    int blockedExceptionsWord) {
  /** GHC 9.0 to 9.4: labels are in a C table. */
  public static final TsoLayout WITHOUT_LABEL = new TsoLayout(26, 2, 4, -1, 10);

  /** GHC 9.6 and 9.8. */
  public static final TsoLayout WITH_LABEL = new TsoLayout(26, 2, 4, 10, 11);

  /** GHC 9.10 to 9.14: {@code why_blocked} has 4 bytes, and padding around it holds anything. */
  public static final TsoLayout WIDE_WHY_BLOCKED = new TsoLayout(32, 4, 5, 11, 12);

  public static final int LINK_WORD = 0;
  public static final int GLOBAL_LINK_WORD = 1;
  public static final int STACK_WORD = 2;

  /** u16 {@code what_next} in the low half, u32 {@code flags} in the high half. */
  public static final int STATE_WORD = 3;

  public int idWord() {
    return blockInfoWord + 1;
  }

  /** u32 {@code saved_errno} in the low half, u32 {@code dirty} in the high half. */
  public int errnoWord() {
    return blockInfoWord + 2;
  }

  public int boundWord() {
    return blockInfoWord + 3;
  }

  public int capabilityWord() {
    return blockInfoWord + 4;
  }

  public int transactionWord() {
    return blockInfoWord + 5;
  }

  public boolean hasLabel() {
    return labelWord >= 0;
  }

  public int blockingQueuesWord() {
    return blockedExceptionsWord + 1;
  }

  public int allocationLimitWord() {
    return blockedExceptionsWord + 2;
  }

  public int stackSizeWord() {
    return blockedExceptionsWord + 3;
  }

  /** Only in profiled programs. */
  public int ccsWord() {
    return blockedExceptionsWord + 4;
  }

  /** Size without the header. */
  public int payloadWords(boolean profiled) {
    return blockedExceptionsWord + (profiled ? 5 : 4);
  }
}
