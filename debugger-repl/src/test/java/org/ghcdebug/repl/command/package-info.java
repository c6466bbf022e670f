/** Tests of the package of the same name. */
@NullMarked
package org.ghcdebug.repl.command;

import org.jspecify.annotations.NullMarked;
