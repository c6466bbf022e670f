/** Tests of recorded heaps. */
@NullMarked
package org.ghcdebug.client.source.snapshot;

import org.jspecify.annotations.NullMarked;
