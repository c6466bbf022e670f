package org.ghcdebug.client.eventlog;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ghcdebug.protocol.eventlog.HeapProfBreakdown;

/**
 * A heap profile: censuses one after the other.
 *
 * @param breakdown what the labels are; empty where the log does not say and the labels do not tell
 * @param breakdownInferred whether that was guessed from the command line or the labels, because a
 *     program that was attached late does not repeat it
 * @param periodNanos sampling period, 0 where unknown
 * @param samples in time order
 * @param incompleteSamples censuses without their end, which are left out
 */
public record HeapProfile(
    Optional<HeapProfBreakdown> breakdown,
    boolean breakdownInferred,
    long periodNanos,
    List<Sample> samples,
    long incompleteSamples) {
  public HeapProfile {
    samples = List.copyOf(samples);
  }

  /**
   * One census.
   *
   * @param timestampNanos when it was taken
   * @param bytes residency by label; a label without residency is absent
   */
  public record Sample(long timestampNanos, Map<String, Long> bytes) {
    public Sample {
      bytes = Map.copyOf(bytes);
    }

    public long totalBytes() {
      return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
  }
}
