package org.ghcdebug.protocol.extension;

import io.netty.buffer.ByteBuf;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The answer to RTS_FIGURES.
 *
 * @param values only those that are known
 */
public record RtsFigures(Map<RtsFigure, Long> values) {
  public static final RtsFigures NONE = new RtsFigures(Map.of());

  public RtsFigures {
    values = values.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(values));
  }

  /**
   * Reads an answer; figures that are not known here are left out.
   *
   * @throws org.ghcdebug.protocol.error.MalformedDataException when it is none
   */
  public static RtsFigures decode(ByteBuf payload) {
    return Payload.read(ExtensionCommand.RTS_FIGURES, payload, RtsFigures::read);
  }

  static RtsFigures read(Payload payload) {
    Map<RtsFigure, Long> values = new EnumMap<>(RtsFigure.class);
    for (long left = payload.u32(); left > 0; left--) {
      long what = payload.u32();
      long value = payload.u64();
      RtsFigure.findByNumber(what).ifPresent(figure -> values.put(figure, value));
    }
    return new RtsFigures(values);
  }

  /** A figure, if it is known. */
  public OptionalLong find(RtsFigure figure) {
    Long value = values.get(figure);
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }
}
