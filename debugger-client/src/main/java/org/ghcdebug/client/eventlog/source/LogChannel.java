package org.ghcdebug.client.eventlog.source;

import java.nio.ByteBuffer;
import org.ghcdebug.protocol.eventlog.ControlMessage;

/** An open stream of eventlog bytes. Closing it from another thread ends a blocked read. */
public interface LogChannel extends AutoCloseable {
  /**
   * Reads some bytes, waiting until there are any.
   *
   * @return how many, or -1 at the end
   * @throws org.ghcdebug.protocol.error.SourceUnavailableException when the source is lost
   */
  int read(ByteBuffer target);

  @Override
  void close();

  /** A channel whose program listens to commands. */
  interface Controllable extends LogChannel {
    /**
     * Sends a command. Nothing says whether the program obeyed, but the events that follow.
     *
     * @throws org.ghcdebug.protocol.error.SourceUnavailableException when the source is lost
     */
    void send(ControlMessage message);
  }
}
