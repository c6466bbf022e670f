package org.ghcdebug.protocol.extension;

import java.util.Optional;

/** A figure that the RTS keeps of itself. Sizes are bytes, times nanoseconds. */
public enum RtsFigure {
  COLLECTIONS(1, "collections"),
  MAJOR_COLLECTIONS(2, "majorCollections"),
  LIVE_BYTES(3, "liveBytes"),
  BLOCK_BYTES(4, "blockBytes"),
  SYSTEM_BYTES(5, "systemBytes"),
  RESIDENT_BYTES(6, "residentBytes"),
  ALLOCATED_BYTES(16, "allocatedBytes"),
  MAX_LIVE_BYTES(17, "maxLiveBytes"),
  GC_CPU_NANOS(18, "gcCpuNanos"),
  GC_ELAPSED_NANOS(19, "gcElapsedNanos"),
  CPU_NANOS(20, "cpuNanos"),
  ELAPSED_NANOS(21, "elapsedNanos"),
  COPIED_BYTES(22, "copiedBytes"),
  FRAGMENTATION_BYTES(23, "fragmentationBytes");

  private final int number;
  private final String key;

  RtsFigure(int number, String key) {
    this.number = number;
    this.key = key;
  }

  /** Its name in JSON and in a snapshot's metadata. */
  public String key() {
    return key;
  }

  static Optional<RtsFigure> findByNumber(long number) {
    for (RtsFigure figure : values()) {
      if (figure.number == number) {
        return Optional.of(figure);
      }
    }
    return Optional.empty();
  }

  /** The figure of a {@link #key}. */
  public static Optional<RtsFigure> findByKey(String key) {
    for (RtsFigure figure : values()) {
      if (figure.key.equals(key)) {
        return Optional.of(figure);
      }
    }
    return Optional.empty();
  }
}
