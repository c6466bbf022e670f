package org.ghcdebug.client.query;

import org.ghcdebug.client.index.ClosureCursor;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.ProfilingHeader;

/** A closure that was decoded, to be asked what a filter says; only its header has words. */
public record DecodedClosure(Closure closure) implements ClosureCursor {
  @Override
  public long address() {
    return closure.address().address();
  }

  @Override
  public InfoTable info() {
    return closure.info();
  }

  @Override
  public long sizeWords() {
    return closure.sizeWords();
  }

  @Override
  public long word(int index) {
    ProfilingHeader profiling = closure.profiling();
    if (index == 0) {
      return info().address().address();
    }
    if (profiling == null || index > 2) {
      throw new IndexOutOfBoundsException(index);
    }
    return index == 1 ? profiling.ccs().address() : profiling.word();
  }

  @Override
  public int length() {
    return closure.profiling() == null ? 1 : 3;
  }
}
