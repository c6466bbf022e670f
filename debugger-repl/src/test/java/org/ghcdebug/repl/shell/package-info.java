/** Tests of the package of the same name. */
@NullMarked
package org.ghcdebug.repl.shell;

import org.jspecify.annotations.NullMarked;
