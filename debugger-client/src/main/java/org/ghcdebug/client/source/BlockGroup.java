package org.ghcdebug.client.source;

/**
 * A group of heap blocks that lie one behind the other (RTS {@code bdescr},
 * rts/include/rts/storage/ Block.h).
 *
 * @param startAddr address of its first byte
 * @param lengthBytes a multiple of 4096
 * @param usedBytes nothing alive is behind so many bytes; the whole length where that is not known
 * @param flags the block descriptor's ({@code BF_LARGE} …)
 * @param generation 0 for the youngest, {@link #UNKNOWN_GENERATION} when the source does not say
 */
public record BlockGroup(
    long startAddr, long lengthBytes, long usedBytes, int flags, int generation) {
  public static final int UNKNOWN_GENERATION = -1;

  /** One of which nothing more is known. */
  public BlockGroup(long startAddr, long lengthBytes, int flags) {
    this(startAddr, lengthBytes, lengthBytes, flags, UNKNOWN_GENERATION);
  }
}
