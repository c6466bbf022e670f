package org.ghcdebug.client.source.socket;

import java.nio.file.Path;
import java.time.Duration;

/** A client process that pauses a program and then does nothing, until it is killed. */
final class HoldingClient {
  private HoldingClient() {}

  /** Arguments: the socket; then {@code exit} to end by itself with the program still paused. */
  public static void main(String[] arguments) throws InterruptedException {
    SocketSource source = SocketSource.connect(Path.of(arguments[0]), Duration.ofSeconds(30));
    source.pause();
    System.out.println("paused");
    if (arguments.length > 1) {
      System.exit(0);
    }
    Thread.sleep(Duration.ofMinutes(5));
  }
}
