package org.ghcdebug.repl.command.verb;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.client.eventlog.source.LiveLogs;
import org.ghcdebug.client.eventlog.source.LogSource;
import org.ghcdebug.client.eventlog.source.SocketLog;
import org.ghcdebug.protocol.eventlog.ControlMessage;
import org.ghcdebug.protocol.eventlog.EventClass;
import org.ghcdebug.repl.command.UsageException;
import picocli.CommandLine.Option;

/** The option that sends commands to the program whose log is read, and their words. */
final class EventLogControl {
  static final String WORDS =
      "census, heap=on|off, time=on|off (profiles), scheduler, gc, nonmoving, sparks, sparks-full,"
          + " user or capabilities=on|off (events), NAMESPACE:NUMBER";

  private static final Pattern SWITCH = Pattern.compile("([a-z-]+)=(on|off)");
  private static final Pattern CUSTOM = Pattern.compile("(.+):(\\d{1,3})");

  @Option(
      names = "--send",
      paramLabel = "COMMAND",
      split = ",",
      description = "Send these to the program whenever it is connected: " + WORDS + ".")
  private List<String> words = List.of();

  /**
   * The commands asked for.
   *
   * @throws UsageException when one is none, or the source takes none
   */
  List<ControlMessage> commands(LogSource source) {
    if (!words.isEmpty() && !(source instanceof SocketLog)) {
      throw new UsageException(
          "--send: %s takes no commands, only a socket does".formatted(source.name()));
    }
    return parse(words);
  }

  /**
   * @throws UsageException when a word is no command
   */
  static List<ControlMessage> parse(List<String> words) {
    List<ControlMessage> commands = new ArrayList<>();
    for (String word : words) {
      commands.add(parse(word));
    }
    return commands;
  }

  private static ControlMessage parse(String word) {
    Matcher toggle = SWITCH.matcher(word);
    if (word.equals("census")) {
      return ControlMessage.REQUEST_HEAP_CENSUS;
    }
    if (toggle.matches()) {
      boolean on = toggle.group(2).equals("on");
      switch (toggle.group(1)) {
        case "heap" -> {
          return on ? ControlMessage.START_HEAP_PROFILING : ControlMessage.STOP_HEAP_PROFILING;
        }
        case "time" -> {
          return on ? ControlMessage.START_PROFILING : ControlMessage.STOP_PROFILING;
        }
        default -> {
          for (EventClass eventClass : ControlMessage.SWITCHABLE) {
            String name = eventClass == EventClass.BASE ? "capabilities" : eventClass.label();
            if (name.equals(toggle.group(1))) {
              return ControlMessage.eventClass(eventClass, on);
            }
          }
        }
      }
    }
    Matcher custom = CUSTOM.matcher(word);
    if (custom.matches() && Integer.parseInt(custom.group(2)) <= 255) {
      try {
        return new ControlMessage(custom.group(1), Integer.parseInt(custom.group(2)));
      } catch (IllegalArgumentException e) {
        throw new UsageException("\"%s\": %s".formatted(word, e.getMessage()));
      }
    }
    throw new UsageException("\"%s\" is no command; expected %s".formatted(word, WORDS));
  }

  static void send(LiveLogs logs, LogSource source, List<ControlMessage> commands) {
    commands.forEach(command -> logs.send(source, command));
  }
}
