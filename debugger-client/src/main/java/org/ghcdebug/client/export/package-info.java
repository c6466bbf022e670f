/**
 * Graphs in the formats of other tools.
 *
 * <p>What is exported is put together as a {@link org.ghcdebug.client.export.PropertyGraph}, which
 * knows no heap; a {@link org.ghcdebug.client.export.GraphFormat} writes it, line by line. The
 * formats: <a href="https://graphviz.org/doc/info/lang.html">DOT</a>, <a
 * href="http://graphml.graphdrawing.org/specification.html">GraphML</a>, <a
 * href="https://web.archive.org/web/20190207140002/http://www.fim.uni-passau.de/index.php?id=17297&amp;L=1">GML</a>.
 */
@NullMarked
package org.ghcdebug.client.export;

import org.jspecify.annotations.NullMarked;
