package org.ghcdebug.client.source.snapshot;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.ghcdebug.protocol.closure.ConstructorName;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.target.InfoPtr;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * Reads info tables and constructor names out of the program's own memory, where it is recorded.
 */
final class StaticCode {
  private static final int MAX_NAME_BYTES = 4096;

  private final RecordedMemory memory;
  private final Target target;

  StaticCode(RecordedMemory memory, Target target) {
    this.memory = memory;
    this.target = target;
  }

  @Nullable InfoTable findInfoTable(long infoAddr) {
    ClosureWords words = memory.find(infoAddr - 2L * Target.WORD_BYTES);
    return words == null || words.length() < 2
        ? null
        : InfoTable.parse(new InfoPtr(infoAddr), words.word(0), words.word(1));
  }

  /** The string that the word before the table's standard part points to, as i32 from its end. */
  @Nullable ConstructorName findConstructorName(long infoAddr) {
    int standardWords = target.headerWords() == 1 ? 2 : 4;
    ClosureWords offset = memory.find(infoAddr - (standardWords + 1L) * Target.WORD_BYTES);
    if (offset == null) {
      return null;
    }
    long textAddr = infoAddr + (int) offset.word(0);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    int next;
    while ((next = memory.findByte(textAddr + text.size())) > 0) {
      text.write(next);
      if (text.size() > MAX_NAME_BYTES) {
        return null;
      }
    }
    return next == 0 && text.size() > 0
        ? ConstructorName.parse(text.toString(StandardCharsets.UTF_8))
        : null;
  }
}
