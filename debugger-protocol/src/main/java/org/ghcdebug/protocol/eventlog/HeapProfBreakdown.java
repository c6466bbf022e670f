package org.ghcdebug.protocol.eventlog;

import org.jspecify.annotations.Nullable;

/** What a heap profile is broken down by; {@code EventLogHeapProfBreakdown} of GHC. */
public enum HeapProfBreakdown {
  COST_CENTRE(1, 'c', "cost centre"),
  MODULE(2, 'm', "module"),
  CLOSURE_DESCR(3, 'd', "closure description"),
  TYPE_DESCR(4, 'y', "type description"),
  RETAINER(5, 'r', "retainer"),
  BIOGRAPHY(6, 'b', "biography"),
  CLOSURE_TYPE(7, 'T', "closure type"),
  INFO_TABLE(8, 'i', "info table"),
  ERA(9, 'e', "era");

  private final int code;
  private final char letter;
  private final String label;

  HeapProfBreakdown(int code, char letter, String label) {
    this.code = code;
    this.letter = letter;
    this.label = label;
  }

  /** The number in the event. */
  public int code() {
    return code;
  }

  /** The letter of the option {@code -h}. */
  public char letter() {
    return letter;
  }

  public String label() {
    return label;
  }

  /** The breakdown with this number, or null. */
  public static @Nullable HeapProfBreakdown findByCode(long code) {
    for (HeapProfBreakdown breakdown : values()) {
      if (breakdown.code == code) {
        return breakdown;
      }
    }
    return null;
  }

  /** The breakdown of an option such as {@code -hT}, or null. */
  public static @Nullable HeapProfBreakdown findByOption(String option) {
    if (option.length() != 3 || !option.startsWith("-h")) {
      return null;
    }
    for (HeapProfBreakdown breakdown : values()) {
      if (breakdown.letter == option.charAt(2)) {
        return breakdown;
      }
    }
    return null;
  }
}
