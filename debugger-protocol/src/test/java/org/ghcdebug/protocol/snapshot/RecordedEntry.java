package org.ghcdebug.protocol.snapshot;

import org.ghcdebug.protocol.wire.Request;
import org.ghcdebug.protocol.wire.Response;

/** A snapshot's entry as a value. */
record RecordedEntry(Request request, Response response) {}
