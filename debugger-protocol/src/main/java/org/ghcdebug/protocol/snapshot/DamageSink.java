package org.ghcdebug.protocol.snapshot;

import org.ghcdebug.protocol.error.MalformedDataException;

/** Told of chunks that cannot be read, so that the others can be read all the same. */
public interface DamageSink {
  /** A chunk whose payload, or what is left of it, is missing. */
  void chunk(Chunk chunk, MalformedDataException damage);
}
