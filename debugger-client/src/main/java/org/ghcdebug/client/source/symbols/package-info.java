/**
 * Names of code out of the symbol tables of executables: what is left to say of a program that was
 * built without an info-table map.
 */
@NullMarked
package org.ghcdebug.client.source.symbols;

import org.jspecify.annotations.NullMarked;
