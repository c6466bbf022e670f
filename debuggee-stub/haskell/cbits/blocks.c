#include "blocks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "pause.h"
#include "rts.h"

/* Which blocks of a megablock begin a group that was found. A table of these,
 * by hash of the address, says what was seen: RTS lists can run into each other
 * (the pinned block's stale link leads into the nursery). It is much smaller than
 * the groups, of which the memory is touched once, when their number is known. */
struct megablock {
  uint64_t address; /* 0: free */
  uint64_t heads[MBLOCK_SIZE / BLOCK_SIZE / 64];
};

static struct {
  struct megablock *slots;
  size_t size; /* a power of two */
  size_t used;
  size_t groups;
  bool out_of_memory;
} found; /* while listing */

static struct ghcdbg_group *groups; /* sorted */
static size_t count;
static atomic_bool complete;
static uint64_t listings; /* how many have been forgotten; changes without holds only */
static pthread_mutex_t listing = PTHREAD_MUTEX_INITIALIZER; /* guards all of it until complete */
static __thread struct {
  const struct ghcdbg_group *group; /* the next address is often near */
  uint64_t listing;                 /* in which it was found */
} last_found;

static struct megablock *slot_of(struct megablock *slots, size_t size, uint64_t address) {
  size_t slot = (address / MBLOCK_SIZE * 0x9E3779B97F4A7C15u >> 20) & (size - 1);
  while (slots[slot].address != 0 && slots[slot].address != address) {
    slot = (slot + 1) & (size - 1);
  }
  return &slots[slot];
}

static bool grow(void) {
  const size_t bigger = found.size == 0 ? 256 : 2 * found.size;
  struct megablock *slots = calloc(bigger, sizeof *slots);
  if (slots == NULL) {
    return false;
  }
  for (size_t i = 0; i < found.size; i++) {
    if (found.slots[i].address != 0) {
      *slot_of(slots, bigger, found.slots[i].address) = found.slots[i];
    }
  }
  free(found.slots);
  found.slots = slots;
  found.size = bigger;
  return true;
}

/* False if the group was known already. */
static bool add(const struct ghcdbg_group *group) {
  if (2 * found.used >= found.size && !grow()) {
    found.out_of_memory = true;
    return false;
  }
  const uint64_t address = group->start & ~(uint64_t)MBLOCK_MASK;
  const uint64_t block = (group->start & MBLOCK_MASK) / BLOCK_SIZE;
  struct megablock *slot = slot_of(found.slots, found.size, address);
  if (slot->address == 0) {
    slot->address = address;
    found.used++;
  }
  const uint64_t bit = (uint64_t)1 << block % 64;
  if (slot->heads[block / 64] & bit) {
    return false;
  }
  slot->heads[block / 64] |= bit;
  found.groups++;
  return true;
}

static uint64_t descriptor_address(uint64_t address) {
  return (address & ~(uint64_t)MBLOCK_MASK) |
         ((address & MBLOCK_MASK & ~(uint64_t)BLOCK_MASK) >> (BLOCK_SHIFT - BDESCR_SHIFT));
}

static uint64_t described_block(uint64_t descriptor) {
  return (descriptor & ~(uint64_t)MBLOCK_MASK) |
         ((descriptor & MBLOCK_MASK) << (BLOCK_SHIFT - BDESCR_SHIFT));
}

/* Bytes up to `free`, where that can be believed: a block that the last
 * collection filled may be the one that the next goes on with, and how far
 * such a block is filled is known to the collector alone; a compact region
 * keeps its own account; for a non-moving segment the field means something
 * else. */
static uint64_t used(const bdescr *head, uint64_t length) {
  const uint64_t bytes = (uint64_t)(uintptr_t)head->free - (uint64_t)(uintptr_t)head->start;
  const bool collectors = (head->flags & (BF_EVACUATED | BF_LARGE | BF_PINNED)) == BF_EVACUATED;
  const bool own_account = (head->flags & (BF_NONMOVING | BF_COMPACT)) != 0;
  return collectors || own_account || bytes > length ? length : bytes;
}

/* Reads the descriptor of a group's head. Descriptors found through links
 * are checked, because a stale link may lead to a free or returned block. */
static bool read_head(uint64_t address, bdescr *head, struct ghcdbg_group *group) {
  if (address % BDESCR_SIZE != 0 || !ghcdbg_memory_read(address, head, sizeof *head)) {
    return false;
  }
  uint64_t start = (uint64_t)(uintptr_t)head->start;
  if (start != described_block(address) || head->blocks == 0) {
    return false;
  }
  bool segment = (head->flags & (BF_NONMOVING | BF_LARGE | BF_COMPACT)) == BF_NONMOVING;
  if (!segment && head->free == (StgPtr)-1) {
    return false; /* belongs to the block allocator */
  }
  const uint64_t length = (uint64_t)head->blocks * BLOCK_SIZE;
  *group = (struct ghcdbg_group){.start = start,
                                 .length = length,
                                 .used = used(head, length),
                                 .flags = head->flags,
                                 .generation = head->gen_no};
  return true;
}

/* The lists name a compact region's first group only. */
static void add_rest_of_compact(uint64_t first) {
  StgCompactNFDataBlock block;
  bdescr head;
  struct ghcdbg_group group;
  for (uint64_t at = first; ghcdbg_memory_read(at, &block, sizeof block);) {
    at = (uint64_t)(uintptr_t)block.next;
    if (at == 0 || !read_head(descriptor_address(at), &head, &group) || !add(&group)) {
      return;
    }
  }
}

static void add_list(void *user, bdescr *first) {
  (void)user;
  bdescr head;
  struct ghcdbg_group group;
  for (bdescr *at = first; at != NULL; at = head.link) {
    if (!read_head((uint64_t)(uintptr_t)at, &head, &group) || !add(&group)) {
      return;
    }
    if (group.flags & BF_COMPACT) {
      add_rest_of_compact(group.start);
    } else if (group.flags & BF_NONMOVING && !(group.flags & BF_LARGE)) {
      return; /* segments come one by one; their descriptors' links mean nothing */
    }
  }
}

static int by_address(const void *a, const void *b) {
  const uint64_t x = ((const struct megablock *)a)->address;
  const uint64_t y = ((const struct megablock *)b)->address;
  return (x > y) - (x < y);
}

static void describe_found(const struct megablock *megablock) {
  for (size_t block = 0; block < MBLOCK_SIZE / BLOCK_SIZE; block++) {
    if (megablock->heads[block / 64] >> block % 64 & 1) {
      bdescr head;
      if (read_head(descriptor_address(megablock->address + block * BLOCK_SIZE), &head, &groups[count])) {
        count++;
      }
    }
  }
}

static bool list_all(void) {
  listAllBlocks(add_list, NULL);
  groups = found.out_of_memory ? NULL : malloc((found.groups + 1) * sizeof *groups);
  if (groups != NULL) {
    qsort(found.slots, found.size, sizeof *found.slots, by_address);
    for (size_t i = 0; i < found.size; i++) {
      describe_found(&found.slots[i]);
    }
    atomic_store(&complete, true);
  }
  free(found.slots);
  memset(&found, 0, sizeof found);
  return groups != NULL;
}

const struct ghcdbg_group *ghcdbg_blocks(size_t *number) {
  if (!atomic_load(&complete)) {
    pthread_mutex_lock(&listing);
    const bool listed = atomic_load(&complete) || list_all();
    pthread_mutex_unlock(&listing);
    if (!listed) {
      return NULL;
    }
  }
  *number = count;
  return groups;
}

static bool holds(const struct ghcdbg_group *group, uint64_t address) {
  return address >= group->start && address - group->start < group->length;
}

const struct ghcdbg_group *ghcdbg_blocks_find(uint64_t address) {
  size_t high, low = 0;
  if (!ghcdbg_holding()) {
    return NULL;
  }
  if (last_found.group != NULL && last_found.listing == listings &&
      atomic_load(&complete) && holds(last_found.group, address)) {
    return last_found.group;
  }
  if (ghcdbg_blocks(&high) == NULL) {
    return NULL;
  }
  while (low < high) { /* finds the first group that starts beyond the address */
    size_t middle = low + (high - low) / 2;
    if (groups[middle].start <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0 || !holds(&groups[low - 1], address)) {
    return NULL;
  }
  last_found.group = &groups[low - 1];
  last_found.listing = listings;
  return last_found.group;
}

bool ghcdbg_heap_read(uint64_t address, void *into, size_t length) {
  const struct ghcdbg_group *group = ghcdbg_blocks_find(address);
  if (group == NULL || length > group->start + group->length - address) {
    return ghcdbg_memory_read(address, into, length);
  }
  memcpy(into, (const void *)(uintptr_t)address, length);
  return true;
}

bool ghcdbg_blocks_describe(uint64_t address, struct ghcdbg_group *out) {
  const struct ghcdbg_group *listed = ghcdbg_blocks_find(address);
  if (listed != NULL) {
    *out = *listed;
    return true;
  }
  bdescr descriptor, head;
  uint64_t at = descriptor_address(address);
  if (!ghcdbg_memory_read(at, &descriptor, sizeof descriptor)) {
    return false;
  }
  if (descriptor.blocks == 0) {
    at = (uint64_t)(uintptr_t)descriptor.link;
  }
  return read_head(at, &head, out) && holds(out, address);
}

void ghcdbg_blocks_forget(void) {
  free(groups);
  groups = NULL;
  count = 0;
  listings++;
  atomic_store(&complete, false);
}
