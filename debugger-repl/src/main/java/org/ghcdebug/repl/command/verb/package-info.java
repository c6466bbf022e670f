/**
 * The verbs, one class each, and the list of them.
 *
 * <p>A verb asks the session for the debuggee or its heap and turns what it learns into rows; it
 * never writes, and never parses more than picocli does for it.
 */
@NullMarked
package org.ghcdebug.repl.command.verb;

import org.jspecify.annotations.NullMarked;
