package org.ghcdebug.client.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ghcdebug.client.collections.LongList;
import org.ghcdebug.protocol.extension.ExtensionAnswers.ReachableClosure;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.Target;
import org.jspecify.annotations.Nullable;

/**
 * Reads closures together with what can be reached from them, and keeps those used last.
 *
 * <p>Who asks for a closure mostly asks next for what it refers to, wherever that lies. An answer
 * begins small, so that a single closure costs little on a slow connection, and doubles with every
 * call that has to ask again. A call that asks for many closures at once is passed on as it is.
 *
 * <p>Memory: at most {@value #MAX_CACHED_BYTES} bytes. Good for one standstill of the program. Not
 * thread-safe.
 */
public final class PrefetchCache extends ForwardingSource {
  private static final int MAX_CACHED_BYTES = 12 << 20;
  private static final int MAX_ASKED = 1000;
  private static final long FIRST_ANSWER_BYTES = 16 << 10;
  private static final long MAX_ANSWER_BYTES = 512 << 10;

  /** Of a closure besides its words: the array's header, the map's entry and key. */
  private static final int OVERHEAD_BYTES = 96;

  private final ReachableLookup lookup;
  private final LinkedHashMap<Long, long[]> cache = new LinkedHashMap<>(256, 0.75f, true);
  private long cachedBytes;
  private long answerBytes = FIRST_ANSWER_BYTES;

  private PrefetchCache(HeapSource source, ReachableLookup lookup) {
    super(source);
    this.lookup = lookup;
  }

  /**
   * The source behind the best cache that it serves: this one, a {@link BlockCache}, or none. No
   * I/O.
   */
  public static HeapSource over(HeapSource source) {
    return source instanceof ReachableLookup lookup && lookup.servesReachable()
        ? new PrefetchCache(source, lookup)
        : BlockCache.over(source);
  }

  @Override
  public List<long @Nullable []> closures(AddressList addresses) {
    Map<Long, long[]> found = new HashMap<>();
    LongList missing = new LongList();
    for (int i = 0; i < addresses.size(); i++) {
      long addr = Target.untag(addresses.get(i));
      long[] words = cache.get(addr);
      if (words == null) {
        missing.add(addr);
      } else {
        found.put(addr, words);
      }
    }
    if (missing.size() > MAX_ASKED) {
      return source.closures(addresses);
    }
    if (!missing.isEmpty()) {
      fetch(AddressList.of(missing.toArray()), found);
    }
    List<long @Nullable []> closures = new ArrayList<>(addresses.size());
    for (int i = 0; i < addresses.size(); i++) {
      long[] words = found.get(Target.untag(addresses.get(i)));
      closures.add(words == null ? null : words.clone());
    }
    return closures;
  }

  private void fetch(AddressList missing, Map<Long, long[]> found) {
    List<ReachableClosure> answer = lookup.reachable(missing, answerBytes);
    answerBytes = Math.min(2 * answerBytes, MAX_ANSWER_BYTES);
    for (int i = 0; i < answer.size(); i++) {
      ReachableClosure closure = answer.get(i);
      if (closure.words().length > 0) {
        if (i < missing.size()) {
          found.put(closure.address(), closure.words());
        }
        if (cache.put(closure.address(), closure.words()) == null) {
          cachedBytes += costBytes(closure.words());
        }
      }
    }
    Iterator<long[]> eldest = cache.values().iterator();
    while (cachedBytes > MAX_CACHED_BYTES) {
      cachedBytes -= costBytes(eldest.next());
      eldest.remove();
    }
  }

  private static long costBytes(long[] words) {
    return OVERHEAD_BYTES + (long) words.length * Long.BYTES;
  }
}
