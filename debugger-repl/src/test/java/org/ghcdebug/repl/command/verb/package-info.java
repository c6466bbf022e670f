/** Tests of the package of the same name. */
@NullMarked
package org.ghcdebug.repl.command.verb;

import org.jspecify.annotations.NullMarked;
