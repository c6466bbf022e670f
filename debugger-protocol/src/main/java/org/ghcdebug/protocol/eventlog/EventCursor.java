package org.ghcdebug.protocol.eventlog;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A view of one event in the decoder's buffer: valid only until the decoder is asked for the next
 * one. Reading through it allocates nothing, except for text.
 */
public final class EventCursor {
  private static final VarHandle U16 =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle U32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] buffer = new byte[0];
  private int payload;
  private int length;
  private int id;
  private int knownId;
  private int capability;
  private long timestampNanos;
  private long offsetBytes;
  private boolean lastInBlock;
  private int recordBytes;

  static int u16(byte[] bytes, int at) {
    return (short) U16.get(bytes, at) & 0xFFFF;
  }

  static int s32(byte[] bytes, int at) {
    return (int) U32.get(bytes, at);
  }

  static long u32(byte[] bytes, int at) {
    return (int) U32.get(bytes, at) & 0xFFFF_FFFFL;
  }

  static long u64(byte[] bytes, int at) {
    return (long) U64.get(bytes, at);
  }

  /**
   * Points this cursor at an event.
   *
   * @param buffer holds the payload, and is not copied
   * @param payload index of its first byte
   * @param length payload bytes
   * @param knownId the id if the payload is long enough for the id's layout, else -1
   */
  public void set(
      byte[] buffer,
      int payload,
      int length,
      int id,
      int knownId,
      int capability,
      long timestampNanos,
      long offsetBytes,
      boolean lastInBlock,
      int recordBytes) {
    this.buffer = buffer;
    this.payload = payload;
    this.length = length;
    this.id = id;
    this.knownId = knownId;
    this.capability = capability;
    this.timestampNanos = timestampNanos;
    this.offsetBytes = offsetBytes;
    this.lastInBlock = lastInBlock;
    this.recordBytes = recordBytes;
  }

  /** The event's number on the wire. */
  public int id() {
    return id;
  }

  /**
   * The event's number if it is known and its payload has at least the fields of its oldest layout,
   * else -1. Readers of fields switch on this.
   */
  public int knownId() {
    return knownId;
  }

  public long timestampNanos() {
    return timestampNanos;
  }

  /** The buffer's capability, or {@link TimedEvent#NO_CAPABILITY}. */
  public int capability() {
    return capability;
  }

  /** Where the event begins in the stream. */
  public long offsetBytes() {
    return offsetBytes;
  }

  /** Whether its block is complete with this event, so that its buffer is known up to the end. */
  public boolean isLastInBlock() {
    return lastInBlock;
  }

  public int payloadLength() {
    return length;
  }

  /** The unsigned byte at an offset of the payload. */
  public int u8(int at) {
    Objects.checkFromIndexSize(at, 1, length);
    return buffer[payload + at] & 0xFF;
  }

  /** The unsigned 16-bit number at an offset of the payload. */
  public int u16(int at) {
    Objects.checkFromIndexSize(at, 2, length);
    return u16(buffer, payload + at);
  }

  /** The unsigned 32-bit number at an offset of the payload. */
  public long u32(int at) {
    Objects.checkFromIndexSize(at, 4, length);
    return u32(buffer, payload + at);
  }

  /** The 64-bit number at an offset of the payload; unsigned values above 2⁶³ are negative. */
  public long u64(int at) {
    Objects.checkFromIndexSize(at, 8, length);
    return u64(buffer, payload + at);
  }

  /** Text from an offset to the end of the payload; malformed UTF-8 is replaced. */
  public String text(int from) {
    Objects.checkFromToIndex(from, length, length);
    return new String(buffer, payload + from, length - from, StandardCharsets.UTF_8);
  }

  /** Text of a part of the payload; malformed UTF-8 is replaced. */
  public String text(int from, int to) {
    Objects.checkFromToIndex(from, to, length);
    return new String(buffer, payload + from, to - from, StandardCharsets.UTF_8);
  }

  /** The offset of the next NUL at or after {@code from}, or the payload's length. */
  public int indexOfNul(int from) {
    int at = from;
    while (at < length && buffer[payload + at] != 0) {
      at++;
    }
    return at;
  }

  /** Copies the payload from an offset on. */
  public Bytes bytes(int from) {
    Objects.checkFromToIndex(from, length, length);
    return Bytes.of(buffer, payload + from, length - from);
  }

  /** The bytes that the event took in the stream: its head and its payload. */
  public int recordBytes() {
    return recordBytes;
  }

  /** Copies the whole payload to an array. */
  public void copyPayload(byte[] target, int at) {
    System.arraycopy(buffer, payload, target, at, length);
  }

  /** The event as a value, independent of the buffer. */
  public TimedEvent toTimedEvent() {
    return EventCodec.decode(this);
  }

  /** What the event says, as a value independent of the buffer. */
  public Event toEvent() {
    return toTimedEvent().event();
  }
}
