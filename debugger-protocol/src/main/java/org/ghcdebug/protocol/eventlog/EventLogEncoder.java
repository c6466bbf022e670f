package org.ghcdebug.protocol.eventlog;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes an eventlog. What a decoder read from an undamaged log comes out as the same events, and
 * as the same bytes where the lengths that GHC wrote were right and the texts were valid UTF-8.
 *
 * <p>Block markers are events like others: {@link #event} writes them as they are, {@link #block}
 * makes one whose size and times are right. Buffers belong to the caller. Not for several threads.
 */
public final class EventLogEncoder {
  private static final int MAX_PAYLOAD_BYTES = 0xFFFF;

  private final LogHeader header;
  private final Map<Integer, EventDeclaration> declared = new HashMap<>();

  public EventLogEncoder(LogHeader header) {
    this.header = header;
    for (EventDeclaration declaration : header.declarations()) {
      declared.put(declaration.id(), declaration);
    }
  }

  /** Appends the header, up to where the first event begins. */
  public void header(ByteBuf out) {
    ascii(out, "hdrbhetb");
    for (EventDeclaration declaration : header.declarations()) {
      ascii(out, "etb\0");
      byte[] description = declaration.description().getBytes(StandardCharsets.UTF_8);
      out.writeShort(declaration.id())
          .writeShort(declaration.sizeBytes())
          .writeInt(description.length)
          .writeBytes(description)
          .writeInt(declaration.extra().length())
          .writeBytes(declaration.extra().toArray());
      ascii(out, "ete\0");
    }
    ascii(out, "hetehdredatb");
  }

  /** Whether the header declares the event, so that it can be written. */
  public boolean isDeclared(Event event) {
    return declared.containsKey(event.id());
  }

  /**
   * Appends one event.
   *
   * @throws IllegalArgumentException if the header does not declare it, or its payload does not fit
   *     the declared size
   */
  public void event(TimedEvent event, ByteBuf out) {
    int id = event.event().id();
    EventDeclaration declaration = declared(id);
    out.writeShort(id).writeLong(event.timestampNanos());
    int lengthAt = out.writerIndex();
    if (declaration.isVariable()) {
      out.writeShort(0);
    }
    int payloadAt = out.writerIndex();
    EventCodec.encode(event.event(), declaration, out);
    out.writeBytes(event.extra().toArray());
    int length = out.writerIndex() - payloadAt;
    if (declaration.isVariable()) {
      if (length > MAX_PAYLOAD_BYTES) {
        throw new IllegalArgumentException(
            "event " + id + ": payload of " + length + " bytes, at most " + MAX_PAYLOAD_BYTES);
      }
      out.setShort(lengthAt, length);
    } else if (length < declaration.sizeBytes()) {
      out.writeZero(declaration.sizeBytes() - length);
    } else if (length > declaration.sizeBytes()) {
      throw new IllegalArgumentException(
          "event %d: payload of %d bytes, declared %d"
              .formatted(id, length, declaration.sizeBytes()));
    }
  }

  /**
   * Appends a block of one buffer: its marker and its events.
   *
   * @param capability the buffer, or {@link TimedEvent#NO_CAPABILITY}
   */
  public void block(
      int capability, long startNanos, long endNanos, List<TimedEvent> events, ByteBuf out) {
    ByteBuf body = Unpooled.buffer();
    for (TimedEvent event : events) {
      event(event, body);
    }
    int markerBytes = 10 + declared(18).sizeBytes();
    event(
        new TimedEvent(
            startNanos,
            capability,
            new Event.BlockMarker((long) body.readableBytes() + markerBytes, endNanos, capability)),
        out);
    out.writeBytes(body);
  }

  private EventDeclaration declared(int id) {
    EventDeclaration declaration = declared.get(id);
    if (declaration == null) {
      throw new IllegalArgumentException("event " + id + " is not declared in the header");
    }
    return declaration;
  }

  /** Appends the end marker. */
  public void end(ByteBuf out) {
    out.writeShort(0xFFFF);
  }

  /** The header as bytes. */
  public byte[] headerBytes() {
    ByteBuf out = Unpooled.buffer();
    header(out);
    return ByteBufUtil.getBytes(out);
  }

  /** A block as bytes; see {@link #block}. */
  public byte[] blockBytes(
      int capability, long startNanos, long endNanos, List<TimedEvent> events) {
    ByteBuf out = Unpooled.buffer();
    block(capability, startNanos, endNanos, events, out);
    return ByteBufUtil.getBytes(out);
  }

  /** The end marker as bytes. */
  public byte[] endBytes() {
    return new byte[] {(byte) 0xFF, (byte) 0xFF};
  }

  private static void ascii(ByteBuf out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
