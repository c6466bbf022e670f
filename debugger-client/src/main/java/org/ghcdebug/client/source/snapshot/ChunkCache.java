package org.ghcdebug.client.source.snapshot;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.snapshot.Chunk;
import org.ghcdebug.protocol.snapshot.ChunkFile;
import org.ghcdebug.protocol.snapshot.DamageSink;

/**
 * The payloads read last, up to {@value #MAX_BYTES} bytes of them, and the damage met so far. Not
 * thread-safe.
 */
final class ChunkCache implements DamageSink {
  private static final long MAX_BYTES = 64 << 20;

  private final ChunkFile file;
  private final Map<Long, byte[]> payloads = new LinkedHashMap<>(16, 0.75f, true); // by place
  private long bytes;
  private final Map<Long, MalformedDataException> damages = new TreeMap<>(); // by place
  private long damagedBytes;

  ChunkCache(ChunkFile file) {
    this.file = file;
  }

  /**
   * The payload of a chunk, not to be changed.
   *
   * @throws MalformedDataException when it is damaged
   */
  byte[] read(Chunk chunk) {
    byte[] known = payloads.get(chunk.offsetBytes());
    if (known != null) {
      return known;
    }
    byte[] payload;
    try {
      payload = file.read(chunk);
    } catch (MalformedDataException damage) {
      chunk(chunk, damage);
      throw damage;
    }
    payloads.put(chunk.offsetBytes(), payload);
    bytes += payload.length;
    var eldest = payloads.values().iterator();
    while (bytes > MAX_BYTES) {
      bytes -= eldest.next().length;
      eldest.remove();
    }
    return payload;
  }

  /** The payload of a chunk; zeros when it is damaged. */
  byte[] readOrZeros(Chunk chunk) {
    try {
      return read(chunk);
    } catch (MalformedDataException noted) {
      return new byte[chunk.rawBytes()];
    }
  }

  @Override
  public void chunk(Chunk chunk, MalformedDataException damage) {
    if (damages.putIfAbsent(chunk.offsetBytes(), damage) == null) {
      damagedBytes += chunk.rawBytes();
    }
  }

  /** Damaged chunks met so far. */
  int damagedChunks() {
    return damages.size();
  }

  /** Their payloads' bytes. */
  long damagedBytes() {
    return damagedBytes;
  }

  /** The first of them in the file; call only when there is one. */
  MalformedDataException firstDamage() {
    return damages.values().iterator().next();
  }
}
