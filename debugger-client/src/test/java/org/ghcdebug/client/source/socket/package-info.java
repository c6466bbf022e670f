/** Tests of live heaps, against the stub in Java and against real programs. */
@NullMarked
package org.ghcdebug.client.source.socket;

import org.jspecify.annotations.NullMarked;
