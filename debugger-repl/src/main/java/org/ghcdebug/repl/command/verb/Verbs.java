package org.ghcdebug.repl.command.verb;

import static org.ghcdebug.repl.command.Registration.of;
import static org.ghcdebug.repl.command.Registration.onlyInLines;

import java.util.List;
import org.ghcdebug.repl.command.Registry;
import org.ghcdebug.repl.command.Section;

/** The list of verbs. */
public final class Verbs {
  /** Every verb, in the order in which {@code help} lists them. */
  public static final Registry REGISTRY =
      new Registry(
          List.of(
              of("ps", Section.SESSION, Ps::new),
              of("attach", Section.SESSION, Attach::new),
              of("run", Section.SESSION, Run::new),
              of("demo", Section.SESSION, Demo::new),
              of("info", Section.SESSION, Info::new),
              of("pause", Section.SESSION, Pause::new),
              of("resume", Section.SESSION, Resume::new),
              of("refresh", Section.SESSION, Refresh::new),
              of("snapshot", Section.SESSION, TakeSnapshot::new),
              of("snapshot info", Section.SESSION, SnapshotInfo::new),
              of("snapshot verify", Section.SESSION, SnapshotVerify::new),
              of("snapshot redact", Section.SESSION, SnapshotRedact::new),
              of("version", Section.SESSION, Version::new),
              of("roots", Section.LOOK, Roots::new),
              of("saved", Section.LOOK, Saved::new),
              of("closure", Section.LOOK, ShowClosure::new),
              of("tree", Section.LOOK, Tree::new),
              of("print", Section.LOOK, Print::new),
              of("stack", Section.LOOK, ShowStack::new),
              of("threads", Section.LOOK, ListThreads::new),
              of("dump", Section.LOOK, Dump::new),
              of("infotable", Section.LOOK, ShowInfoTable::new),
              of("source", Section.LOOK, ShowSource::new),
              of("census", Section.HEAP, TakeCensus::new),
              of("census2", Section.HEAP, TakeTwoLevelCensus::new),
              of("count", Section.HEAP, Count::new),
              of("find", Section.HEAP, Find::new),
              of("retainers", Section.HEAP, FindRetainers::new),
              of("path", Section.HEAP, ShowPath::new),
              of("parents", Section.HEAP, ShowParents::new),
              of("children", Section.LOOK, ShowChildren::new),
              of("dominators", Section.HEAP, ShowDominators::new),
              of("retained", Section.HEAP, ShowRetained::new),
              of("strings", Section.HEAP, ListStrings::new),
              of("arrwords", Section.HEAP, ListByteArrays::new),
              of("dups", Section.HEAP, ListDuplicates::new),
              of("cafs", Section.HEAP, ListCafs::new),
              of("suspects", Section.HEAP, ShowSuspects::new),
              of("thunks", Section.HEAP, ShowThunks::new),
              of("mutables", Section.HEAP, ShowMutables::new),
              of("frag", Section.HEAP, ShowFragmentation::new),
              of("typegraph", Section.HEAP, ShowTypeGraph::new),
              of("diff", Section.HEAP, Diff::new),
              of("trend", Section.HEAP, Trend::new),
              of("assert", Section.HEAP, Assert::new),
              of("export", Section.HEAP, Export::new),
              of("eventlog stats", Section.EVENTLOG, EventLogStats::new),
              of("eventlog show", Section.EVENTLOG, EventLogShow::new),
              of("eventlog validate", Section.EVENTLOG, EventLogValidate::new),
              of("eventlog simulate", Section.EVENTLOG, EventLogSimulate::new),
              of("eventlog profile", Section.EVENTLOG, EventLogProfile::new),
              of("eventlog tail", Section.EVENTLOG, EventLogTail::new),
              of("eventlog summary", Section.EVENTLOG, EventLogSummary::new),
              of("eventlog convert", Section.EVENTLOG, EventLogConvert::new),
              of("eventlog merge", Section.EVENTLOG, EventLogMerge::new),
              of("eventlog replay", Section.EVENTLOG, EventLogReplay::new),
              onlyInLines("events on", Section.EVENTLOG, EventsOn::new),
              onlyInLines("events send", Section.EVENTLOG, EventsSend::new),
              onlyInLines("events off", Section.EVENTLOG, EventsOff::new),
              of("help", Section.PROMPT, Help::new),
              onlyInLines("set", Section.PROMPT, SetVariable::new),
              onlyInLines("alias", Section.PROMPT, Alias::new),
              onlyInLines("quit", Section.PROMPT, Quit::new),
              of("completion", Section.PROMPT, Completion::new)));

  private Verbs() {}
}
