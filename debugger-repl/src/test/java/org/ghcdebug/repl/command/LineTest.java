package org.ghcdebug.repl.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineTest {
  private static Line parse(String text) {
    return Line.parse(text, name -> "<" + name + ">");
  }

  @Test
  void wordsAreSeparatedByBlanksOutsideQuotes() {
    assertEquals(
        List.of("find", "a b", "c\"d", "e'f", "gh i", ""),
        parse("find 'a b'  \"c\\\"d\" \"e'f\" g\"h i\" ''").words());
  }

  @Test
  void variablesAreReplacedExceptInSingleQuotes() {
    assertEquals(
        List.of("<1>", "<_>", "x<root>/y", "$1", "<12>a", "<name>", "$"),
        parse("$1 $_ x$root/y '$1' $12a \"$name\" $").words());
  }

  @Test
  void variablesStayWithinTheirWord() {
    assertEquals(List.of("find", "a b > c"), Line.parse("find $x", name -> "a b > c").words());
  }

  @Test
  void commentsBeginWithAWord() {
    assertEquals(List.of("census", "a#b"), parse("census a#b # what fills the heap?").words());
    assertTrue(parse("#!/usr/bin/env -S ghc-debug run demo").words().isEmpty());
    assertTrue(parse("   ").words().isEmpty());
  }

  @Test
  void answersGoToAFileOrAShellCommand() {
    assertEquals(new Line(List.of("census"), "out.txt", null), parse("census >out.txt # all"));
    assertEquals(
        new Line(List.of("census"), null, "grep 'a|b' > $HOME/x"),
        parse("census | grep 'a|b' > $HOME/x"));
    assertEquals(List.of("find", "size > 100"), parse("find 'size > 100'").words());
  }

  @ParameterizedTest
  @ValueSource(strings = {"find 'a", "find \"a", "a \\", "a >", "a > b c", "a |"})
  void unfinishedLinesAreUsageErrors(String text) {
    assertThrows(UsageException.class, () -> parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "assert count(A) > 100",
        "find size >= 1KiB",
        "find size > 1.5MiB",
        "find size > 1 KiB and module = Main"
      })
  void aComparisonThatIsNotQuotedIsNoFile(String text) {
    var problem = assertThrows(UsageException.class, () -> parse(text));

    assertTrue(String.valueOf(problem.getMessage()).contains("quote comparisons"));
  }

  @Property
  void quotedWordsAreReadAsTheyWere(@ForAll List<String> words) {
    assertEquals(words, parse(Line.quote(words)).words());
  }
}
