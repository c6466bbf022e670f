package org.ghcdebug.client.junit;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.ghcdebug.client.analysis.census.Census;
import org.ghcdebug.client.analysis.census.CensusKey;
import org.ghcdebug.client.analysis.census.CensusResult;
import org.ghcdebug.client.debuggee.HeapView;
import org.ghcdebug.client.heap.Heap;
import org.ghcdebug.client.index.ClosureSelection;
import org.ghcdebug.client.index.HeapCopy;
import org.ghcdebug.client.index.HeapTally;
import org.ghcdebug.client.query.ClosureName;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.target.AddressList;
import org.opentest4j.AssertionFailedError;

/**
 * A program's heap at one moment, or the part of it that is reachable from some closures.
 *
 * <p>Only what is reachable is counted; garbage that has not been collected is not. What {@link
 * #count}, {@link #bytes} and {@link #census} say can be asked for ever, to compare with a later
 * heap. {@link #from} and {@link #heap} need the copy, which is kept until the program is asked for
 * its next heap, or ends.
 *
 * <p>How closures are named is in the description of the package. Not thread-safe.
 */
public final class ProgramHeap {
  private final Heap heap;
  private final HeapCopy copy;
  private final AddressList savedObjects;
  private final String description;

  private ProgramHeap(Heap heap, HeapCopy copy, AddressList savedObjects, String description) {
    this.heap = heap;
    this.copy = copy;
    this.savedObjects = savedObjects;
    this.description = description;
  }

  /**
   * A view's heap, for tests that have a {@link org.ghcdebug.client.debuggee.Debuggee} of their
   * own.
   *
   * @param description whose heap it is, for messages; such as {@code server (pid 4711)}
   */
  public static ProgramHeap of(HeapView view, String description) {
    return of(view.heap(), view.copy(Work.UNATTENDED), "the heap of " + description);
  }

  static ProgramHeap of(Heap heap, HeapCopy copy, String description) {
    // While there is a program to ask.
    heap.prefetchNames(copy.tally().entries().stream().map(HeapTally.Entry::info).toList());
    return new ProgramHeap(heap, copy, copy.savedObjects(), description);
  }

  /** How many closures with that name there are. */
  public long count(String name) {
    return named(name).totalCount();
  }

  /** Bytes of all closures with that name, without what they refer to. */
  public long bytes(String name) {
    return named(name).totalBytes();
  }

  /**
   * Everything, grouped.
   *
   * @throws SourceUnavailableException when this heap's copy has been freed, and the key is one
   *     that info tables do not tell
   */
  public CensusResult census(CensusKey key) {
    if (key.isOfInfo()) {
      return Census.by(key, heap, copy.tally());
    }
    requireCopy();
    return Census.of(key, heap, copy, ClosureSelection.ALL, Work.UNATTENDED);
  }

  HeapTally named(String name) {
    return named(ClosureName.parse(name));
  }

  private HeapTally named(ClosureName name) {
    return copy.tally().where(info -> name.matches(info, heap));
  }

  /** Rows for a message. */
  CensusResult rows(HeapTally tally) {
    return Census.by(CensusKey.CLOSURE, heap, tally);
  }

  HeapTally.Missing missing() {
    return copy.tally().missing();
  }

  /**
   * What can be reached from the closures with that name, themselves included. Marks what it
   * reaches; asks the program nothing.
   *
   * @throws AssertionFailedError when there are none: what nothing reaches would pass every test
   * @throws SourceUnavailableException when this heap's copy has been freed
   */
  public ProgramHeap from(String name) {
    requireCopy();
    HeapTally origins = named(name);
    if (origins.totalCount() == 0) {
      throw new AssertionFailedError(
          "Cannot look from %s: no closure in %s has that name".formatted(name, description));
    }
    return from(addresses(origins), name);
  }

  private AddressList addresses(HeapTally tally) {
    List<HeapTally.Entry> entries = tally.entries();
    if (entries.stream().allMatch(entry -> entry.count() == entry.samples().size())) {
      return AddressList.of(
          entries.stream()
              .flatMap(entry -> entry.samples().stream())
              .mapToLong(Long::longValue)
              .toArray());
    }
    Set<Long> infoAddrs =
        entries.stream()
            .map(entry -> entry.info().address().address())
            .collect(Collectors.toCollection(TreeSet::new));
    return copy.reachableWith(infoAddrs);
  }

  /**
   * What can be reached from all objects that the program saved for the debugger; see {@link
   * #from}.
   */
  public ProgramHeap fromSaved() {
    requireCopy();
    if (savedObjects.isEmpty()) {
      throw noSaved("any saved object");
    }
    return from(savedObjects, "the saved objects");
  }

  /**
   * What can be reached from one of the objects that the program saved for the debugger; see {@link
   * #from}.
   *
   * @param index from 0, in the order in which it saved them
   */
  public ProgramHeap fromSaved(int index) {
    requireCopy();
    if (index < 0 || index >= savedObjects.size()) {
      throw noSaved("saved object " + index);
    }
    return from(AddressList.of(savedObjects.get(index)), "saved object " + index);
  }

  private AssertionFailedError noSaved(String what) {
    return new AssertionFailedError(
        "Cannot look from %s: in %s there are %d, numbered from 0"
            .formatted(what, description, savedObjects.size()));
  }

  private ProgramHeap from(AddressList origins, String what) {
    return new ProgramHeap(
        heap,
        copy.reachableFrom(origins, Work.UNATTENDED),
        savedObjects,
        "what %s reaches in %s".formatted(what, description));
  }

  /**
   * The closures themselves; in a part of a heap, those of the whole.
   *
   * @throws SourceUnavailableException when this heap's copy has been freed
   */
  public Heap heap() {
    requireCopy();
    return heap;
  }

  private void requireCopy() {
    heap.roots(); // refused when the view has ended
  }

  /** Whose heap it is: {@code the heap of server (pid 4711)}. */
  @Override
  public String toString() {
    return description;
  }
}
