#include "figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cgroup.h"
#include "copy.h"
#include "text.h"

enum figure {
  COLLECTIONS = 1,
  MAJOR_COLLECTIONS = 2,
  LIVE_BYTES = 3,
  BLOCK_BYTES = 4,
  MEGABLOCK_BYTES = 5,
  RESIDENT_BYTES = 6,
  ALLOCATED_BYTES = 16,
  MAX_LIVE_BYTES = 17,
  GC_CPU_NANOS = 18,
  GC_NANOS = 19,
  CPU_NANOS = 20,
  NANOS = 21,
  COPIED_BYTES = 22,
  FRAGMENTATION_BYTES = 23
};

enum { FIGURES_MAX = 32, FILE_MAX = 1024, GROUPS_MAX = 4096 };

struct figures {
  size_t count;
  struct {
    enum figure what;
    uint64_t value;
  } figure[FIGURES_MAX];
};

static void add(struct figures *f, enum figure what, uint64_t value) {
  f->figure[f->count].what = what;
  f->figure[f->count].value = value;
  f->count++;
}

uint64_t ghcdbg_resident_bytes(void) {
  char text[FILE_MAX];
  unsigned long long pages;
  if (!read_text("/proc/self/statm", text, sizeof text) ||
      sscanf(text, "%*u %llu", &pages) != 1) {
    return 0;
  }
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t system_available(void) {
  char text[FILE_MAX];
  unsigned long long kibibytes;
  const char *line = read_text("/proc/meminfo", text, sizeof text)
                         ? strstr(text, "MemAvailable:")
                         : NULL;
  if (line == NULL || sscanf(line, "MemAvailable: %llu", &kibibytes) != 1) {
    return UINT64_MAX;
  }
  return kibibytes << 10;
}

uint64_t ghcdbg_available_bytes(void) {
  char membership[GROUPS_MAX];
  const uint64_t system = system_available();
  const uint64_t groups = read_text("/proc/self/cgroup", membership, sizeof membership)
                              ? ghcdbg_cgroup_available("/sys/fs/cgroup", membership)
                              : UINT64_MAX;
  return groups < system ? groups : system;
}

/* The 22nd field, in clock ticks since the system's start; the second one,
 * the program's name in brackets, may hold anything. */
uint64_t ghcdbg_start_micros(void) {
  char text[FILE_MAX];
  unsigned long long ticks;
  struct timespec since_start, now;
  if (!read_text("/proc/self/stat", text, sizeof text)) {
    return 0;
  }
  const char *rest = strrchr(text, ')');
  if (rest == NULL || sscanf(rest + 1,
                             " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
                             "%*d %*d %*d %llu",
                             &ticks) != 1) {
    return 0;
  }
  clock_gettime(CLOCK_BOOTTIME, &since_start);
  clock_gettime(CLOCK_REALTIME, &now);
  const uint64_t micros = 1000000;
  const uint64_t booted = ((uint64_t)now.tv_sec - (uint64_t)since_start.tv_sec) * micros +
                          (uint64_t)now.tv_nsec / 1000 - (uint64_t)since_start.tv_nsec / 1000;
  return booted + ticks * micros / (uint64_t)sysconf(_SC_CLK_TCK);
}

/* Of the last collection; 0 before the first. */
static _Atomic uint64_t live_bytes, block_bytes;
static void (*next_hook)(const struct GCDetails_ *);

static void note_collection(const struct GCDetails_ *details) {
  live_bytes = details->live_bytes;
  block_bytes = details->live_bytes + details->slop_bytes;
  if (next_hook != NULL) {
    next_hook(details);
  }
}

void ghcdbg_figures_note_collections(RtsConfig *config) {
  if (config != NULL && config->gcDoneHook != note_collection) {
    next_hook = config->gcDoneHook;
    config->gcDoneHook = note_collection;
  }
}

struct heap_size {
  uint64_t live, blocks;
};

/* The generations do not count the blocks that a collection has left partly filled: of closures of
 * some kilobytes these are nearly all. */
static struct heap_size generations_size(void) {
  struct heap_size size = {0};
  for (uint32_t i = 0; i < RtsFlags.GcFlags.generations; i++) {
    const generation *g = &generations[i];
    size.live += (g->n_words + g->n_large_words) * sizeof(StgWord) + g->n_compact_blocks * BLOCK_SIZE;
    size.blocks += (g->n_blocks + g->n_large_blocks + g->n_compact_blocks) * BLOCK_SIZE;
  }
  return size;
}

static struct heap_size heap_size(void) {
  if (live_bytes != 0) {
    return (struct heap_size){.live = live_bytes, .blocks = block_bytes};
  }
  RTSStats s = {.gcs = 0};
  if (getRTSStatsEnabled()) {
    ghcdbg_rts_lock();
    getRTSStats(&s);
    ghcdbg_rts_unlock();
  }
  return s.gcs == 0 ? generations_size()
                    : (struct heap_size){.live = s.gc.live_bytes,
                                         .blocks = s.gc.live_bytes + s.gc.slop_bytes};
}

uint64_t ghcdbg_live_bytes(void) { return heap_size().live; }

static void add_always_known(struct figures *f) {
  uint64_t collections = 0;
  const struct heap_size size = heap_size();
  const uint32_t n = RtsFlags.GcFlags.generations;
  for (uint32_t g = 0; g < n; g++) {
    collections += generations[g].collections;
  }
  add(f, COLLECTIONS, collections);
  add(f, MAJOR_COLLECTIONS, generations[n - 1].collections);
  add(f, LIVE_BYTES, size.live);
  add(f, BLOCK_BYTES, size.blocks);
  add(f, MEGABLOCK_BYTES, mblocks_allocated * MBLOCK_SIZE);
  add(f, RESIDENT_BYTES, ghcdbg_resident_bytes());
}

static void add_statistics(struct figures *f) {
  RTSStats s;
  if (!getRTSStatsEnabled()) {
    return;
  }
  ghcdbg_rts_lock();
  getRTSStats(&s);
  ghcdbg_rts_unlock();
  add(f, ALLOCATED_BYTES, s.allocated_bytes);
  add(f, MAX_LIVE_BYTES, s.max_live_bytes);
  add(f, GC_CPU_NANOS, (uint64_t)s.gc_cpu_ns);
  add(f, GC_NANOS, (uint64_t)s.gc_elapsed_ns);
  add(f, CPU_NANOS, (uint64_t)s.cpu_ns);
  add(f, NANOS, (uint64_t)s.elapsed_ns);
  add(f, COPIED_BYTES, s.copied_bytes);
  add(f, FRAGMENTATION_BYTES, s.gc.block_fragmentation_bytes);
}

void ghcdbg_figures(struct ghcdbg_response *r) {
  struct figures f = {.count = 0};
  add_always_known(&f);
  add_statistics(&f);
  ghcdbg_response_be32(r, (uint32_t)f.count);
  for (size_t i = 0; i < f.count; i++) {
    ghcdbg_response_be32(r, f.figure[i].what);
    ghcdbg_response_native64(r, f.figure[i].value);
  }
}
