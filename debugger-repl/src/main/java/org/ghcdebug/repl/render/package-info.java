/**
 * What a verb answers, as typed values, and the writers which turn it into characters.
 *
 * <p>A {@link org.ghcdebug.repl.render.View} is rows of some record, seen through the typed columns
 * of a {@link org.ghcdebug.repl.render.Shape}. Nothing here reads a heap, opens a file or prints: a
 * writer is given an {@link java.lang.Appendable}.
 *
 * <pre>{@code
 * record Fruit(String name, long grams) {}
 * var shape = Shape.table("fruit", List.<Column<Fruit>>of(
 *     new Column.Text<>("name", Fruit::name), new Column.Bytes<>("bytes", Fruit::grams)));
 * ViewWriter.of(Format.JSON, TextStyle.PLAIN, Map.of())
 *     .write(View.of(shape, fruits), target, System.out);
 * }</pre>
 */
@NullMarked
package org.ghcdebug.repl.render;

import org.jspecify.annotations.NullMarked;
