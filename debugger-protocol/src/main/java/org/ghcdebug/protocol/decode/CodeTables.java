package org.ghcdebug.protocol.decode;

import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the program's code. Answers are {@code null} when something is not known (yet):
 * the reader then reports what it lacked, see {@link Unresolved}.
 */
public interface CodeTables {
  /** Knows nothing. */
  CodeTables NONE =
      new CodeTables() {
        @Override
        public @Nullable InfoTable infoTable(long infoAddr) {
          return null;
        }

        @Override
        public @Nullable PointerBitmap funBitmap(long funAddr, int arguments) {
          return null;
        }

        @Override
        public @Nullable PointerBitmap stackBitmap(long frameAddr, long infoAddr) {
          return null;
        }

        @Override
        public @Nullable PointerBitmap bcoBitmap(long bcoAddr) {
          return null;
        }
      };

  /** The info table of an info pointer. Asked once per stack frame. */
  @Nullable InfoTable infoTable(long infoAddr);

  /**
   * Which of a function's first arguments are pointers. Depends only on the function's info pointer
   * and the number, except that of a BCO (which PAPs and APs can apply, too) it is the BCO's own
   * bitmap, see {@link BcoBitmap}; protocol command FUN_BITMAP answers wrongly for those.
   *
   * @param funAddr without tag
   */
  @Nullable PointerBitmap funBitmap(long funAddr, int arguments);

  /**
   * Which payload words of a RET_BIG or RET_FUN frame are pointers. For RET_BIG it depends only on
   * the info pointer; RET_FUN is asked about only when {@link #funBitmap} did not know.
   */
  @Nullable PointerBitmap stackBitmap(long frameAddr, long infoAddr);

  /**
   * Which words after the BCO pointer of a RET_BCO frame are pointers: the BCO's own bitmap, see
   * {@link BcoBitmap}.
   *
   * @param bcoAddr without tag
   */
  @Nullable PointerBitmap bcoBitmap(long bcoAddr);
}
