/** Tests of the facade. */
@NullMarked
package org.ghcdebug.client.debuggee;

import org.jspecify.annotations.NullMarked;
