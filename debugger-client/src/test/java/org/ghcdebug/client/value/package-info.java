/** Tests of Haskell's notation. */
@NullMarked
package org.ghcdebug.client.value;

import org.jspecify.annotations.NullMarked;
