/** Tests of the lazy heap. */
@NullMarked
package org.ghcdebug.client.heap;

import org.jspecify.annotations.NullMarked;
