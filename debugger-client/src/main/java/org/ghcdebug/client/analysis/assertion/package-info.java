/** Assertions over a heap, as text: {@code count(Main.Session) <= 100}. */
@NullMarked
package org.ghcdebug.client.analysis.assertion;

import org.jspecify.annotations.NullMarked;
