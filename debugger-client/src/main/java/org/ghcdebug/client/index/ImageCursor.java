package org.ghcdebug.client.index;

import java.util.Arrays;
import java.util.function.Predicate;
import org.ghcdebug.client.collections.LongIntMap;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.decode.ClosureSize;
import org.ghcdebug.protocol.layout.ClosureLayout;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/** A cursor over an image and what was found outside it. Allocates nothing as it moves. */
final class ImageCursor implements HeapCursor {
  private static final int PROGRESS_INTERVAL = 1 << 16;

  private final HeapImage image;
  private final OutsideClosures outside;
  private final InfoRegistry infos;
  private final ClosureLayout layout;

  // The closure looked at.
  private long @Nullable [] array; // of one outside the image
  private long entry; // offset in the image, or ~id of one outside
  private int infoId;
  private long sizeWords;

  ImageCursor(HeapImage image, OutsideClosures outside, InfoRegistry infos, ClosureLayout layout) {
    this.image = image;
    this.outside = outside;
    this.infos = infos;
    this.layout = layout;
  }

  /**
   * Goes through the closures that were marked and counted, as they lie in the image, then through
   * those outside, and gives those that are wanted to {@code sink} until it answers false.
   */
  void scan(
      long[] marks, ClosureSelection selection, Predicate<? super HeapCursor> sink, Work work) {
    @Nullable ClosureTest[] tests = new @Nullable ClosureTest[256]; // info id -> its test
    long scanned = 0;
    for (int markWord = 0; markWord < marks.length; markWord++) {
      for (long bits = marks[markWord]; bits != 0; bits &= bits - 1) {
        if ((++scanned & (PROGRESS_INTERVAL - 1)) == 0) {
          work.progress("searching (closures)", scanned, -1);
          work.checkStopped();
        }
        array = null;
        entry = ((long) markWord << 9) + ((long) Long.numberOfTrailingZeros(bits) << 3);
        infoId = infos.id(image.word(entry));
        if (infoId == LongIntMap.MISSING) {
          continue;
        }
        if (infoId >= tests.length) {
          tests = Arrays.copyOf(tests, Math.max(2 * tests.length, infoId + 1));
        }
        ClosureTest test = tests[infoId];
        if (test == null) {
          test = testOf(selection);
          tests[infoId] = test;
        }
        if (test != ClosureTest.NEVER && measure() && test.test(this) && !sink.test(this)) {
          return;
        }
      }
    }
    for (int id = 0; id < outside.size(); id++) {
      array = outside.words(id);
      entry = ~id;
      if (array != null
          && (infoId = infos.id(array[0])) != LongIntMap.MISSING
          && measure()
          && testOf(selection).test(this)
          && !sink.test(this)) {
        return;
      }
    }
  }

  private ClosureTest testOf(ClosureSelection selection) {
    InfoTable info = infos.table(infoId);
    return info == null ? ClosureTest.NEVER : selection.of(info);
  }

  /** Finds the size; false when the closure cannot be measured, and so was not counted either. */
  private boolean measure() {
    InfoTable info = infos.table(infoId);
    if (info == null) {
      return false;
    }
    sizeWords = infos.fixedSizeWords[infoId];
    if (sizeWords == ClosureSize.VARIABLE) {
      sizeWords = ClosureSize.sizeWords(layout, info, this);
    }
    return sizeWords != ClosureSize.UNKNOWN && (isWithinItsBlock() || sizeWords <= length());
  }

  private boolean isWithinItsBlock() {
    return array == null
        && sizeWords <= HeapImage.BLOCK_BYTES - (entry & (HeapImage.BLOCK_BYTES - 1)) >>> 3;
  }

  @Override
  public boolean moveTo(long pointer) {
    long addr = Target.untag(pointer);
    entry = image.offset(addr);
    array = null;
    if (entry == HeapImage.OUTSIDE) {
      int id = outside.id(addr);
      array = id == LongIntMap.MISSING ? null : outside.words(id);
      if (array == null) {
        return false;
      }
      entry = ~id;
    }
    infoId = infos.id(word(0));
    return infoId != LongIntMap.MISSING && measure();
  }

  @Override
  public int pointerCount() {
    return switch (layout.typeOf(info())) {
      case MUT_ARR_PTRS_CLEAN,
          MUT_ARR_PTRS_DIRTY,
          MUT_ARR_PTRS_FROZEN_DIRTY,
          MUT_ARR_PTRS_FROZEN_CLEAN ->
          (int) Math.clamp(word(headerWords()), 0, sizeWords - headerWords() - 2);
      case SMALL_MUT_ARR_PTRS_CLEAN,
          SMALL_MUT_ARR_PTRS_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_DIRTY,
          SMALL_MUT_ARR_PTRS_FROZEN_CLEAN ->
          (int) sizeWords - headerWords() - 1;
      default -> infos.pointerCount[infoId];
    };
  }

  @Override
  public long pointer(int index) {
    int first =
        switch (layout.typeOf(info())) {
          case MUT_ARR_PTRS_CLEAN,
              MUT_ARR_PTRS_DIRTY,
              MUT_ARR_PTRS_FROZEN_DIRTY,
              MUT_ARR_PTRS_FROZEN_CLEAN ->
              headerWords() + 2;
          case SMALL_MUT_ARR_PTRS_CLEAN,
              SMALL_MUT_ARR_PTRS_DIRTY,
              SMALL_MUT_ARR_PTRS_FROZEN_DIRTY,
              SMALL_MUT_ARR_PTRS_FROZEN_CLEAN ->
              headerWords() + 1;
          default -> infos.firstPointerIndex[infoId];
        };
    return word(first + index);
  }

  @Override
  public int headerWords() {
    return layout.headerWords();
  }

  @Override
  public long address() {
    return entry >= 0 ? image.address(entry) : outside.address((int) ~entry);
  }

  /** Dense id of {@link #info}. */
  int infoId() {
    return infoId;
  }

  @Override
  public InfoTable info() {
    InfoTable info = infos.table(infoId);
    if (info == null) {
      throw new IllegalStateException("not at a closure");
    }
    return info;
  }

  @Override
  public long sizeWords() {
    return sizeWords;
  }

  @Override
  public long word(int index) {
    return array == null ? image.word(entry + ((long) index << 3)) : array[index];
  }

  @Override
  public int length() {
    return array == null
        ? (int) Math.min(image.groupEnd(entry) - entry >>> 3, Integer.MAX_VALUE)
        : array.length;
  }
}
