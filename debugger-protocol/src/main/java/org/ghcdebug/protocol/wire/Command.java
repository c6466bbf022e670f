package org.ghcdebug.protocol.wire;

import java.util.Optional;

/** The commands of the protocol. Numbers 10 and 13 were never implemented. */
public enum Command {
  VERSION(1),
  PAUSE(2),
  RESUME(3),
  ROOTS(4),
  CLOSURES(5),
  INFO_TABLES(6),
  STACK_BITMAP(7),
  POLL(8),
  SAVED_OBJECTS(9),
  CON_DESCR(11),
  SOURCE_INFO(12),
  ALL_BLOCKS(14),
  BLOCK(15),
  FUN_BITMAP(16),
  SRT(17),
  CCS(18),
  CC(19),
  INDEX_TABLE(20),
  CCS_MAIN(21);

  private final int number;

  Command(int number) {
    this.number = number;
  }

  /** The number on the wire. */
  public int number() {
    return number;
  }

  /** The command of a number on the wire, empty when there is none. */
  public static Optional<Command> findByNumber(int number) {
    for (Command command : values()) {
      if (command.number == number) {
        return Optional.of(command);
      }
    }
    return Optional.empty();
  }
}
