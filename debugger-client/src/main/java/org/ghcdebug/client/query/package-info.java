/**
 * Filters: which closures are wanted, in a small language.
 *
 * <p>A filter is a name, or comparisons {@code FIELD OPERATOR VALUE}, joined by {@code and}, {@code
 * or}, {@code not} and parentheses:
 *
 * <pre>
 *   Map.Bin
 *   type = THUNK and source = leak.hs:77
 *   size &gt; 1MiB and not (module ~ ^GHC or package = base)
 * </pre>
 *
 * <p>{@link org.ghcdebug.client.query.Filter#on} binds it to a heap. What depends on a closure's
 * info table only is then decided once for the table, so that a filter by name costs nothing per
 * closure; what is left, such as {@code size} of arrays, is asked of each closure without
 * allocating.
 *
 * <p><b>Names.</b> A name is that of a constructor, or of the binding whose code a function or
 * thunk runs; the latter only programs compiled with {@code -finfo-table-map} tell.
 *
 * <table>
 * <caption>How closures are named</caption>
 * <tr><td>{@code Session}, {@code serve}</td><td>in any module</td></tr>
 * <tr><td>{@code Main.Session}</td><td>in a module with these parts, one after another: {@code
 *   Map.Bin} is in {@code Data.Map.Internal}, and so is {@code Internal.Bin}, but not {@code
 *   Data.Internal.Bin}</td></tr>
 * <tr><td>{@code main:Main.Session}</td><td>in that package, with its version or without. Code does
 *   not tell its package, so that there only the rest is compared</td></tr>
 * <tr><td>{@code go}, {@code main.go}</td><td>a binding, with any number of those around
 *   it</td></tr>
 * <tr><td>{@code <ARR_WORDS>}</td><td>of exactly that closure type</td></tr>
 * <tr><td>{@code Main.sat_s1_info}, {@code Main.(near main)}, {@code ARR_WORDS}</td><td>what {@link
 *   org.ghcdebug.client.heap.Heap#displayName} calls closures</td></tr>
 * <tr><td>{@code Main.Session (Main.hs:3:1-9)}, {@code <THUNK> serve (Main.hs:5:1-20)}</td><td>as a
 *   census by closure shows them: all parts must match</td></tr>
 * </table>
 *
 * <p>{@code GHC.Internal.Maybe.Just} is {@code GHC.Maybe.Just} too, since GHC 9.10 moved it.
 *
 * <p><b>Comparisons.</b> {@code =} on {@code type} includes the variants of a type ({@code THUNK}:
 * {@code THUNK_1_0} …), on {@code constructor} and {@code name} follows the rule for names, on
 * {@code package} takes the version or not, on {@code source} takes a position, a line or a file. A
 * closure that has no such value equals nothing: {@code !=} is always the contrary of {@code =}.
 * {@code ~} finds a regular expression anywhere in the text.
 */
@NullMarked
package org.ghcdebug.client.query;

import org.jspecify.annotations.NullMarked;
