/**
 * The narrow waist to the target: everything that reads a heap reads it through {@link
 * org.ghcdebug.client.source.HeapSource}.
 *
 * <p>A live socket and a snapshot are implementations in sub-packages; copies and caches decorate
 * one. What only some sources can do is an interface of its own, such as {@link
 * org.ghcdebug.client.source.Pausable}.
 */
@NullMarked
package org.ghcdebug.client.source;

import org.jspecify.annotations.NullMarked;
