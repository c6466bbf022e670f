package org.ghcdebug.client.analysis.string;

import java.util.List;

/**
 * Strings or byte arrays with equal contents.
 *
 * @param type the Haskell type, or the closure type of byte arrays
 * @param value the contents, readable, cut after {@link StringTally#MAX_SHOWN} characters
 * @param hash of the contents, 16 hexadecimal digits
 * @param count how many there are
 * @param bytes of the closures that make them up
 * @param wastedBytes what would be free if they all were the first one
 * @param samples addresses of some, at most {@link org.ghcdebug.client.index.HeapTally#MAX_SAMPLES}
 */
public record ContentRow(
    String type,
    String value,
    String hash,
    long count,
    long bytes,
    long wastedBytes,
    List<Long> samples) {
  public ContentRow {
    samples = List.copyOf(samples);
  }
}
