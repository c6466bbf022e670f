@NullMarked
package org.ghcdebug.client.source.symbols;

import org.jspecify.annotations.NullMarked;
