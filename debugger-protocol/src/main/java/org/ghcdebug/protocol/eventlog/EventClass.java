package org.ghcdebug.protocol.eventlog;

/** Classes of events that {@code +RTS -l} switches on and off. */
public enum EventClass {
  /** Always written while logging is on. */
  BASE('-', "base"),
  SCHEDULER('s', "scheduler"),
  GC('g', "gc"),
  /** The non-moving collector's messages and heap census. */
  NONMOVING('n', "nonmoving"),
  SPARKS_SAMPLED('p', "sparks"),
  SPARKS_FULL('f', "sparks-full"),
  USER('u', "user"),
  /** Heap and time profiles; switched by {@code -h} and {@code -p}, not by a letter of -l. */
  PROFILING('h', "profiling"),
  /** Info table provenance; written whenever the program has a map. */
  INFO_TABLES('I', "info-tables"),
  TICKY('T', "ticky");

  private final char letter;
  private final String label;

  EventClass(char letter, String label) {
    this.letter = letter;
    this.label = label;
  }

  /** The letter of {@code -l}, or {@code -} and {@code h} for those that have none. */
  public char letter() {
    return letter;
  }

  /** Lower-case name, as typed in filters. */
  public String label() {
    return label;
  }
}
