package org.ghcdebug.client.source.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ghcdebug.client.source.BlockGroup;
import org.ghcdebug.client.source.BlockSink;
import org.junit.jupiter.api.Test;

class BlockStoreTest {
  private static final long BASE = 0x4200100000L;
  private static final int BLOCK = 4096;

  private static void add(BlockStore store, long startAddr, int blocks, int fill) {
    store.begin(0, startAddr, (long) blocks * BLOCK);
    byte[] contents = new byte[blocks * BLOCK];
    Arrays.fill(contents, (byte) fill);
    store.bytes(Unpooled.wrappedBuffer(contents));
    store.end();
  }

  private static List<Long> startAddrs(BlockStore store) {
    List<Long> startAddrs = new ArrayList<>();
    store.handOut(
        new BlockSink() {
          @Override
          public void group(BlockGroup group) {
            startAddrs.add(group.startAddr());
          }

          @Override
          public void contents(MemorySegment bytes) {}
        });
    return startAddrs;
  }

  @Test
  void anAddressIsFoundToTheEndOfItsGroup() {
    try (BlockStore store = new BlockStore()) {
      add(store, BASE + 4 * BLOCK, 2, 2);
      add(store, BASE, 3, 1);
      store.seal();
      assertEquals(List.of(BASE, BASE + 4 * BLOCK), startAddrs(store));
      assertEquals(0x0101010101010101L, store.find(BASE + 2 * BLOCK).word(0));
      assertEquals(BLOCK / 8 - 1, store.find(BASE + 2 * BLOCK + 8).length());
      assertEquals(0x0202020202020202L, store.find(BASE + 6 * BLOCK - 8).word(0));
      assertNull(store.find(BASE + 3 * BLOCK));
      assertNull(store.find(BASE - 8));
      assertNull(store.find(BASE + 6 * BLOCK));
    }
  }

  @Test
  void groupsThatRepeatOverlapOrDoNotEndAreLeftOut() {
    try (BlockStore store = new BlockStore()) {
      add(store, BASE, 3, 1);
      add(store, BASE, 3, 2);
      add(store, BASE + BLOCK, 1, 3);
      add(store, BASE + 8 * BLOCK + 1, 1, 4);
      store.begin(0, BASE + 16 * BLOCK, 2 * BLOCK);
      store.bytes(Unpooled.wrappedBuffer(new byte[BLOCK]));
      store.seal();
      assertEquals(List.of(BASE), startAddrs(store));
      assertEquals(0x0101010101010101L, assertNotNullWords(store));
    }
  }

  private static long assertNotNullWords(BlockStore store) {
    assertNotNull(store.find(BASE + BLOCK));
    return store.find(BASE + BLOCK).word(0);
  }
}
