package org.ghcdebug.client.eventlog;

import java.util.List;
import org.ghcdebug.protocol.eventlog.Damage;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogEnd;
import org.ghcdebug.protocol.eventlog.LogHeader;

/** Visitors made of others. */
public final class EventVisitors {
  private EventVisitors() {}

  /** Hands everything to each of several visitors, in their order. */
  public static EventVisitor all(EventVisitor... visitors) {
    return new All(List.of(visitors));
  }

  private record All(List<EventVisitor> visitors) implements EventVisitor {
    @Override
    public void event(EventCursor event) {
      for (EventVisitor visitor : visitors) {
        visitor.event(event);
      }
    }

    @Override
    public void header(LogHeader header) {
      visitors.forEach(visitor -> visitor.header(header));
    }

    @Override
    public void damage(Damage damage) {
      visitors.forEach(visitor -> visitor.damage(damage));
    }

    @Override
    public void end(LogEnd end) {
      visitors.forEach(visitor -> visitor.end(end));
    }
  }
}
