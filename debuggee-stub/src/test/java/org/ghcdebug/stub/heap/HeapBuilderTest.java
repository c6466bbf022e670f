package org.ghcdebug.stub.heap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.ghcdebug.protocol.closure.ClosureType;
import org.ghcdebug.protocol.closure.Edge;
import org.ghcdebug.protocol.closure.EdgeKind;
import org.ghcdebug.protocol.target.AddressList;
import org.ghcdebug.protocol.target.GhcVersion;
import org.ghcdebug.protocol.target.ProfilingMode;
import org.ghcdebug.protocol.target.Target;
import org.ghcdebug.protocol.wire.Response;
import org.junit.jupiter.api.Test;

class HeapBuilderTest {
  private static final Target VANILLA = new Target(new GhcVersion(906, 6), ProfilingMode.VANILLA);
  private static final Target PROFILED =
      new Target(new GhcVersion(910, 3), ProfilingMode.BIOGRAPHY);

  private final HeapBuilder builder = new HeapBuilder(VANILLA);
  private final Code box = builder.constructor("main:Main.Box", 1, 1, 0);

  @Test
  void aCycleIsMadeByDeclaringAReferenceFirst() {
    Ref self = builder.declare();
    Ref cell = builder.define(self, builder.constr(box, self, Slot.word(5)));
    BuiltHeap heap = builder.build();
    long pointer = heap.pointer(cell);
    assertArrayEquals(new long[] {box.infoAddr(), pointer, 5}, heap.closure(pointer));
    assertEquals(List.of(new Edge(EdgeKind.PAYLOAD, 0, pointer)), heap.built(cell).edges());
  }

  @Test
  void pointersCarryTheTagOfWhatTheyPointTo() {
    Code seventh = builder.constructor("main:Main.Seventh", 0, 1, 6);
    Code twentieth = builder.constructor("main:Main.Twentieth", 0, 1, 19);
    Ref binary = builder.staticFunction(builder.topLevelFunction("PN", 0));
    Ref thunk = builder.thunk(builder.thunk(0, 1), Slot.word(1));
    Ref first = builder.constr(box, thunk, Slot.word(0));
    Ref last = builder.constr(twentieth, Slot.word(0));
    Ref nearlyLast = builder.constr(seventh, Slot.word(0));
    BuiltHeap heap = builder.build();
    assertEquals(0, heap.pointer(thunk) & 7);
    assertEquals(1, heap.pointer(first) & 7);
    assertEquals(7, heap.pointer(nearlyLast) & 7);
    assertEquals(7, heap.pointer(last) & 7);
    assertEquals(2, heap.pointer(binary) & 7);
    assertEquals(0, heap.pointer(binary.untagged()) & 7);
  }

  @Test
  void smallPayloadsHaveClosureTypesOfTheirOwn() {
    for (int pointers = 0; pointers < 4; pointers++) {
      for (int words = pointers == 0 ? 1 : 0; words < 7; words++) {
        String suffix = pointers + words < 3 ? "_" + pointers + "_" + words : "";
        assertEquals("THUNK" + suffix, builder.thunk(pointers, words).type().name());
        assertEquals("FUN" + suffix, builder.function("P", pointers, words).type().name());
        assertEquals("CONSTR" + suffix, builder.constructor("C", pointers, words, 0).type().name());
      }
    }
  }

  @Test
  void aNullaryConstructorIsStaticAndSeemsToHaveAWord() {
    Ref nothing = builder.staticConstr(builder.constructor("base:GHC.Maybe.Nothing", 0, 0, 0));
    BuiltHeap heap = builder.build();
    assertEquals(2, heap.built(nothing).sizeWords());
    assertEquals(ClosureType.CONSTR_0_1, heap.built(nothing).code().type());
    assertNull(heap.block(heap.pointer(nothing)));
  }

  @Test
  void largeObjectsAreAloneInTheirGroups() {
    Ref small = builder.byteArray(new byte[8 * 406]); // 408 words
    Ref large = builder.byteArray(new byte[8 * 407]);
    Ref pinned = builder.pinnedByteArray(new byte[10]);
    Ref largePinned = builder.pinnedByteArray(new byte[5000]);
    BuiltHeap heap = builder.build();
    assertEquals(BlockGroup.EVACUATED, groupOf(heap, small).flags());
    assertEquals(BlockGroup.LARGE | BlockGroup.EVACUATED, groupOf(heap, large).flags());
    assertEquals(4096, groupOf(heap, large).lengthBytes());
    assertEquals(BlockGroup.PINNED, groupOf(heap, pinned).flags());
    assertEquals(BlockGroup.LARGE | BlockGroup.PINNED, groupOf(heap, largePinned).flags());
    assertEquals(8192, groupOf(heap, largePinned).lengthBytes());
  }

  @Test
  void aGroupBeyondAMegablockTakesWholeMegablocks() {
    Ref before = builder.constr(box, builder.rtsConstant("NO_TREC"), Slot.word(0));
    Ref huge = builder.byteArray(new byte[3 << 20]);
    Ref after = builder.byteArray(new byte[8 * 407]);
    BuiltHeap heap = builder.build();
    BlockGroup group = groupOf(heap, huge);
    assertEquals((252 + 3 * 256) * 4096, group.lengthBytes());
    assertEquals(4 * 4096, group.startAddr() & 0xFFFFF);
    assertTrue(groupOf(heap, before).startAddr() < group.startAddr());
    assertEquals(
        group.startAddr() + group.lengthBytes() + 4 * 4096, groupOf(heap, after).startAddr());
    assertEquals(group, heap.block(group.startAddr() + group.lengthBytes() - 1));
  }

  @Test
  void aCompactRegionChainsItsGroups() {
    CompactRegion region = builder.compactRegion();
    Ref member = builder.rtsConstant("END");
    for (int i = 0; i < 1000; i++) {
      member = builder.constr(box, member, Slot.word(i));
      region.add(member);
    }
    BuiltHeap heap = builder.build();
    BlockGroup first = groupOf(heap, region.closure());
    assertEquals(BlockGroup.COMPACT | BlockGroup.EVACUATED, first.flags());
    assertEquals(first.startAddr() + 24, heap.built(region.closure()).address().address());
    int groups = 0;
    long next = first.startAddr();
    while (next != 0) {
      long[] header = heap.block(next).words(next, 3);
      assertEquals(next, header[0]);
      assertEquals(first.startAddr() + 24, header[1]);
      next = header[2];
      groups++;
    }
    assertEquals(6, groups); // 24,000 bytes in blocks that hold 4,072
    assertEquals(6 * 512, heap.closure(heap.pointer(region.closure()))[1]);
    assertThrows(IllegalArgumentException.class, () -> region.add(builder.rtsConstant("NO_TREC")));
  }

  @Test
  void profiledClosuresNameTheirCostCentreStack() {
    var profiled = new HeapBuilder(PROFILED);
    var stack =
        profiled.costCentreStack(
            profiled.mainCostCentreStack(), "work", "Main", "Main.hs:3:1-9", false);
    profiled.attributeTo(stack);
    Ref array = profiled.byteArray();
    BuiltHeap heap = profiled.build();
    assertArrayEquals(
        new long[] {heap.built(array).code().infoAddr(), stack.address(), 0x4000_0000, 0},
        heap.closure(heap.pointer(array)));
    Response.Ccs ccs = heap.costCentreStack(stack.address());
    assertEquals("work", heap.costCentre(ccs.costCentreAddr()).label());
    assertEquals(heap.mainCostCentreStack().root().address(), ccs.previousAddr());
    Response.Ccs main = heap.costCentreStack(ccs.previousAddr());
    assertEquals(stack.address(), heap.indexTable(main.indexTableAddr()).ccsAddr());
    assertNull(new HeapBuilder(VANILLA).build().mainCostCentreStack());
  }

  @Test
  void threadsAreTheFirstRoots() {
    Ref box1 = builder.constr(box, builder.rtsConstant("NO_TREC"), Slot.word(0));
    Ref thread = builder.thread(builder.stack(0, builder.stopFrame()), "worker");
    builder.root(box1);
    BuiltHeap heap = builder.build();
    assertEquals(AddressList.of(heap.pointer(thread), heap.pointer(box1)), heap.roots());
  }

  @Test
  void whatAWeakPointerHoldsLivesThroughItsKey() {
    Ref end = builder.rtsConstant("END");
    Ref key = builder.constr(box, end, Slot.word(1));
    Ref value = builder.constr(box, end, Slot.word(2));
    Ref lostKey = builder.constr(box, end, Slot.word(3));
    Ref lostValue = builder.constr(box, end, Slot.word(4));
    builder.weak(key, value, null, null);
    Ref rootedWeak = builder.weak(lostKey, lostValue, null, null);
    builder.root(key).root(rootedWeak);
    BuiltHeap heap = builder.build();
    List<BuiltClosure> live = heap.liveClosures();
    assertTrue(live.contains(heap.built(value)));
    assertTrue(!live.contains(heap.built(lostKey)));
    assertTrue(!live.contains(heap.built(lostValue)));
    assertEquals(
        new BuiltHeap.Total(2, 48),
        BuiltHeap.totals(live, BuiltClosure::name).get("main:Main.Box"));
  }

  @Test
  void countsAndBytesAddUp() {
    builder.byteArray(new byte[9]);
    builder.byteArray();
    assertEquals(
        Map.of("ARR_WORDS", new BuiltHeap.Total(2, 48)),
        BuiltHeap.totals(builder.build().allClosures(), BuiltClosure::name));
  }

  @Test
  void nothingIsFoundWhereNothingWasBuilt() {
    Ref array = builder.byteArray(new byte[64]);
    BuiltHeap heap = builder.build();
    assertNull(heap.closure(heap.pointer(array) + 8));
    assertNull(heap.infoTable(box.infoAddr() + 1));
    assertNull(heap.funBitmap(heap.pointer(array), 1));
    assertNull(heap.constructorDescription(heap.built(array).code().infoAddr()));
    assertThrows(IllegalArgumentException.class, () -> heap.built(0));
  }

  @Test
  void mistakesAreRefused() {
    Ref array = builder.byteArray();
    assertThrows(IllegalArgumentException.class, () -> builder.constr(box, array));
    assertThrows(IllegalArgumentException.class, () -> builder.constr(box, Slot.word(0), array));
    assertThrows(IllegalArgumentException.class, () -> builder.thunk(box, array, Slot.word(0)));
    assertThrows(IllegalArgumentException.class, () -> builder.pap(array, array));
    assertThrows(IllegalArgumentException.class, () -> builder.annotationFrame(array));
    Ref declared = builder.declare();
    builder.root(declared);
    assertThrows(IllegalStateException.class, builder::build);
    builder.define(declared, array);
    assertThrows(IllegalStateException.class, () -> builder.define(declared, array));
  }

  private static BlockGroup groupOf(BuiltHeap heap, Ref closure) {
    return heap.block(heap.pointer(closure));
  }
}
