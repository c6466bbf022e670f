package org.ghcdebug.client.source.socket;

import org.ghcdebug.protocol.error.SourceUnavailableException;
import org.ghcdebug.protocol.extension.ExtensionRequest;
import org.ghcdebug.protocol.extension.Hello;
import org.ghcdebug.protocol.wire.PayloadBuffer;
import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;
import org.ghcdebug.protocol.wire.ResponseDecoder;
import org.ghcdebug.protocol.wire.Status;
import org.jspecify.annotations.Nullable;

/**
 * The first words of a connection: AUTH if there is a token, HELLO, and VERSION right behind them.
 * A debuggee without extensions leaves out the answers to the first two, in silence.
 *
 * @param hello {@code null} for a debuggee without extensions
 */
record Greeting(Response.Version version, @Nullable Hello hello) {
  private static final String CLIENT = "ghc-debug for the JVM";

  /**
   * @param token for a debuggee that listens by TCP, {@code null} for none
   * @throws SourceUnavailableException when the debuggee wants a token, or another one
   */
  static Greeting exchange(Connection connection, String description, @Nullable String token) {
    Request version = new Request.Version();
    PayloadBuffer payload = new PayloadBuffer(description);
    if (token != null) {
      connection.send(new ExtensionRequest.Auth(token));
      read(connection, description, payload);
    }
    connection.send(new ExtensionRequest.Greeting(CLIENT), version);
    Status status = read(connection, description, payload);
    Hello hello = null;
    if (status == Status.OKAY && Hello.recognizes(payload.bytes())) {
      hello = Hello.decode(payload.bytes());
      status = read(connection, description, payload);
    } else if (status == Status.BAD_COMMAND) {
      status = read(connection, description, payload);
    } else {
      connection.forgetOldest();
    }
    Response answer = ResponseDecoder.decode(version, status, payload.bytes());
    if (answer instanceof Response.Refused refused) {
      throw refused.toException(version);
    }
    return new Greeting((Response.Version) answer, hello);
  }

  private static Status read(Connection connection, String description, PayloadBuffer payload) {
    payload.clear();
    Status status = connection.readResponse(payload, true);
    if (status == Status.UNAUTHORIZED) {
      throw new SourceUnavailableException(
          description,
          "the debuggee wants the token it was started with: set GHC_DEBUG_TOKEN, or give"
              + " --token-file"
              + (connection.reason().isEmpty() ? "" : " (" + connection.reason() + ")"));
    }
    return status;
  }
}
