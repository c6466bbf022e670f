/** Which types refer to which: the heap folded to a graph of constructors and closure types. */
@NullMarked
package org.ghcdebug.client.analysis.typegraph;

import org.jspecify.annotations.NullMarked;
