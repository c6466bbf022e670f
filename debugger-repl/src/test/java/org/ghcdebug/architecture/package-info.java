/** Checks what holds for all modules: who may use whom, and what every package has. */
@NullMarked
package org.ghcdebug.architecture;

import org.jspecify.annotations.NullMarked;
