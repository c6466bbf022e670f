package org.ghcdebug.client.eventlog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ghcdebug.protocol.eventlog.Bytes;
import org.ghcdebug.protocol.eventlog.Event;
import org.ghcdebug.protocol.eventlog.EventCursor;
import org.ghcdebug.protocol.eventlog.EventVisitor;
import org.ghcdebug.protocol.eventlog.HeapProfBreakdown;
import org.ghcdebug.protocol.eventlog.LogHeader;
import org.ghcdebug.protocol.eventlog.StackMessage;
import org.jspecify.annotations.Nullable;

/**
 * Profiles: heap censuses, cost-centre samples, call-stack samples, and the tables that name what
 * is in them. Events may come in stream order, since all of these come from one buffer; call stacks
 * of several capabilities are kept apart by themselves.
 *
 * <p>Labels are kept once each, large tables on disk. Memory: some 50 bytes for each label of each
 * census, and one entry for each distinct stack.
 */
public final class ProfileAnalysis implements EventVisitor {

  /** A call stack and how often it was seen; frames outermost first. */
  public record StackCount(List<String> frames, long count) {
    public StackCount {
      frames = List.copyOf(frames);
    }
  }

  /**
   * Samples of a time profile.
   *
   * @param tickIntervalNanos 0 where the log does not say
   * @param stacks by count, largest first
   */
  public record Samples(long tickIntervalNanos, long samples, List<StackCount> stacks) {
    public Samples {
      stacks = List.copyOf(stacks);
    }
  }

  /** Receives each census when it is complete. */
  @FunctionalInterface
  public interface CensusListener {
    void census(HeapProfile.Sample sample);
  }

  private final CensusListener listener;
  private final boolean keepSamples;

  /** Names that are kept besides the tables, which may be on disk. */
  private static final int NAMES_KEPT = 4096;

  private final EventTable costCentres = new EventTable(161);
  private final EventTable infoTables = new EventTable(169);
  private final Map<Long, String> costCentreNames = new HashMap<>();
  private final Map<Bytes, long[]> costCentreStacks = new LinkedHashMap<>();
  private final Map<List<StackMessage.Entry>, long[]> callStacks = new LinkedHashMap<>();
  private final Map<Long, List<StackMessage.Entry>> openCallStacks = new HashMap<>();
  private final Map<Long, String> strings = new HashMap<>();
  private final Map<Long, StackMessage.SourceLocationDefinition> locations = new HashMap<>();
  private long tickInterval;
  private long costCentreSamples;
  private long callStackSamples;

  private @Nullable HeapProfBreakdown declared;
  private @Nullable HeapProfBreakdown fromArguments;
  private @Nullable HeapProfBreakdown fromLabels;
  private long period;
  private final List<HeapProfile.Sample> samples = new ArrayList<>();
  private @Nullable Map<String, Long> open;
  private long openTime;
  private long incomplete;
  private final Map<String, String> labels = new HashMap<>();

  public ProfileAnalysis() {
    this(_ -> {}, true);
  }

  /**
   * @param keepSamples false for live use, where censuses only go to the listener
   */
  public ProfileAnalysis(CensusListener listener, boolean keepSamples) {
    this.listener = listener;
    this.keepSamples = keepSamples;
  }

  @Override
  public void header(LogHeader header) {
    if (open != null) {
      incomplete++;
      open = null;
    }
    openCallStacks.clear();
  }

  @Override
  public void event(EventCursor event) {
    switch (event.knownId()) {
      case 30 -> arguments((Event.ProgramArgs) event.toEvent());
      case 160 -> {
        Event.HeapProfBegin begin = (Event.HeapProfBegin) event.toEvent();
        declared = HeapProfBreakdown.findByCode(begin.breakdown());
        period = begin.periodNanos();
      }
      case 161 -> {
        costCentres.put(event.u32(0), event);
        costCentreNames.remove(event.u32(0));
      }
      case 162 -> beginCensus(event.timestampNanos());
      case 166 -> beginCensus(event.u64(8));
      case 163 -> residency(stackLabel(event.bytes(9)), event.u64(1));
      case 164 -> {
        String label = event.text(9, event.indexOfNul(9));
        if (fromLabels == null) {
          fromLabels = guess(label);
        }
        residency(label, event.u64(1));
      }
      case 165 -> endCensus();
      case 167 -> {
        costCentreStacks.computeIfAbsent(event.bytes(12), _ -> new long[1])[0]++;
        costCentreSamples++;
      }
      case 168 -> tickInterval = event.u64(0);
      case 169 -> infoTables.put(event.u64(0), event);
      case 181 -> binary(StackMessage.parse(event.bytes(0)));
      default -> {}
    }
  }

  private void arguments(Event.ProgramArgs arguments) {
    for (String argument : arguments.arguments()) {
      HeapProfBreakdown breakdown = HeapProfBreakdown.findByOption(argument);
      if (breakdown != null && fromArguments == null) {
        fromArguments = breakdown;
      }
    }
  }

  /** What a label is of, where its shape tells. */
  private static @Nullable HeapProfBreakdown guess(String label) {
    if (label.matches("0x[0-9a-f]+")) {
      return HeapProfBreakdown.INFO_TABLE;
    }
    if (label.matches("VOID|LAG|USE|INHERENT_USE|DRAG")) {
      return HeapProfBreakdown.BIOGRAPHY;
    }
    if (label.matches("\\(\\d+\\).*")) {
      return HeapProfBreakdown.RETAINER;
    }
    if (label.matches("(THUNK|FUN)(_\\d_\\d)?|MUT_ARR_PTRS_\\w+|MVAR_\\w+|ARR_WORDS")) {
      return HeapProfBreakdown.CLOSURE_TYPE;
    }
    return null;
  }

  private void beginCensus(long time) {
    if (open != null) {
      // Before GHC 8.10 there were no ends: a census reached to the next one.
      if (sawEnd) {
        incomplete++;
        open = null;
      } else {
        endCensus();
      }
    }
    open = new HashMap<>();
    openTime = time;
  }

  private boolean sawEnd;

  private void residency(String label, long bytes) {
    if (open != null) {
      open.put(labels.computeIfAbsent(label, l -> l), bytes);
    }
  }

  private void endCensus() {
    sawEnd = true;
    if (open == null) {
      // The census began before the log did.
      incomplete++;
      return;
    }
    HeapProfile.Sample sample = new HeapProfile.Sample(openTime, open);
    listener.census(sample);
    if (keepSamples) {
      samples.add(sample);
    }
    open = null;
  }

  /** A cost-centre stack as text, outermost first, joined by slashes; {@code MAIN} for the root. */
  private String stackLabel(Bytes stack) {
    List<Long> ids = stackOf(stack);
    StringBuilder text = new StringBuilder();
    for (int i = ids.size() - 1; i >= 0; i--) {
      text.append(text.isEmpty() ? "" : "/").append(costCentreName(ids.get(i)));
    }
    return text.isEmpty() ? "MAIN" : text.toString();
  }

  /** The ids of a depth byte and that many words. */
  private static List<Long> stackOf(Bytes stack) {
    List<Long> ids = new ArrayList<>();
    for (int at = 1; at + 4 <= stack.length() && ids.size() < (stack.at(0) & 0xFF); at += 4) {
      ids.add(
          (stack.at(at) & 0xFFL) << 24
              | (stack.at(at + 1) & 0xFFL) << 16
              | (stack.at(at + 2) & 0xFFL) << 8
              | stack.at(at + 3) & 0xFFL);
    }
    return ids;
  }

  /** {@code module:label} of a cost centre, or its number where it is not in the log. */
  private String costCentreName(long id) {
    String kept = costCentreNames.get(id);
    if (kept != null) {
      return kept;
    }
    String name =
        costCentres.find(id) instanceof Event.HeapProfCostCentre centre
            ? centre.module().equals(centre.label())
                ? centre.label()
                : centre.module() + ":" + centre.label()
            : Long.toString(id);
    if (costCentreNames.size() == NAMES_KEPT) {
      costCentreNames.clear();
    }
    costCentreNames.put(id, name);
    return name;
  }

  private void binary(@Nullable StackMessage message) {
    switch (message) {
      case null -> {}
      case StackMessage.StringDefinition definition ->
          strings.put(definition.stringId(), definition.text());
      case StackMessage.SourceLocationDefinition definition ->
          locations.put(definition.sourceLocationId(), definition);
      case StackMessage.Chunk chunk -> {
        long key = chunk.capability() << 32 | chunk.threadId();
        List<StackMessage.Entry> entries =
            openCallStacks.computeIfAbsent(key, _ -> new ArrayList<>());
        entries.addAll(chunk.entries());
        if (chunk.last()) {
          openCallStacks.remove(key);
          callStacks.computeIfAbsent(List.copyOf(entries), _ -> new long[1])[0]++;
          callStackSamples++;
        }
      }
    }
  }

  /** The heap profile so far. */
  public HeapProfile heapProfile() {
    HeapProfBreakdown breakdown =
        declared != null ? declared : fromArguments != null ? fromArguments : fromLabels;
    List<HeapProfile.Sample> inOrder = new ArrayList<>(samples);
    inOrder.sort(Comparator.comparingLong(HeapProfile.Sample::timestampNanos));
    if (open != null && !sawEnd) {
      inOrder.add(new HeapProfile.Sample(openTime, open));
    }
    return new HeapProfile(
        Optional.ofNullable(breakdown),
        declared == null && breakdown != null,
        period,
        inOrder,
        incomplete + (open != null && sawEnd ? 1 : 0));
  }

  /** The time profile by cost centres: ticks of all capabilities, idle ones under {@code IDLE}. */
  public Samples costCentreSamples() {
    List<StackCount> stacks = new ArrayList<>();
    costCentreStacks.forEach(
        (stack, count) ->
            stacks.add(
                new StackCount(
                    stackOf(stack).reversed().stream().map(this::costCentreName).toList(),
                    count[0])));
    stacks.sort(Comparator.comparingLong(StackCount::count).reversed());
    return new Samples(tickInterval, costCentreSamples, stacks);
  }

  /** The samples of ghc-stack-profiler. */
  public Samples callStackSamples() {
    List<StackCount> stacks = new ArrayList<>();
    callStacks.forEach(
        (stack, count) ->
            stacks.add(
                new StackCount(stack.reversed().stream().map(this::frameName).toList(), count[0])));
    stacks.sort(Comparator.comparingLong(StackCount::count).reversed());
    return new Samples(0, callStackSamples, stacks);
  }

  private String frameName(StackMessage.Entry entry) {
    return switch (entry) {
      case StackMessage.Entry.InfoTable(long address) ->
          infoTables.find(address) instanceof Event.InfoTableProv table
              ? table.module() + ":" + (table.label().isEmpty() ? table.tableName() : table.label())
              : "0x" + Long.toHexString(address);
      case StackMessage.Entry.Annotation(long text) -> string(text);
      case StackMessage.Entry.LocatedAnnotation(long text, long location) -> {
        StackMessage.SourceLocationDefinition definition = locations.get(location);
        yield definition == null
            ? string(text)
            : "%s (%s:%d:%d)"
                .formatted(
                    string(text),
                    string(definition.fileStringId()),
                    definition.row(),
                    definition.column());
      }
    };
  }

  private String string(long id) {
    return strings.getOrDefault(id, "string " + id);
  }

  /** How many cost centres the log names. */
  public int costCentreCount() {
    return costCentres.size();
  }

  /** How many info tables the log names. */
  public int infoTableCount() {
    return infoTables.size();
  }

  /** The entry of an info table, as labels of {@code -hi} profiles name it. */
  public Optional<Event.InfoTableProv> infoTable(String label) {
    try {
      return label.startsWith("0x")
          ? Optional.ofNullable(
              (Event.InfoTableProv) infoTables.find(Long.parseUnsignedLong(label.substring(2), 16)))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
