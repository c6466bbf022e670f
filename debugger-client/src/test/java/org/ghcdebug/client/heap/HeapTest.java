package org.ghcdebug.client.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ghcdebug.client.testing.StubHeapSource;
import org.ghcdebug.protocol.closure.Closure;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.error.MalformedDataException;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.stub.heap.BuiltClosure;
import org.ghcdebug.stub.heap.BuiltHeap;
import org.ghcdebug.stub.heap.Code;
import org.ghcdebug.stub.heap.HaskellValues;
import org.ghcdebug.stub.heap.HeapBuilder;
import org.ghcdebug.stub.heap.RandomHeap;
import org.ghcdebug.stub.heap.Ref;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HeapTest {
  private final HeapBuilder builder =
      new HeapBuilder(new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA));
  private final HaskellValues values = new HaskellValues(builder);

  private static Heap heap(BuiltHeap built) {
    return new Heap(new StubHeapSource(built));
  }

  @ParameterizedTest
  @EnumSource(
      value = ProfilingMode.class,
      names = {"VANILLA", "PROFILED"})
  void everyReachableClosureIsUnderstoodInBatches(ProfilingMode way) {
    BuiltHeap built = RandomHeap.of(new Target(new GhcVersion(910, 3), way), 11, 2000);
    Heap heap = heap(built);
    Set<Long> seen = new HashSet<>();
    AddressList level = concat(heap.roots(), heap.savedObjects());
    for (long addr : level.toArray()) {
      seen.add(addr);
    }
    while (!level.isEmpty()) {
      List<Long> next = new ArrayList<>();
      for (Closure closure : heap.closures(level)) {
        assertFalse(closure instanceof Closure.Unknown, () -> closure.toString());
        assertEquals(built.closure(closure.address().address()).length, (int) closure.sizeWords());
        for (Edge edge : heap.references(closure)) {
          long addr = edge.target().address();
          if (addr != 0 && seen.add(addr)) {
            next.add(addr);
          }
        }
      }
      level = AddressList.of(next.stream().mapToLong(Long::longValue).toArray());
    }
    for (BuiltClosure live : built.liveClosures()) {
      assertTrue(seen.contains(live.address().address()), live::toString);
    }
  }

  private static AddressList concat(AddressList first, AddressList second) {
    long[] all = Arrays.copyOf(first.toArray(), first.size() + second.size());
    System.arraycopy(second.toArray(), 0, all, first.size(), second.size());
    return AddressList.of(all);
  }

  @Test
  void aListKeepsItsOrderAndItsGaps() {
    Ref one = values.integral(1000);
    Ref two = values.just(one);
    builder.save(two);
    BuiltHeap built = builder.build();
    Heap heap = heap(built);
    List<Closure> closures =
        heap.closures(
            AddressList.of(built.pointer(two), 64, built.pointer(one), built.pointer(two)));
    assertEquals("GHC.Maybe.Just", heap.displayName(closures.get(0)));
    assertNull(closures.get(1));
    assertEquals("GHC.Types.I#", heap.displayName(closures.get(2)));
    assertEquals(closures.get(0), closures.get(3));
  }

  @Test
  void whatIsNotAClosureIsMalformed() {
    builder.save(values.unit());
    Heap heap = heap(builder.build());
    assertThrows(MalformedDataException.class, () -> heap.closure(0x1234_0000L));
    assertThrows(MalformedDataException.class, () -> heap.infoTable(0x1234_0000L));
  }

  @Test
  void indirectionsAreFollowedToTheirEnd() {
    Ref value = values.just(values.integral(1));
    Ref chain = value;
    for (int i = 0; i < 20; i++) {
      chain = i % 2 == 0 ? builder.ind(chain) : builder.blackHole(value, 1);
    }
    Ref thread = builder.thread(builder.stack(0, builder.stopFrame()), null);
    Ref running = builder.blackHole(thread, 1);
    Ref queue = builder.rtsConstant("END_TSO_QUEUE");
    Ref awaited = builder.declare();
    builder.define(
        awaited, builder.blackHole(builder.blockingQueue(queue, awaited, thread, queue), 0));
    Ref cycle = builder.declare();
    builder.define(cycle, builder.ind(builder.ind(cycle)));
    List.of(chain, running, awaited, cycle).forEach(builder::save);
    BuiltHeap built = builder.build();
    Heap heap = heap(built);
    assertEquals(built.pointer(value), heap.resolve(built.pointer(chain)));
    assertEquals(built.pointer(running), heap.resolve(built.pointer(running)));
    AddressList resolved =
        heap.resolve(
            AddressList.of(
                built.pointer(awaited), built.pointer(chain), built.pointer(cycle), 0, 8));
    assertEquals(built.pointer(awaited), resolved.get(0));
    assertEquals(built.pointer(value), resolved.get(1));
    assertInstanceOf(Closure.Ind.class, heap.closure(resolved.get(2)));
    assertEquals(0, resolved.get(3));
    assertEquals(8, resolved.get(4));
  }

  @Test
  void codeIsCalledByWhereItComesFrom() {
    Code located = builder.thunk(1, 0).withSource("Int", "main.go", "Main", "Main.hs:3:1-9");
    Ref known = builder.thunk(located, values.unit());
    Ref unknown = builder.thunk(builder.thunk(1, 0), values.unit());
    builder.save(known).save(unknown);
    BuiltHeap built = builder.build();
    Heap heap = heap(built);
    Closure thunk = heap.closure(built.pointer(known));
    assertEquals("Main.main.go (Main.hs:3:1-9)", heap.displayName(thunk));
    assertEquals("Main.main.go", heap.findCodeName(thunk.info()).orElseThrow());
    assertEquals("THUNK_1_0", heap.displayName(heap.closure(built.pointer(unknown))));
  }

  @Test
  void staticClosuresAreToldByTheirAddress() {
    Ref isStatic = values.integral(1);
    Ref onHeap = values.integral(1000);
    builder.save(isStatic).save(onHeap);
    BuiltHeap built = builder.build();
    Heap heap = heap(built);
    assertTrue(Heap.isStatic(heap.closure(built.pointer(isStatic))));
    assertFalse(Heap.isStatic(heap.closure(built.pointer(onHeap))));
  }

  @Test
  void aBatchLargerThanTheCacheIsStillAnswered() {
    List<Ref> arrays =
        Collections.nCopies(9, new byte[8 << 20]).stream().map(builder::byteArray).toList();
    arrays.forEach(builder::save);
    BuiltHeap built = builder.build();
    Heap heap = heap(built);
    AddressList pointers = AddressList.of(arrays.stream().mapToLong(built::pointer).toArray());
    for (int round = 0; round < 2; round++) {
      heap.closures(pointers).forEach(closure -> assertEquals((1 << 20) + 2, closure.sizeWords()));
    }
  }
}
