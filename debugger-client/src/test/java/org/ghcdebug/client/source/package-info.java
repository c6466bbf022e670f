/** Tests of sources; {@link org.ghcdebug.client.source.HeapSourceContract} is for all of them. */
@NullMarked
package org.ghcdebug.client.source;

import org.jspecify.annotations.NullMarked;
