package org.ghcdebug.client.debuggee;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ghcdebug.client.eventlog.source.LogReader;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.work.Work;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogEnd;

/** All events of a log. */
final class CollectedLog implements EventVisitor {
  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean truncated = true;

  static CollectedLog of(Path file) {
    CollectedLog log = new CollectedLog();
    LogReader.read(LogSource.parse(file.toString()), log, Work.UNATTENDED);
    return log;
  }

  @Override
  public void event(EventCursor event) {
    events.add(event.toTimedEvent().event());
  }

  @Override
  public void end(LogEnd end) {
    truncated = !end.endMarker();
  }

  boolean truncated() {
    return truncated;
  }

  List<String> markers() {
    return all(Event.UserMarker.class).stream().map(Event.UserMarker::text).toList();
  }

  List<String> labels() {
    return all(Event.ThreadLabel.class).stream().map(Event.ThreadLabel::label).toList();
  }

  <E extends Event> List<E> all(Class<E> kind) {
    synchronized (events) {
      return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
  }
}
