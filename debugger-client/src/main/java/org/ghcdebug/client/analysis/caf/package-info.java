/** The constant applicative forms: top-level values that are computed once and then kept. */
@NullMarked
package org.ghcdebug.client.analysis.caf;

import org.jspecify.annotations.NullMarked;
