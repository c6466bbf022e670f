package org.ghcdebug.client.eventlog;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;

/** What a log says about its program: version, arguments, process, and the wall clock. */
public final class LogInfo implements EventVisitor {
  private String rtsIdentifier = "";
  private List<String> arguments = List.of();
  private OptionalLong pid = OptionalLong.empty();
  private OptionalLong wallClockBase = OptionalLong.empty();
  private final Set<Integer> capabilities = new LinkedHashSet<>();

  @Override
  public void header(LogHeader header) {
    wallClockBase = OptionalLong.empty();
    capabilities.clear();
  }

  @Override
  public void event(EventCursor event) {
    switch (event.knownId()) {
      case 18 -> {
        if (event.capability() >= 0) {
          capabilities.add(event.capability());
        }
      }
      case 29 -> rtsIdentifier = event.text(4);
      case 30 -> arguments = ((Event.ProgramArgs) event.toEvent()).arguments();
      case 32 -> pid = OptionalLong.of(event.u32(4));
      case 43 ->
          // The clock is that of the event, which may come long after the program started.
          wallClockBase =
              OptionalLong.of(
                  event.u64(4) * 1_000_000_000L + event.u32(12) - event.timestampNanos());
      default -> {}
    }
  }

  /** For instance {@code GHC-9.6.6 rts_thr}; empty where unknown. */
  public String rtsIdentifier() {
    return rtsIdentifier;
  }

  /** The command line, program name first. */
  public List<String> arguments() {
    return List.copyOf(arguments);
  }

  public OptionalLong pid() {
    return pid;
  }

  /** Unix time, in nanoseconds, of the program's time 0; add an event's time to it. */
  public OptionalLong wallClockBaseNanos() {
    return wallClockBase;
  }

  /** The capabilities that have written blocks. */
  public List<Integer> capabilities() {
    return new ArrayList<>(capabilities);
  }
}
