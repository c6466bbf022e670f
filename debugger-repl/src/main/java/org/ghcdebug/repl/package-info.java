/**
 * The program: {@link org.ghcdebug.repl.Main} puts verbs, shell and process together.
 *
 * <p>{@code render} knows what an answer looks like, {@code command} runs verbs and {@code
 * command.verb} holds them, {@code shell} reads lines; each uses only those before it.
 */
@NullMarked
package org.ghcdebug.repl;

import org.jspecify.annotations.NullMarked;
