/**
 * The sealed family of failures that a debugger can meet.
 *
 * <p>Each message says what failed, where, what was found and expected, and what to do next; the
 * same facts are carried as data, so that a caller can react without parsing text.
 */
@NullMarked
package org.ghcdebug.protocol.error;

import org.jspecify.annotations.NullMarked;
