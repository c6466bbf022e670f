package org.ghcdebug.client.debuggee;

import java.nio.file.Files;
import java.nio.file.Path;

/** A target as a user names it; how it is written is in {@link #parse}. Parsing opens nothing. */
public sealed interface TargetSpec {
  /** A Unix socket, or a snapshot file: told apart by what is there when it is opened. */
  record AtPath(Path path) implements TargetSpec {
    @Override
    public String toString() {
      return path.toString();
    }
  }

  /** A debuggee that listens on TCP. */
  record Tcp(String host, int port) implements TargetSpec {
    @Override
    public String toString() {
      return "tcp://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /** A debuggee in the discovery folder, by process id. */
  record Pid(long pid) implements TargetSpec {
    @Override
    public String toString() {
      return "pid:" + pid;
    }
  }

  /** A debuggee in the discovery folder, by program name. */
  record ProgramName(String name) implements TargetSpec {
    @Override
    public String toString() {
      return name;
    }
  }

  /** The recorded heap that comes with the command line. */
  record Demo() implements TargetSpec {
    @Override
    public String toString() {
      return "demo";
    }
  }

  /**
   * Reads the notation: {@code tcp://HOST:PORT} (an IPv6 address in brackets), {@code pid:N},
   * {@code demo}; what contains a {@code /} or names an existing file is a path; everything else is
   * a program name.
   *
   * @throws IllegalArgumentException saying what is wrong and what was expected
   */
  static TargetSpec parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "empty target; expected a socket or snapshot path, tcp://HOST:PORT, pid:N, a program name"
              + " or demo");
    }
    if (text.startsWith("tcp://")) {
      return parseTcp(text);
    }
    if (text.startsWith("pid:")) {
      try {
        return new Pid(Long.parseUnsignedLong(text.substring(4)));
      } catch (NumberFormatException notNumber) {
        throw new IllegalArgumentException(
            "target " + text + ": expected a process id, for instance pid:1234", notNumber);
      }
    }
    if (text.startsWith("core:")) {
      throw new IllegalArgumentException(
          "target " + text + ": core dumps are not supported yet; attach to the running program");
    }
    if (text.equals("demo")) {
      return new Demo();
    }
    Path path = Path.of(text);
    return text.contains("/") || Files.exists(path) ? new AtPath(path) : new ProgramName(text);
  }

  private static TargetSpec parseTcp(String text) {
    String rest = text.substring("tcp://".length());
    int colon = rest.lastIndexOf(':');
    String host = colon < 0 ? "" : rest.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      int port = Integer.parseInt(rest.substring(colon + 1));
      if (!host.isEmpty() && port > 0 && port <= 0xFFFF) {
        return new Tcp(host, port);
      }
    } catch (NumberFormatException notNumber) {
      // Reported below, like a missing host.
    }
    throw new IllegalArgumentException(
        "target " + text + ": expected tcp://HOST:PORT, for instance tcp://127.0.0.1:4711");
  }
}
