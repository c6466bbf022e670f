#include "figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cgroup.h"
#include "copy.h"
#include "rts.h"
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

static uint64_t words_of(const generation *g) {
  return g->n_words + g->n_large_words + g->n_compact_blocks * BLOCK_SIZE_W;
}

uint64_t ghcdbg_live_bytes(void) {
  uint64_t words = 0;
  for (uint32_t g = 0; g < RtsFlags.GcFlags.generations; g++) {
    words += words_of(&generations[g]);
  }
  return words * sizeof(StgWord);
}

static void add_always_known(struct figures *f) {
  uint64_t collections = 0, blocks = 0;
  const uint32_t n = RtsFlags.GcFlags.generations;
  for (uint32_t g = 0; g < n; g++) {
    collections += generations[g].collections;
    blocks += generations[g].n_blocks + generations[g].n_large_blocks +
              generations[g].n_compact_blocks;
  }
  add(f, COLLECTIONS, collections);
  add(f, MAJOR_COLLECTIONS, generations[n - 1].collections);
  add(f, LIVE_BYTES, ghcdbg_live_bytes());
  add(f, BLOCK_BYTES, blocks * BLOCK_SIZE);
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
