package org.ghcdebug.stub.server;

import java.time.Duration;

/** A way in which a debuggee can fail a client, to be {@linkplain StubServer#inject injected}. */
public sealed interface Fault {
  /**
   * The connection ends in the middle of a response.
   *
   * @param afterBytes bytes of the response that are still sent, frame headers counted
   */
  record Disconnect(long afterBytes) implements Fault {}

  /**
   * Nothing more is sent on the connection, and nothing more answered, until the client ends it. As
   * a fault of PAUSE with 0 bytes it is a program that cannot be paused.
   *
   * @param afterBytes bytes of the response that are still sent, frame headers counted
   */
  record Stall(long afterBytes) implements Fault {}

  /**
   * The response arrives whole, a byte at a time.
   *
   * @param pause between two bytes; zero just sends each in its own write
   */
  record Dribble(Duration pause) implements Fault {}

  /**
   * The last frame's header states a wrong length, so that what follows is out of step.
   *
   * @param differenceBytes what is added to the true length
   */
  record WrongLength(int differenceBytes) implements Fault {}

  /**
   * The frames are in order, yet the payload ends too early.
   *
   * @param missingBytes what is cut off the last frame's body, at most all of it
   */
  record ShortPayload(int missingBytes) implements Fault {}
}
