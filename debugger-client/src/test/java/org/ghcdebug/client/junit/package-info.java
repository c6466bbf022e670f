/** Tests of heap assertions and of the programs that they are about. */
@NullMarked
package org.ghcdebug.client.junit;

import org.jspecify.annotations.NullMarked;
