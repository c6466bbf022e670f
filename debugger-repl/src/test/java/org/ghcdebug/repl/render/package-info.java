/** Tests of the package of the same name. */
@NullMarked
package org.ghcdebug.repl.render;

import org.jspecify.annotations.NullMarked;
