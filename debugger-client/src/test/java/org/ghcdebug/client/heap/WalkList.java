package org.ghcdebug.client.heap;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.ghcdebug.client.source.BlockCache;
import org.ghcdebug.client.source.BlockLookup;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.PrefetchCache;
import org.ghcdebug.client.source.ReachableLookup;
import org.ghcdebug.client.source.socket.SocketSource;
import org.ghcdebug.protocol.closure.Closure;

/**
 * Walks the saved list of a program from its first to its last cell while the program is paused,
 * and prints {@code key=value} lines: cells, their sum, and the round trips it took. The second
 * argument is {@code blocks} or {@code extensions}.
 */
public final class WalkList {
  private static final Set<String> FREE =
      Set.of("target", "description", "close", "servesReachable");

  private WalkList() {}

  private interface Source extends HeapSource, BlockLookup, ReachableLookup {}

  public static void main(String[] arguments) {
    long[] roundTrips = {0};
    try (SocketSource socket =
        SocketSource.connect(Path.of(arguments[0]), Duration.ofSeconds(60))) {
      socket.pause();
      Source counted = counting(socket, roundTrips);
      boolean usesExtensions = arguments[1].equals("extensions");
      Heap heap = new Heap(usesExtensions ? PrefetchCache.over(counted) : BlockCache.over(counted));
      ClosureHandle cell = heap.handle(heap.savedObjects().get(0)).value();
      long cells = 0;
      long sum = 0;
      while (cell.closure() instanceof Closure.Constr cons && cons.pointers().size() == 2) {
        sum += ((Closure.Constr) cell.child(0).closure()).nonPointers().get(0);
        cells++;
        cell = cell.child(1).value();
      }
      System.out.println("cells=" + cells);
      System.out.println("sum=" + sum);
      System.out.println("roundTrips=" + roundTrips[0]);
    }
  }

  /** Each call is one round trip at least, and no more for lists this short. */
  private static Source counting(SocketSource socket, long[] roundTrips) {
    return (Source)
        Proxy.newProxyInstance(
            WalkList.class.getClassLoader(),
            new Class<?>[] {Source.class},
            (_, method, arguments) -> {
              if (!FREE.contains(method.getName())) {
                roundTrips[0]++;
              }
              try {
                return method.invoke(socket, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
