package org.ghcdebug.client.eventlog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.LogHeader;

/** Tasks, that is kernel threads at work for the runtime, from events in time order. */
public final class TaskAnalysis implements EventVisitor {

  /**
   * One task; ids are used again after a task was deleted.
   *
   * @param capability where it was last
   * @param deletedNanos when it was deleted, or -1
   */
  public record Task(
      long taskId, long kernelThreadId, int capability, long createdNanos, long deletedNanos) {}

  private final List<Task> deleted = new ArrayList<>();
  private final Map<Long, Task> open = new LinkedHashMap<>();

  @Override
  public void header(LogHeader header) {
    deleted.addAll(open.values());
    open.clear();
  }

  @Override
  public void event(EventCursor event) {
    switch (event.knownId()) {
      case 55 -> {
        Task task = new Task(event.u64(0), event.u64(10), event.u16(8), event.timestampNanos(), -1);
        Task before = open.put(task.taskId(), task);
        if (before != null) {
          deleted.add(before);
        }
      }
      case 56 ->
          open.computeIfPresent(
              event.u64(0),
              (_, task) ->
                  new Task(
                      task.taskId(),
                      task.kernelThreadId(),
                      event.u16(10),
                      task.createdNanos(),
                      -1));
      case 57 -> {
        Task task = open.remove(event.u64(0));
        if (task != null) {
          deleted.add(
              new Task(
                  task.taskId(),
                  task.kernelThreadId(),
                  task.capability(),
                  task.createdNanos(),
                  event.timestampNanos()));
        }
      }
      default -> {}
    }
  }

  /** The tasks so far, those that still work last. */
  public List<Task> result() {
    List<Task> tasks = new ArrayList<>(deleted);
    tasks.addAll(open.values());
    return tasks;
  }
}
