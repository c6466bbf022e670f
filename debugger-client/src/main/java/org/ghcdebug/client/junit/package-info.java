/**
 * Tests of what a Haskell program keeps in memory, for JUnit 5, in Java or Kotlin.
 *
 * <pre>{@code
 * class SessionsTest {
 *   @RegisterExtension
 *   static final HaskellProgram server =
 *       HaskellProgram.start(Path.of("dist/server"), "--port=0").readyWhenPrinted("ready");
 *
 *   @Test
 *   void sessionsAreRemoved() {
 *     HeapAssertions.assertThat(server.heap()).hasAtMost(100, "Main.Session");
 *   }
 * }
 * }</pre>
 *
 * <p>{@link org.ghcdebug.client.junit.HaskellProgram} starts a program, or attaches to one, and
 * copies its heap under a short pause; {@link org.ghcdebug.client.junit.ProgramHeap} counts what is
 * in such a copy; {@link org.ghcdebug.client.junit.HeapAssertions} says what may be in it.
 *
 * <p><b>Names.</b> Wherever closures are named, the name is that of a constructor, or of the
 * binding (or of those around it) whose code a function or thunk runs, which only programs compiled
 * with {@code -finfo-table-map} tell:
 *
 * <table>
 * <caption>How closures are named</caption>
 * <tr><td>{@code Session}</td><td>in any module</td></tr>
 * <tr><td>{@code Main.Session}</td><td>in that module; {@code Map.Bin} is in any module with that
 *   part, such as {@code Data.Map.Internal}</td></tr>
 * <tr><td>{@code main:Main.Session}</td><td>in that package, versions left out. Code does not tell
 *   its package, so that there only the rest is compared</td></tr>
 * <tr><td>{@code <ARR_WORDS>}</td><td>everything of that closure type</td></tr>
 * </table>
 *
 * <p>JUnit is an optional dependency of this module: only this package uses it.
 */
@NullMarked
package org.ghcdebug.client.junit;

import org.jspecify.annotations.NullMarked;
