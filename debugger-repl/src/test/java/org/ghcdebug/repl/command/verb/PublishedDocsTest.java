package org.ghcdebug.repl.command.verb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.ghcdebug.repl.command.Form;
import org.ghcdebug.repl.command.Registration;
import org.ghcdebug.repl.command.Section;
import org.ghcdebug.repl.command.VerbModel;
import org.ghcdebug.repl.render.Column;
import org.ghcdebug.repl.render.Shape;
import org.ghcdebug.repl.testing.Golden;
import org.ghcdebug.repl.testing.JsonSchemas;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is generated from the verbs is up to date, and every verb explains itself. */
class PublishedDocsTest {
  private static final List<Registration> VERBS = Verbs.REGISTRY.verbs();

  @TestFactory
  Stream<DynamicTest> jsonSchemaIsUpToDate() {
    return VERBS.stream()
        .filter(verb -> !verb.create().get().shape().columns().isEmpty())
        .map(
            verb ->
                DynamicTest.dynamicTest(
                    verb.name(),
                    () ->
                        Golden.checkFile(
                            "docs/schema/" + verb.name().replace(' ', '-') + ".json",
                            JsonSchemas.of(verb.create().get().shape()))));
  }

  @Test
  void commandReferenceIsUpToDate() {
    var text = new StringBuilder();
    text.append(
        """
        # Commands

        Generated from the verbs themselves; do not edit. `ghc-debug help VERB` prints the same.

        Every verb is a sub-command, which takes TARGET first, and a line of the prompt and of scripts,
        where the target is the one attached to. `docs/schema` has a JSON schema for each answer.
        """);
    for (Section section : Section.values()) {
      text.append("\n## ").append(section.title()).append("\n");
      for (Registration verb : VERBS) {
        if (verb.section() == section) {
          text.append("\n### ").append(verb.name()).append("\n\n```\n");
          text.append(usage(verb).stripTrailing()).append("\n```\n");
          text.append(columns(verb.create().get().shape()));
        }
      }
    }
    Golden.checkFile("docs/commands.md", text.toString());
  }

  private static String usage(Registration verb) {
    return VerbModel.of(verb, verb.onlyInLines() ? Form.LINE : Form.SUBCOMMAND, true).usage();
  }

  private static String columns(Shape<?, ?> shape) {
    return shape.isTable()
        ? "\nColumns: "
            + String.join(
                ", ", shape.columns().stream().map(column -> "`" + column.key() + "`").toList())
            + ".\n"
        : "";
  }

  @TestFactory
  Stream<DynamicTest> everyVerbHasAHeaderAnExampleAndDescriptions() {
    return VERBS.stream()
        .map(verb -> DynamicTest.dynamicTest(verb.name(), () -> explainsItself(verb)));
  }

  private static void explainsItself(Registration verb) {
    var model = VerbModel.of(verb, Form.LINE, false);
    assertFalse(model.summary().isBlank(), "header");
    assertTrue(model.usage().contains("Example"), "example");
    for (var argument : model.commandLine().getCommandSpec().args()) {
      assertTrue(argument.description().length > 0, () -> "description of " + argument);
    }
  }

  @Test
  void schemasAreNamedAfterTheirVerbs() {
    for (Registration verb : VERBS) {
      Shape<?, ?> shape = verb.create().get().shape();
      if (!shape.columns().isEmpty()) {
        assertEquals(verb.name(), shape.verb());
      }
    }
  }

  @Test
  void keysSayTheirUnit() {
    for (Registration verb : VERBS) {
      for (Column<?> column : verb.create().get().shape().columns()) {
        assertEquals(column instanceof Column.Nanos, column.key().endsWith("Nanos"), column::key);
      }
    }
  }
}
