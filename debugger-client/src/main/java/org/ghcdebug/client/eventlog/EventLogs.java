package org.ghcdebug.client.eventlog;

import java.util.List;
import org.ghcdebug.client.eventlog.source.LogReader;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.OrderedLog;
import org.ghcdebug.client.work.Work;

/**
 * One call for each question about a finished log. All throw {@link
 * org.ghcdebug.protocol.error.SourceUnavailableException} if the source cannot be read, and {@link
 * org.ghcdebug.protocol.error.CanceledException} if {@code work} was canceled.
 */
public final class EventLogs {
  private EventLogs() {}

  /** Counts the events of each kind. O(bytes), constant memory. */
  public static EventStats.Result stats(LogSource source, Work work) {
    EventStats stats = new EventStats();
    LogReader.read(source, stats, work);
    return stats.result();
  }

  /**
   * What the automata found, and what the log lost.
   *
   * @param stats counts and damages
   */
  public record Validation(LogValidator.Result automata, EventStats.Result stats) {}

  /** Runs the automata. O(bytes), memory as {@link OrderedLog} and {@link LogValidator}. */
  public static Validation validate(LogSource source, Work work) {
    LogValidator validator = new LogValidator();
    EventStats stats = new EventStats();
    OrderedLog.read(source, EventVisitors.all(stats, validator), work);
    return new Validation(validator.result(), stats.result());
  }

  /** Runs the automata and tells every step of them. */
  public static Validation simulate(
      LogSource source, LogValidator.StepListener listener, Work work) {
    LogValidator validator = new LogValidator(listener);
    EventStats stats = new EventStats();
    OrderedLog.read(source, EventVisitors.all(stats, validator), work);
    return new Validation(validator.result(), stats.result());
  }

  /**
   * Everything about a log.
   *
   * @param profiles heap and time profiles and their tables
   */
  public record Report(
      EventStats.Result stats,
      LogInfo info,
      SchedulerAnalysis.Result scheduler,
      GcAnalysis.Result collections,
      HeapAnalysis.Result heap,
      SparkAnalysis.Result sparks,
      List<TaskAnalysis.Task> tasks,
      ProfileAnalysis profiles) {
    public Report {
      tasks = List.copyOf(tasks);
    }
  }

  /** Runs all analyses in one pass. */
  public static Report analyse(LogSource source, Work work) {
    EventStats stats = new EventStats();
    LogInfo info = new LogInfo();
    SchedulerAnalysis scheduler = new SchedulerAnalysis();
    GcAnalysis collections = new GcAnalysis();
    HeapAnalysis heap = new HeapAnalysis();
    SparkAnalysis sparks = new SparkAnalysis();
    TaskAnalysis tasks = new TaskAnalysis();
    ProfileAnalysis profiles = new ProfileAnalysis();
    OrderedLog.read(
        source,
        EventVisitors.all(stats, info, scheduler, collections, heap, sparks, tasks, profiles),
        work);
    return new Report(
        stats.result(),
        info,
        scheduler.result(),
        collections.result(),
        heap.result(),
        sparks.result(),
        tasks.result(),
        profiles);
  }
}
