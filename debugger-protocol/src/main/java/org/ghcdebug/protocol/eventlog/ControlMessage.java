package org.ghcdebug.protocol.eventlog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A command to a program whose eventlog is read over a socket; there are no replies.
 *
 * <pre>
 * F0 9E 97 8C | 00 | u8 n (1-255) | n bytes namespace (UTF-8) | u8 command id
 * </pre>
 *
 * Source: eventlog-socket 0.1.3.
 *
 * @param namespace whose command it is, 1 to 255 bytes of UTF-8
 * @param commandId 0 to 255
 */
public record ControlMessage(String namespace, int commandId) {
  /** The library's own commands. */
  public static final String BUILT_IN = "eventlog-socket";

  public static final ControlMessage START_PROFILING = new ControlMessage(BUILT_IN, 1);
  public static final ControlMessage STOP_PROFILING = new ControlMessage(BUILT_IN, 2);
  public static final ControlMessage START_HEAP_PROFILING = new ControlMessage(BUILT_IN, 3);
  public static final ControlMessage STOP_HEAP_PROFILING = new ControlMessage(BUILT_IN, 4);
  public static final ControlMessage REQUEST_HEAP_CENSUS = new ControlMessage(BUILT_IN, 5);

  private static final int FIRST_CLASS_COMMAND = 6;

  /** The classes of events that there are commands for, in the order of those. */
  public static final List<EventClass> SWITCHABLE =
      List.of(
          EventClass.SCHEDULER,
          EventClass.GC,
          EventClass.NONMOVING,
          EventClass.SPARKS_SAMPLED,
          EventClass.SPARKS_FULL,
          EventClass.USER,
          EventClass.BASE);

  private static final byte[] MAGIC = {(byte) 0xF0, (byte) 0x9E, (byte) 0x97, (byte) 0x8C, 0};

  public ControlMessage {
    int bytes = namespace.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > 255 || commandId < 0 || commandId > 255) {
      throw new IllegalArgumentException("namespace of " + bytes + " bytes, command " + commandId);
    }
  }

  /** The command that switches an event class, for programs built with GHC 10 and later. */
  public static ControlMessage eventClass(EventClass eventClass, boolean on) {
    int index = SWITCHABLE.indexOf(eventClass);
    if (index < 0) {
      throw new IllegalArgumentException(eventClass + " cannot be switched");
    }
    int start = FIRST_CLASS_COMMAND + 2 * index;
    return new ControlMessage(BUILT_IN, on ? start : start + 1);
  }

  /** The message's bytes. */
  public byte[] toBytes() {
    byte[] name = namespace.getBytes(StandardCharsets.UTF_8);
    byte[] message = Arrays.copyOf(MAGIC, MAGIC.length + 1 + name.length + 1);
    message[MAGIC.length] = (byte) name.length;
    System.arraycopy(name, 0, message, MAGIC.length + 1, name.length);
    message[message.length - 1] = (byte) commandId;
    return message;
  }

  /** Finds messages in bytes that arrive in any pieces; anything else is skipped. */
  public static final class Parser {
    private byte[] pending = new byte[0];

    /** The messages that are complete with these bytes. */
    public List<ControlMessage> push(byte[] bytes, int length) {
      byte[] all = Arrays.copyOf(pending, pending.length + length);
      System.arraycopy(bytes, 0, all, pending.length, length);
      List<ControlMessage> messages = new ArrayList<>();
      int at = 0;
      while (at < all.length) {
        int matched = 0;
        while (matched < MAGIC.length
            && at + matched < all.length
            && all[at + matched] == MAGIC[matched]) {
          matched++;
        }
        if (at + matched == all.length) {
          break;
        }
        if (matched < MAGIC.length) {
          at++;
          continue;
        }
        int name = all[at + MAGIC.length] & 0xFF;
        int end = at + MAGIC.length + 1 + name + 1;
        if (end > all.length) {
          break;
        }
        if (name > 0) {
          String text = new String(all, at + MAGIC.length + 1, name, StandardCharsets.UTF_8);
          if (text.getBytes(StandardCharsets.UTF_8).length <= 255) {
            messages.add(new ControlMessage(text, all[end - 1] & 0xFF));
          }
        }
        at = end;
      }
      pending = Arrays.copyOfRange(all, at, all.length);
      return messages;
    }
  }
}
