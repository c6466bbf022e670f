/** Long work as its caller sees it: progress out, cancellation in. */
@NullMarked
package org.ghcdebug.client.work;

import org.jspecify.annotations.NullMarked;
