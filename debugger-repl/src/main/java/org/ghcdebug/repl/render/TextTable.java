package org.ghcdebug.repl.render;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jline.utils.WCWidth;
import org.jspecify.annotations.Nullable;

/** Cells being aligned. */
final class TextTable {
  private static final String GAP = "  ";
  private static final String PROSE_INDENT = "      ";

  /** No column of text is cut to less than this while the line can be made to fit otherwise. */
  private static final int LEAST_WIDTH = 16;

  private final List<? extends Column<?>> columns;
  private final int firstNumber;
  private final List<@Nullable String[]> rows = new ArrayList<>();
  private @Nullable String @Nullable [] bottom;

  /**
   * @param firstNumber of the rows' numbers, or 0 for none
   */
  TextTable(List<? extends Column<?>> columns, int firstNumber) {
    this.columns = columns;
    this.firstNumber = firstNumber;
  }

  void add(String[] cells) {
    rows.add(cells);
  }

  /** A line below the rows; null cells are blank. */
  void bottom(@Nullable String[] cells) {
    bottom = cells;
  }

  /** Puts a prefix before each row's first cell. */
  void indent(List<String> prefixes) {
    for (int i = 0; i < rows.size(); i++) {
      rows.get(i)[0] = prefixes.get(i) + rows.get(i)[0];
    }
  }

  void write(TextStyle style, String margin, Consumer<String> lines) {
    if (rows.isEmpty()) {
      lines.accept(margin + style.faint("none"));
      return;
    }
    int numberWidth = firstNumber == 0 ? 0 : digits(firstNumber + rows.size() - 1);
    int[] widths = fit(style, margin.length() + (numberWidth == 0 ? 0 : numberWidth + 2));
    int prose = proseBelow(widths);
    String[] head = columns.stream().map(Column::key).toArray(String[]::new);
    lines.accept(
        margin
            + (firstNumber == 0 ? "" : style.faint(right("#", numberWidth)) + GAP)
            + style.bold(line(head, widths)));
    int number = firstNumber;
    for (String[] row : rows) {
      String label =
          firstNumber == 0 ? "" : style.faint(right(String.valueOf(number++), numberWidth)) + GAP;
      lines.accept(margin + label + line(row, widths));
      if (prose >= 0) {
        wrap(row[prose], style.width().getAsInt() - PROSE_INDENT.length())
            .forEach(line -> lines.accept(PROSE_INDENT + line));
      }
    }
    if (bottom != null) {
      String label = firstNumber == 0 ? "" : " ".repeat(numberWidth) + GAP;
      lines.accept(margin + label + style.bold(line(bottom, widths)));
    }
  }

  /** The column of sentences that do not fit, if there is one; it has no width then. */
  private int proseBelow(int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      if (isProse(i) && widths[i] == 0) {
        return i;
      }
    }
    return -1;
  }

  private boolean isProse(int column) {
    return columns.get(column) instanceof Column.Text<?> text && text.isProse();
  }

  /** Lines of whole words; a word that is longer than a line has one of its own. */
  private static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    var line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (!line.isEmpty() && width(line.toString()) + 1 + width(word) > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static int digits(int number) {
    return String.valueOf(number).length();
  }

  /** The columns' widths: as wide as their cells, made narrower where a terminal asks for it. */
  private int[] fit(TextStyle style, int marginWidth) {
    int[] widths = columns.stream().mapToInt(column -> column.key().length()).toArray();
    for (String[] row : rows) {
      widen(widths, row);
    }
    if (bottom != null) {
      widen(widths, bottom);
    }
    int width = style.width().getAsInt();
    if (width > 0) {
      int excess =
          Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) + marginWidth - width;
      for (int i = 0; i < widths.length && excess > 0; i++) {
        if (isProse(i)) {
          excess -= widths[i] + GAP.length();
          widths[i] = 0;
        }
      }
      while (excess > 0) {
        int widest =
            IntStream.range(0, widths.length)
                .filter(i -> isText(i) && widths[i] > LEAST_WIDTH)
                .reduce((a, b) -> widths[b] > widths[a] ? b : a)
                .orElse(-1);
        if (widest < 0) {
          break;
        }
        int narrower = Math.max(LEAST_WIDTH, widths[widest] - excess);
        excess -= widths[widest] - narrower;
        widths[widest] = narrower;
      }
      dropWhatDoesNotFit(widths, width - marginWidth);
    }
    return widths;
  }

  /** From the right, whole columns: part of a number or an address would mislead. */
  private void dropWhatDoesNotFit(int[] widths, int width) {
    int left = width;
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] > left) {
        widths[i] = isText(i) || i == 0 ? Math.max(0, left) : 0;
        left = 0;
      }
      left -= widths[i] + GAP.length();
    }
  }

  private boolean isText(int column) {
    return columns.get(column) instanceof Column.Text;
  }

  private static void widen(int[] widths, @Nullable String[] row) {
    for (int i = 0; i < widths.length; i++) {
      String cell = row[i];
      widths[i] = Math.max(widths[i], cell == null ? 0 : width(cell));
    }
  }

  private String line(@Nullable String[] cells, int[] widths) {
    var line = new StringBuilder();
    for (int i = 0; i < cells.length && widths[i] > 0; i++) {
      String cell = cells[i] == null ? "" : cut(cells[i], widths[i]);
      line.append(i == 0 ? "" : GAP);
      line.append(columns.get(i).isNumber() ? right(cell, widths[i]) : left(cell, widths[i]));
    }
    return line.toString().stripTrailing();
  }

  private static String left(String text, int width) {
    return text + " ".repeat(Math.max(0, width - width(text)));
  }

  private static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - width(text))) + text;
  }

  /** Text that is to stand behind {@code used} columns of a line, cut to what the line has left. */
  static String cut(String text, TextStyle style, int used) {
    int width = style.width().getAsInt();
    return width == 0 ? text : cut(text, Math.max(1, width - used));
  }

  private static String cut(String text, int width) {
    if (width(text) <= width) {
      return text;
    }
    int end = 0;
    int used = 0;
    while (end < text.length()) {
      int c = text.codePointAt(end);
      used += width(c);
      if (used > width - 1) {
        break;
      }
      end += Character.charCount(c);
    }
    return text.substring(0, end) + "…";
  }

  private static int width(String text) {
    return text.codePoints().map(TextTable::width).sum();
  }

  private static int width(int codePoint) {
    return codePoint < 0x80 ? 1 : Math.max(0, WCWidth.wcwidth(codePoint));
  }
}
