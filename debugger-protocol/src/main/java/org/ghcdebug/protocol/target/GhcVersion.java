package org.ghcdebug.protocol.target;

/**
 * A GHC release as the debuggee states it.
 *
 * @param series {@code __GLASGOW_HASKELL__}: major × 100 + minor, for instance 906 or 910
 * @param patch first patch level, or a date such as 20240410 for development builds
 */
public record GhcVersion(int series, int patch) implements Comparable<GhcVersion> {
  @Override
  public int compareTo(GhcVersion other) {
    int bySeries = Integer.compare(series, other.series);
    return bySeries != 0 ? bySeries : Integer.compare(patch, other.patch);
  }

  /** The usual notation, for instance {@code 9.10.3}. */
  @Override
  public String toString() {
    return series / 100 + "." + series % 100 + "." + patch;
  }
}
