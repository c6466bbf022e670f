@NullMarked
package org.ghcdebug.client.query;

import org.jspecify.annotations.NullMarked;
