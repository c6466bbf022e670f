package org.ghcdebug.repl.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ValuesTest {
  @Test
  void sizesAreInTheLargestUnitThatLeavesAtLeastOne() {
    assertEquals("0 B", Values.bytes(0));
    assertEquals("1023 B", Values.bytes(1023));
    assertEquals("1.0 KiB", Values.bytes(1024));
    assertEquals("1.0 MiB", Values.bytes(1024 * 1024 - 1));
    assertEquals("12.5 GiB", Values.bytes(12L * 1024 * 1024 * 1024 + 512 * 1024 * 1024));
    assertEquals("8.0 EiB", Values.bytes(Long.MAX_VALUE));
    assertEquals("-2.0 KiB", Values.bytes(-2048));
  }

  @Test
  void addressesAreUnsignedAndHaveSixteenDigits() {
    assertEquals("0x0000004200105010", Values.address(0x4200105010L));
    assertEquals("0xfffffffffffffff8", Values.address(-8));
  }

  @Test
  void durationsAreInTheUnitThatSuitsThem() {
    assertEquals("999 ns", Values.duration(999));
    assertEquals("1.5 µs", Values.duration(1_500));
    assertEquals("36.0 ms", Values.duration(36_000_000));
    assertEquals("3.2 s", Values.duration(3_200_000_000L));
    assertEquals("4 min 10 s", Values.duration(250_000_000_000L));
  }

  @Test
  void charactersThatSteerTerminalsAreSpelledOut() {
    assertEquals("a\\x1b[2Jb\\x0a\\x202e", Values.printable("a\u001b[2Jb\n\u202e"));
  }
}
