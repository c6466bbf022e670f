/**
 * Finds the Haskell programs that tests debug, and runs them.
 *
 * <p>They are built by {@code debuggee-stub/haskell/test-programs/build} into {@code
 * debuggee-stub/target/test-programs/ghc-VERSION/}. A test that needs one is skipped, with the
 * reason, where it is missing, unless the environment variable {@code GHC_DEBUG_REQUIRE_DEBUGGEES}
 * names its GHC:
 *
 * <pre>{@code
 * @DebuggeeTest
 * void printsTheMap(String ghc) {
 *   try (RunningProgram program = TestPrograms.start(ghc, "bigmap", "100").awaitReady()) {
 *     ... program.socket() ... program.fact("map.Data.Map.Internal.Bin") ...
 *   }
 * }
 * }</pre>
 */
@NullMarked
package org.ghcdebug.client.testing;

import org.jspecify.annotations.NullMarked;
