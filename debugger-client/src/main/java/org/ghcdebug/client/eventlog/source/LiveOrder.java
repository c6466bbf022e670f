package org.ghcdebug.client.eventlog.source;

import java.util.HashMap;
import java.util.Map;
import org.ghcdebug.protocol.eventlog.Damage;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventType;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogEnd;
import org.ghcdebug.protocol.eventlog.LogHeader;
import org.ghcdebug.protocol.eventlog.TimedEvent;

/**
 * Puts the events of a live log in time order.
 *
 * <p>A block's end time is the time at which its buffer was written out: once every buffer has
 * shown a block that ends at E or later, all events before E are here. So with {@code
 * --eventlog-flush-interval} the order is exact, one flush behind. The buffers are those that
 * CAP_CREATE and block markers have named, less the disabled ones; a log that was attached late
 * names no capabilities, so there everything waits until some capability shows its second block,
 * since each flush writes all of them.
 *
 * <p>Memory is bounded: above the limit, and on {@link #expire}, events are released although
 * earlier ones may still come; those that do come are delivered at once and counted in {@link
 * #lateEvents}.
 */
public final class LiveOrder implements EventVisitor {
  private final EventVisitor visitor;
  private final long limitBytes;
  private EventQueue queue = new EventQueue();

  // capability -> end of its last complete block; Long.MIN_VALUE before the first
  private final Map<Integer, Long> knownUntil = new HashMap<>();
  private boolean capabilitiesNamed;
  private boolean capabilityRepeated;
  private long blockEnd;
  private long released = Long.MIN_VALUE;
  private long newest = Long.MIN_VALUE;
  private long lateEvents;
  private long forcedReleases;
  private long sinceCheck;

  /**
   * @param visitor receives the events in order
   * @param limitBytes memory for events that wait
   */
  public LiveOrder(EventVisitor visitor, long limitBytes) {
    this.visitor = visitor;
    this.limitBytes = limitBytes;
  }

  @Override
  public void header(LogHeader header) {
    flush();
    queue = new EventQueue();
    knownUntil.clear();
    capabilitiesNamed = false;
    capabilityRepeated = false;
    released = Long.MIN_VALUE;
    newest = Long.MIN_VALUE;
    visitor.header(header);
  }

  @Override
  public void event(EventCursor event) {
    int capability = event.capability();
    if (event.timestampNanos() < released) {
      lateEvents++;
      visitor.event(event);
    } else {
      queue.add(event, event.offsetBytes());
    }
    newest = Math.max(newest, event.timestampNanos());
    if (event.knownId() == EventType.BLOCK_MARKER.id()) {
      blockEnd = event.u64(4);
      Long known = knownUntil.putIfAbsent(capability, Long.MIN_VALUE);
      capabilityRepeated |= known != null && known > Long.MIN_VALUE && capability >= 0;
    } else if (event.knownId() == EventType.CAP_CREATE.id()
        || event.knownId() == EventType.CAP_ENABLE.id()) {
      capabilitiesNamed = true;
      knownUntil.putIfAbsent(event.u16(0), Long.MIN_VALUE);
    } else if (event.knownId() == EventType.CAP_DELETE.id()
        || event.knownId() == EventType.CAP_DISABLE.id()) {
      knownUntil.remove(event.u16(0));
    }
    if (event.isLastInBlock()) {
      knownUntil.merge(capability, blockEnd, Math::max);
      releaseKnown();
    } else if (++sinceCheck == 1024) {
      sinceCheck = 0;
      enforceLimit();
    }
  }

  private void releaseKnown() {
    if (capabilitiesNamed || capabilityRepeated) {
      long until = Long.MAX_VALUE;
      for (long known : knownUntil.values()) {
        until = Math.min(until, known);
      }
      if (until > released) {
        releaseUntil(until - 1);
      }
    }
    enforceLimit();
  }

  private void releaseUntil(long until) {
    queue.release(until, visitor);
    released = Math.max(released, until);
  }

  private void enforceLimit() {
    while (queue.waitingBytes() > limitBytes) {
      forcedReleases++;
      long earliest = queue.earliest();
      releaseUntil(earliest + Math.max(0, (newest - earliest) / 2));
    }
  }

  /**
   * Releases everything that waits: for programs that do not flush, when nothing has come for a
   * while.
   */
  public void expire() {
    if (queue.earliest() != Long.MAX_VALUE) {
      forcedReleases++;
      releaseUntil(newest);
    }
  }

  private void flush() {
    queue.release(Long.MAX_VALUE, visitor);
  }

  @Override
  public void damage(Damage damage) {
    visitor.damage(damage);
  }

  @Override
  public void end(LogEnd end) {
    flush();
    visitor.end(end);
  }

  /** Events that came after later ones had been released. */
  public long lateEvents() {
    return lateEvents;
  }

  /** How often the memory or the patience ran out, so that the order was no longer certain. */
  public long forcedReleases() {
    return forcedReleases;
  }

  /** Time of the newest event that came, or {@link Long#MIN_VALUE}. */
  public long newestNanos() {
    return newest;
  }

  /** The time up to which all events were released, or {@link Long#MIN_VALUE}. */
  public long releasedNanos() {
    return released;
  }

  /** Whether the log's capabilities are known, so that the order can be exact. */
  public boolean isCertain() {
    return forcedReleases == 0 && knownUntil.containsKey(TimedEvent.NO_CAPABILITY);
  }
}
