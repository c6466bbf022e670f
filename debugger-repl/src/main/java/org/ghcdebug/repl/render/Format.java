package org.ghcdebug.repl.render;

/** The formats a view is written in. */
public enum Format {
  /** For people: aligned, sizes humanised. */
  TEXT,
  /** One object for the whole answer. */
  JSON,
  /** One object a row, one row a line. */
  NDJSON,
  /** RFC 4180, with a line of headings. */
  CSV,
  /** Tab-separated, with a line of headings; tabs and line ends in values are escaped. */
  TSV,
  /** A Markdown table. */
  MD
}
