package org.ghcdebug.protocol.extension;

/** The commands of the extensions that this client sends. */
public enum ExtensionCommand {
  HELLO(0x100),
  AUTH(0x101),
  STATE(0x102),
  PAUSE2(0x103),
  BLOCK_LIST(0x108),
  BLOCK_CONTENTS(0x109),
  REACHABLE(0x10b),
  ROOTS2(0x10d),
  WEAKS(0x10e),
  GC(0x112),
  RTS_FIGURES(0x113),
  SAVED2(0x114),
  MEMORY_PROBE(0x115),
  LOG_START(0x121),
  LOG_CLASSES(0x124),
  HEAP_PROFILE(0x125);

  private static final int FIRST = 0x100;

  private final int number;

  ExtensionCommand(int number) {
    this.number = number;
  }

  /** The number on the wire. */
  public int number() {
    return number;
  }

  /** Whether a debuggee that says these capabilities in HELLO serves it. */
  public boolean isIn(long capabilities) {
    return (capabilities >>> number - FIRST & 1) == 1;
  }
}
