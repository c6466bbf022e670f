/**
 * The facade: name a target, open it, take a view of its heap, run analyses, let it go on.
 *
 * <pre>{@code
 * try (Debuggee debuggee = Debuggee.open(TargetSpec.parse("/tmp/app.sock"), Options.DEFAULT)) {
 *   HeapView view = debuggee.view(Work.UNATTENDED);
 *   CensusResult census = Census.by(CensusKey.CONSTRUCTOR, view.heap(), view.tally(Work.UNATTENDED));
 * }
 * }</pre>
 */
@NullMarked
package org.ghcdebug.client.debuggee;

import org.jspecify.annotations.NullMarked;
