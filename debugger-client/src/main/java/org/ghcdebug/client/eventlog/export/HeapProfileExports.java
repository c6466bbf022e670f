package org.ghcdebug.client.eventlog.export;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.ghcdebug.client.eventlog.HeapProfile;

/** Heap profiles in the format of GHC's own {@code .hp} files, which hp2ps draws. */
public final class HeapProfileExports {
  private HeapProfileExports() {}

  /**
   * Writes an {@code .hp} file. Samples are in time order, labels by size; hp2ps takes control and
   * quote characters for syntax, so they are replaced.
   *
   * @param job the command line
   * @param started when the program started
   * @param naming what to call each label; residencies of labels with the same name are added up
   */
  public static void hp(
      HeapProfile profile,
      String job,
      Instant started,
      UnaryOperator<String> naming,
      Appendable out) {
    Json text = new Json(out);
    text.raw("JOB \"" + plain(job) + "\"\n");
    text.raw(
        "DATE \""
            + DateTimeFormatter.ofPattern("EEE MMM d HH:mm yyyy", Locale.ROOT)
                .withZone(ZoneOffset.UTC)
                .format(started)
            + "\"\n");
    text.raw("SAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n");
    long last = 0;
    for (HeapProfile.Sample sample : profile.samples()) {
      mark(text, "BEGIN_SAMPLE", sample.timestampNanos());
      Map<String, Long> named = new HashMap<>();
      sample.bytes().forEach((label, bytes) -> named.merge(naming.apply(label), bytes, Long::sum));
      List<Map.Entry<String, Long>> entries =
          named.entrySet().stream()
              .sorted(
                  Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                      .thenComparing(Map.Entry.comparingByKey()))
              .toList();
      for (Map.Entry<String, Long> entry : entries) {
        text.raw(plain(entry.getKey()).replace(' ', '_') + "\t" + entry.getValue() + "\n");
      }
      mark(text, "END_SAMPLE", sample.timestampNanos());
      last = sample.timestampNanos();
    }
    // Like the runtime, an empty sample at the end.
    mark(text, "BEGIN_SAMPLE", last + 1_000_000);
    mark(text, "END_SAMPLE", last + 1_000_000);
  }

  private static void mark(Json text, String mark, long nanos) {
    text.raw(String.format(Locale.ROOT, "%s %.6f%n", mark, nanos / 1e9));
  }

  private static String plain(String text) {
    String plain = text.replaceAll("[\\p{Cntrl}\"]", "_");
    return plain.isEmpty() ? "_" : plain;
  }
}
