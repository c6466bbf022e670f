/** Primitive collections for hot paths: no boxing, an explicit missing value, not thread-safe. */
@NullMarked
package org.ghcdebug.client.collections;

import org.jspecify.annotations.NullMarked;
