/** How well the RTS's blocks are filled: why a program takes more memory than its live data. */
@NullMarked
package org.ghcdebug.client.analysis.fragmentation;

import org.jspecify.annotations.NullMarked;
