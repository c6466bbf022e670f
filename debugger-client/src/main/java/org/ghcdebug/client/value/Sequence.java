package org.ghcdebug.client.value;

/** Elements with commas between them, up to the limits. */
final class Sequence {
  private final ValueWriter writer;
  private int count;
  private boolean isCut;

  Sequence(ValueWriter writer, String open) {
    this.writer = writer;
    writer.text(open);
  }

  /**
   * Writes an element.
   *
   * @return false when a limit is reached and the element was not written; then no more follow
   */
  boolean add(Runnable element) {
    if (isCut) {
      return false;
    }
    writer.text(count == 0 ? "" : ",");
    if (count == writer.limits().elements() || writer.isFull()) {
      writer.text("…");
      isCut = true;
      return false;
    }
    count++;
    element.run();
    return true;
  }

  void end(String close) {
    writer.text(close);
  }
}
