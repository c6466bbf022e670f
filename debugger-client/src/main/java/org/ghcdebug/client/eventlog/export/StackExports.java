package org.ghcdebug.client.eventlog.export;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.client.eventlog.ProfileAnalysis;

/** Sampled stacks for flame graphs. */
public final class StackExports {
  private StackExports() {}

  /** One line for each stack: frames outermost first, joined by semicolons, a space, the count. */
  public static void folded(ProfileAnalysis.Samples samples, Appendable out) {
    Json text = new Json(out);
    for (ProfileAnalysis.StackCount stack : samples.stacks()) {
      List<String> frames =
          stack.frames().stream().map(frame -> frame.replace(';', ',').replace('\n', ' ')).toList();
      text.raw(String.join(";", frames)).raw(" " + stack.count() + "\n");
    }
  }

  /**
   * A speedscope document of one sampled profile. Weights are nanoseconds where the tick interval
   * is known, else numbers of samples.
   */
  public static void speedscope(String name, ProfileAnalysis.Samples samples, Appendable out) {
    Map<String, Integer> frames = new LinkedHashMap<>();
    for (ProfileAnalysis.StackCount stack : samples.stacks()) {
      stack.frames().forEach(frame -> frames.putIfAbsent(frame, frames.size()));
    }
    long weight = Math.max(1, samples.tickIntervalNanos());
    Json json = new Json(out);
    json.raw("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",");
    json.raw("\"exporter\":\"ghc-debug\",\"name\":").string(name);
    json.raw(",\"activeProfileIndex\":0,\"shared\":{\"frames\":[");
    String separator = "";
    for (String frame : frames.keySet()) {
      json.raw(separator).raw("{\"name\":").string(frame).raw("}");
      separator = ",";
    }
    json.raw("]},\"profiles\":[{\"type\":\"sampled\",\"name\":").string(name);
    json.raw(",\"unit\":")
        .string(samples.tickIntervalNanos() > 0 ? "nanoseconds" : "none")
        .raw(",\"startValue\":0,\"endValue\":" + samples.samples() * weight);
    json.raw(",\"samples\":[");
    separator = "";
    for (ProfileAnalysis.StackCount stack : samples.stacks()) {
      json.raw(separator)
          .raw(stack.frames().stream().map(frames::get).toList().toString().replace(" ", ""));
      separator = ",";
    }
    json.raw("],\"weights\":[");
    separator = "";
    for (ProfileAnalysis.StackCount stack : samples.stacks()) {
      json.raw(separator + stack.count() * weight);
      separator = ",";
    }
    json.raw("]}]}\n");
  }
}
