package org.ghcdebug.stub.heap;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A compact region that is being built (RTS {@code StgCompactNFData}, rts/storage/Closures.h).
 *
 * <pre>
 *   each block group   0   its own address
 *                      8   address of the COMPACT_NFDATA closure
 *                     16   next group, or 0
 *                     24   contents; in the first group the COMPACT_NFDATA closure first
 * </pre>
 */
public final class CompactRegion {
  private static final int GROUP_HEADER_BYTES = 24;

  private final Ref closure;
  private final List<Ref> members = new ArrayList<>();
  private final List<Region> groups = new ArrayList<>();

  CompactRegion(Ref closure) {
    this.closure = closure;
  }

  /** The COMPACT_NFDATA closure that stands for the region. */
  public Ref closure() {
    return closure;
  }

  /**
   * Puts a closure into the region instead of the ordinary heap. What it refers to must be in the
   * region too, or static.
   */
  public CompactRegion add(Ref member) {
    ClosureSpec.Area area = member.closure().area();
    if (area != ClosureSpec.Area.HEAP) {
      throw new IllegalArgumentException("the closure has a place already: " + area);
    }
    member.closure().move(ClosureSpec.Area.COMPACT);
    members.add(member);
    return this;
  }

  /** Gives all closures their addresses. */
  void place(BlockAllocator allocator, Map<ClosureSpec, Region> homes) {
    place(closure.closure(), allocator, homes);
    for (Ref member : members) {
      place(member.closure(), allocator, homes);
    }
  }

  private void place(ClosureSpec member, BlockAllocator allocator, Map<ClosureSpec, Region> homes) {
    int bytes = 8 * member.extentWords();
    if (groups.isEmpty() || !groups.getLast().hasRoomFor(bytes)) {
      Region group =
          allocator.group(
              (long) GROUP_HEADER_BYTES + bytes, BlockGroup.COMPACT | BlockGroup.EVACUATED);
      group.reserve(GROUP_HEADER_BYTES);
      groups.add(group);
    }
    member.place(groups.getLast().reserve(bytes));
    homes.put(member, groups.getLast());
  }

  /** Writes the groups' headers and the closure's fields; everything must have its address. */
  void link() {
    for (int i = 0; i < groups.size(); i++) {
      Region group = groups.get(i);
      group.putLong(group.startAddr(), group.startAddr());
      group.putLong(group.startAddr() + 8, closure.closure().address());
      group.putLong(
          group.startAddr() + 16, i + 1 < groups.size() ? groups.get(i + 1).startAddr() : 0);
    }
    Region last = groups.getLast();
    long totalWords = groups.stream().mapToLong(group -> group.lengthBytes() / 8).sum();
    List<Slot> fields = closure.closure().payload();
    fields.set(0, Slot.word(totalWords));
    fields.set(1, Slot.word(BlockAllocator.BLOCK_BYTES / 8));
    fields.set(2, Slot.word(last.startAddr() + last.usedBytes()));
    fields.set(3, Slot.word(last.startAddr() + last.lengthBytes()));
    fields.set(4, Slot.word(last.startAddr()));
    fields.set(5, Slot.word(last.startAddr()));
  }
}
