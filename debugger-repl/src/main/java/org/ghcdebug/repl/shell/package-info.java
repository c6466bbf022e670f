/**
 * The process around the commands: its streams and terminal, the prompt with history, completion
 * and signals.
 *
 * <p>JLine is loaded when a prompt opens, or when the size of a terminal is needed.
 */
@NullMarked
package org.ghcdebug.repl.shell;

import org.jspecify.annotations.NullMarked;
