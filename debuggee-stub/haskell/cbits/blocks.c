#include "blocks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "pause.h"
#include "rts.h"

/* Groups found so far, while listing in the order of discovery, afterwards
 * sorted. `seen` is a hash set of their starts: RTS lists can run into each
 * other (the pinned block's stale link leads into the nursery). */
static struct ghcdbg_group *groups;
static size_t count, capacity;
static uint64_t *seen; /* 2 * capacity slots, 0 = free */
static bool out_of_memory;
static atomic_bool complete;
static pthread_mutex_t listing = PTHREAD_MUTEX_INITIALIZER; /* guards all of it until complete */
static __thread struct {
  const struct ghcdbg_group *group; /* the next address is often near */
  uint64_t pause;                   /* in which it was found */
} last_found;

static size_t seen_slot(uint64_t start, size_t slots) {
  size_t slot = (start / BLOCK_SIZE * 0x9E3779B97F4A7C15u >> 20) & (slots - 1);
  while (seen[slot] != 0 && seen[slot] != start) {
    slot = (slot + 1) & (slots - 1);
  }
  return slot;
}

static bool grow(void) {
  size_t bigger = capacity == 0 ? 4096 : 2 * capacity;
  struct ghcdbg_group *more = realloc(groups, bigger * sizeof *groups);
  if (more == NULL) {
    return false;
  }
  groups = more;
  uint64_t *fresh = calloc(2 * bigger, sizeof *fresh);
  if (fresh == NULL) {
    return false;
  }
  free(seen);
  seen = fresh;
  capacity = bigger;
  for (size_t i = 0; i < count; i++) {
    seen[seen_slot(groups[i].start, 2 * capacity)] = groups[i].start;
  }
  return true;
}

/* False if the group was known already. */
static bool add(const struct ghcdbg_group *group) {
  if (count == capacity && !grow()) {
    out_of_memory = true;
    return false;
  }
  size_t slot = seen_slot(group->start, 2 * capacity);
  if (seen[slot] != 0) {
    return false;
  }
  seen[slot] = group->start;
  groups[count++] = *group;
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

static int by_start(const void *a, const void *b) {
  uint64_t x = ((const struct ghcdbg_group *)a)->start;
  uint64_t y = ((const struct ghcdbg_group *)b)->start;
  return (x > y) - (x < y);
}

static bool list_all(void) {
  out_of_memory = false;
  listAllBlocks(add_list, NULL);
  free(seen);
  seen = NULL;
  if (out_of_memory) {
    ghcdbg_blocks_forget();
    return false;
  }
  qsort(groups, count, sizeof *groups, by_start);
  atomic_store(&complete, true);
  return true;
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
  if (last_found.group != NULL && last_found.pause == ghcdbg_pause_number() &&
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
  last_found.pause = ghcdbg_pause_number();
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
  free(seen);
  groups = NULL;
  seen = NULL;
  count = capacity = 0;
  atomic_store(&complete, false);
}
