/**
 * Verbs, in their three forms: sub-command, line of the prompt, line of a script.
 *
 * <p>A verb is a class that answers with a {@link org.ghcdebug.repl.render.View}; a {@link
 * org.ghcdebug.repl.command.Registration} in the list of verbs is all that is needed besides. The
 * {@link org.ghcdebug.repl.command.Interpreter} parses, runs, writes the answer and maps failures
 * to exit codes. Nothing here knows a concrete verb, nor reads from a terminal.
 *
 * <pre>{@code
 * @Command(name = "hello", header = "Greet somebody.")
 * final class Hello implements Verb {
 *   private static final Shape<String, Void> SHAPE = Shape.text("hello");
 *   @Parameters(paramLabel = "NAME") private String name = "";
 *   public Shape<?, ?> shape() { return SHAPE; }
 *   public boolean needsTarget() { return false; }
 *   public View<?, ?> run(Session session) { return View.of(SHAPE, List.of("hello, " + name)); }
 * }
 * }</pre>
 */
@NullMarked
package org.ghcdebug.repl.command;

import org.jspecify.annotations.NullMarked;
