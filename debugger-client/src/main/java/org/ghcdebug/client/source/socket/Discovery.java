package org.ghcdebug.client.source.socket;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ghcdebug.protocol.error.DebuggerException;
import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.error.TimeLimitException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the sockets that instrumented programs listen on.
 *
 * <p>A program that names no path itself listens on {@code
 * <data>/ghc-debug/debuggee/sockets/<pid>-<program>}, where {@code <data>} is {@code
 * $XDG_DATA_HOME} if that is an absolute path, else {@code $HOME/.local/share}.
 */
public final class Discovery {
  private static final Pattern FILE_NAME = Pattern.compile("([1-9][0-9]{0,17})-(.+)");

  private Discovery() {}

  /**
   * The folder that programs started with these environment variables use. No I/O.
   *
   * @return empty when neither variable names one
   */
  public static Optional<Path> findFolder(Map<String, String> environment) {
    return absolutePath(environment.get("XDG_DATA_HOME"))
        .or(() -> absolutePath(environment.get("HOME")).map(home -> home.resolve(".local/share")))
        .map(data -> data.resolve("ghc-debug/debuggee/sockets"));
  }

  private static Optional<Path> absolutePath(@Nullable String text) {
    return Optional.ofNullable(text).map(Path::of).filter(Path::isAbsolute);
  }

  /**
   * The sockets in a folder, by process id; a folder that does not exist has none.
   *
   * <p>Each is tested by connecting and closing without a request, which a debuggee takes for a
   * client that left. One that does not accept in time has a full queue of clients and is live.
   *
   * @param timeout how long to wait for each
   * @throws SourceUnavailableException when the folder cannot be read
   */
  public static List<DebuggeeSocket> list(Path folder, Duration timeout) {
    var sockets = new ArrayList<DebuggeeSocket>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Matcher name = FILE_NAME.matcher(file.getFileName().toString());
        if (name.matches() && !Files.isRegularFile(file) && !Files.isDirectory(file)) {
          long pid = Long.parseLong(name.group(1));
          sockets.add(new DebuggeeSocket(file, pid, name.group(2), accepts(file, timeout)));
        }
      }
    } catch (NoSuchFileException noneYet) {
      return List.of();
    } catch (IOException e) {
      throw new SourceUnavailableException(folder.toString(), "cannot list: " + e.getMessage(), e);
    }
    sockets.sort(Comparator.comparingLong(DebuggeeSocket::pid));
    return List.copyOf(sockets);
  }

  private static boolean accepts(Path socket, Duration timeout) {
    try {
      Dialer.unix(socket, timeout).close();
      return true;
    } catch (TimeLimitException fullQueue) {
      return true;
    } catch (DebuggerException | IOException stale) {
      return false;
    }
  }
}
