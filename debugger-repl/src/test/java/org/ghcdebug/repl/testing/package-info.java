/** What the tests of this module share. */
@NullMarked
package org.ghcdebug.repl.testing;

import org.jspecify.annotations.NullMarked;
