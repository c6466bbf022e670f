/** The stub's command line: serves a heap on a socket until it is stopped. */
@NullMarked
package org.ghcdebug.stub.cli;

import org.jspecify.annotations.NullMarked;
