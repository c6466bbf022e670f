package org.ghcdebug.client.heap;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ghcdebug.client.source.HeapSource;
import org.ghcdebug.client.source.HeapSource.FrameAddress;
import org.ghcdebug.client.source.HeapSource.FunArguments;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.InfoTable;
import org.ghcdebug.protocol.closure.PointerBitmap;
import org.ghcdebug.protocol.decode.BcoBitmap;
import org.ghcdebug.protocol.decode.ClosureWords;
import org.ghcdebug.protocol.decode.CodeTables;
import org.ghcdebug.protocol.decode.Unresolved;
import org.ghcdebug.protocol.target.AddressList;
import org.jspecify.annotations.Nullable;

/**
 * What has been fetched of the program's code. An empty entry says that the source does not know it
 * either.
 */
final class Code implements CodeTables {
  private final HeapSource source;
  private final int headerWords;
  private final Map<Long, Optional<InfoTable>> infoTables = new HashMap<>();
  private final Map<FunArguments, Optional<PointerBitmap>> funBitmaps = new HashMap<>();
  private final Map<Long, Optional<PointerBitmap>> stackBitmaps = new HashMap<>(); // by frame
  private final Map<Long, Optional<PointerBitmap>> bcoBitmaps = new HashMap<>();

  Code(HeapSource source) {
    this.source = source;
    this.headerWords = source.target().headerWords();
  }

  @Override
  public @Nullable InfoTable infoTable(long infoAddr) {
    return known(infoTables, infoAddr);
  }

  @Override
  public @Nullable PointerBitmap funBitmap(long funAddr, int arguments) {
    return known(funBitmaps, new FunArguments(funAddr, arguments));
  }

  @Override
  public @Nullable PointerBitmap stackBitmap(long frameAddr, long infoAddr) {
    return known(stackBitmaps, frameAddr);
  }

  @Override
  public @Nullable PointerBitmap bcoBitmap(long bcoAddr) {
    return known(bcoBitmaps, bcoAddr);
  }

  private static <K, V> @Nullable V known(Map<K, Optional<V>> map, K key) {
    Optional<V> value = map.get(key);
    return value == null ? null : value.orElse(null);
  }

  /** Whether it has not been tried yet. */
  boolean canLoad(Unresolved what) {
    return switch (what) {
      case Unresolved.NoInfoTable(long infoAddr) -> !infoTables.containsKey(infoAddr);
      case Unresolved.NoFunBitmap(long funAddr, int arguments) ->
          !funBitmaps.containsKey(new FunArguments(funAddr, arguments));
      case Unresolved.NoStackBitmap frame -> !stackBitmaps.containsKey(frame.frameAddr());
      case Unresolved.NoBcoBitmap(long bcoAddr) -> !bcoBitmaps.containsKey(bcoAddr);
      case Unresolved.Malformed _ -> false;
    };
  }

  /** Fetches all of these, a batch for each kind. */
  void load(Collection<Unresolved> wanted) {
    Set<Long> infos = new LinkedHashSet<>();
    List<FunArguments> functions = new ArrayList<>();
    List<FrameAddress> frames = new ArrayList<>();
    Set<Long> bcos = new LinkedHashSet<>();
    for (Unresolved what : wanted) {
      switch (what) {
        case Unresolved.NoInfoTable(long infoAddr) -> infos.add(infoAddr);
        case Unresolved.NoFunBitmap(long funAddr, int arguments) ->
            functions.add(new FunArguments(funAddr, arguments));
        case Unresolved.NoStackBitmap frame ->
            frames.add(new FrameAddress(frame.baseAddr(), frame.offsetBytes()));
        case Unresolved.NoBcoBitmap(long bcoAddr) -> bcos.add(bcoAddr);
        case Unresolved.Malformed _ -> {}
      }
    }
    loadInfoTables(infos);
    loadFunBitmaps(functions);
    loadStackBitmaps(frames);
    loadBcoBitmaps(bcos);
  }

  /** Fetches those that have not been tried yet. */
  void loadInfoTables(Collection<Long> infoAddrs) {
    List<Long> unknown =
        infoAddrs.stream().filter(infoAddr -> !infoTables.containsKey(infoAddr)).toList();
    if (!unknown.isEmpty()) {
      putEach(infoTables, unknown, source.infoTables(addressList(unknown)));
    }
  }

  /** Only functions may be asked about; the bitmap of byte code is in its closure. */
  private void loadFunBitmaps(List<FunArguments> functions) {
    if (functions.isEmpty()) {
      return;
    }
    List<long @Nullable []> closures =
        source.closures(addressList(functions.stream().map(FunArguments::funAddr).toList()));
    loadInfoTables(
        closures.stream()
            .filter(words -> words != null)
            .map(words -> words[0])
            .distinct()
            .toList());
    List<FunArguments> askable = new ArrayList<>();
    for (int i = 0; i < functions.size(); i++) {
      FunArguments fun = functions.get(i);
      long[] words = closures.get(i);
      InfoTable info = words == null ? null : infoTable(words[0]);
      if (info != null && info.type().isFunction()) {
        askable.add(fun);
      } else {
        boolean isByteCode = info != null && info.type() == ClosureType.BCO;
        funBitmaps.put(fun, isByteCode ? bcoBitmap(words) : Optional.empty());
      }
    }
    putEach(funBitmaps, askable, source.funBitmaps(askable));
  }

  private void loadStackBitmaps(List<FrameAddress> frames) {
    if (!frames.isEmpty()) {
      putEach(
          stackBitmaps,
          frames.stream().map(FrameAddress::address).toList(),
          source.stackBitmaps(frames));
    }
  }

  private void loadBcoBitmaps(Set<Long> bcoAddrs) {
    if (bcoAddrs.isEmpty()) {
      return;
    }
    List<Long> keys = List.copyOf(bcoAddrs);
    List<long @Nullable []> closures = source.closures(addressList(keys));
    for (int i = 0; i < keys.size(); i++) {
      bcoBitmaps.put(keys.get(i), bcoBitmap(closures.get(i)));
    }
  }

  private Optional<PointerBitmap> bcoBitmap(long @Nullable [] bco) {
    return bco == null
        ? Optional.empty()
        : Optional.ofNullable(BcoBitmap.read(headerWords, ClosureWords.of(bco)));
  }

  private static <K, V> void putEach(
      Map<K, Optional<V>> known, List<K> keys, List<@Nullable V> values) {
    for (int i = 0; i < keys.size(); i++) {
      known.put(keys.get(i), Optional.ofNullable(values.get(i)));
    }
  }

  private static AddressList addressList(List<Long> addresses) {
    return AddressList.of(addresses.stream().mapToLong(Long::longValue).toArray());
  }
}
