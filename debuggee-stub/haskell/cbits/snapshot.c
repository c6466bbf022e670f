#define _GNU_SOURCE
#include "snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bitmap.h"
#include "blocks.h"
#include "bytes.h"
#include "chunkfile.h"
#include "closure.h"
#include "costcentre.h"
#include "figures.h"
#include "infotables.h"
#include "memory.h"
#include "response.h"
#include "roots.h"
#include "rts.h"
#include "saved.h"

static const char MEMORY_IS_SHORT[] = "memory is short";

enum { WORD = sizeof(StgWord), PAGE = 4096, MAPPINGS_MAX = 1024, FIRST_SLOTS = 1 << 14, BITS = 8, TEXTS = 6 };

/* Part of the program or of a library, as it is mapped. */
struct mapping {
  uint64_t start, end;
  bool code; /* else data */
};

/* An address that was met in the heap: of code, with the type of its info
 * table, or of a static closure, with that of its own. 0 = no info table. */
struct met {
  uint64_t address;
  uint32_t type;
};

struct snapshot {
  struct ghcdbg_chunkfile file;
  struct mapping mapping[MAPPINGS_MAX]; /* by rising address */
  size_t mappings;
  struct met *met; /* a hash table, address 0 = free */
  size_t met_slots, met_count;
  bool failed; /* memory was short */
  struct ghcdbg_connection nobody;
  struct ghcdbg_response answer; /* what the commands would answer */
};

/* --- Little-endian entries --------------------------------------------------- */

static uint8_t *put64(uint8_t *to, uint64_t value) {
  memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

static uint8_t *put32(uint8_t *to, uint32_t value) {
  memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

static uint8_t *put_text(uint8_t *to, const void *text, size_t length) {
  to = put32(to, (uint32_t)length);
  memcpy(to, text, length);
  return to + length;
}

static void add_texts(struct snapshot *s, enum ghcdbg_chunk_kind kind, const char *key,
                      const char *value) {
  const size_t length = 2 * sizeof(uint32_t) + strlen(key) + strlen(value);
  uint8_t *entry = ghcdbg_chunkfile_entry(&s->file, kind, length);
  if (entry != NULL) {
    put_text(put_text(entry, key, strlen(key)), value, strlen(value));
  }
}

static void add_metadata(struct snapshot *s) {
  static const char *const modes[] = {"vanilla",   "profiled", "retainer",
                                      "biography", "era",      "other_heap_profile"};
  char text[64];
  const time_t now = time(NULL);
  struct tm utc;
  add_texts(s, GHCDBG_CHUNK_METADATA, "target.profiling", modes[ghcdbg_profiling_mode()]);
  snprintf(text, sizeof text, "%d.%d.%d", __GLASGOW_HASKELL__ / 100, __GLASGOW_HASKELL__ % 100,
           __GLASGOW_HASKELL_PATCHLEVEL1__);
  add_texts(s, GHCDBG_CHUNK_METADATA, "target.ghc", text);
  add_texts(s, GHCDBG_CHUNK_METADATA, "target.wordBytes", "8");
  add_texts(s, GHCDBG_CHUNK_METADATA, "target.byteOrder", "little");
  add_texts(s, GHCDBG_CHUNK_METADATA, "target.tablesNextToCode", "true");
  add_texts(s, GHCDBG_CHUNK_METADATA, "program", prog_name == NULL ? "" : prog_name);
  add_texts(s, GHCDBG_CHUNK_METADATA, "source", "the program itself");
  add_texts(s, GHCDBG_CHUNK_METADATA, "writer", "ghc-debuggee 0.1.0");
  if (gmtime_r(&now, &utc) != NULL &&
      strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0) {
    add_texts(s, GHCDBG_CHUNK_METADATA, "takenAt", text);
  }
  snprintf(text, sizeof text, "%llu", (unsigned long long)ghcdbg_live_bytes());
  add_texts(s, GHCDBG_CHUNK_METADATA, "rts.liveBytes", text);
}

static void add_root(void *snapshot, enum ghcdbg_root_kind kind, uint64_t address) {
  struct snapshot *s = snapshot;
  uint8_t *entry =
      ghcdbg_chunkfile_entry(&s->file, GHCDBG_CHUNK_ROOTS, sizeof address + sizeof(uint32_t));
  put32(put64(entry, address), kind);
}

static void add_saved(void *snapshot, uint64_t address, const char *name) {
  struct snapshot *s = snapshot;
  uint8_t *entry = ghcdbg_chunkfile_entry(
      &s->file, GHCDBG_CHUNK_SAVED, sizeof address + sizeof(uint32_t) + strlen(name));
  if (entry != NULL) {
    put_text(put64(entry, address), name, strlen(name));
  }
}

/* --- Code that the heap refers to --------------------------------------------- */

/* The executable and its libraries, with the zeros after the data. */
static bool find_mappings(struct snapshot *s) {
  char line[PATH_MAX + 128], permissions[8];
  unsigned long long start, end, inode;
  int path_at;
  bool after_data = false;
  FILE *maps = fopen("/proc/self/maps", "re");
  if (maps == NULL) {
    return false;
  }
  while (fgets(line, sizeof line, maps) != NULL && s->mappings < MAPPINGS_MAX) {
    if (sscanf(line, "%llx-%llx %7s %*s %*s %llu %n", &start, &end, permissions, &inode,
               &path_at) < 4) {
      continue;
    }
    const char *path = line + path_at;
    const bool file = inode != 0 && path[0] == '/' && strncmp(path, "/dev/", 5) != 0;
    const bool zeros = inode == 0 && after_data && s->mapping[s->mappings - 1].end == start &&
                       (path[0] == 0 || path[0] == '\n');
    after_data = file && permissions[1] == 'w';
    if (permissions[0] == 'r' && (file || zeros)) {
      s->mapping[s->mappings++] = (struct mapping){
          .start = start, .end = end, .code = permissions[2] == 'x'};
    }
  }
  fclose(maps);
  return true;
}

static const struct mapping *mapping_of(const struct snapshot *s, uint64_t address) {
  for (size_t i = 0; i < s->mappings; i++) {
    if (address >= s->mapping[i].start && address < s->mapping[i].end) {
      return &s->mapping[i];
    }
  }
  return NULL;
}

static struct met *slot_of(struct met *table, size_t slots, uint64_t address) {
  size_t slot = (address * 0x9E3779B97F4A7C15u >> 32) & (slots - 1);
  while (table[slot].address != 0 && table[slot].address != address) {
    slot = (slot + 1) & (slots - 1);
  }
  return &table[slot];
}

static bool grow_met(struct snapshot *s) {
  const size_t slots = s->met_slots == 0 ? FIRST_SLOTS : 2 * s->met_slots;
  struct met *bigger = calloc(slots, sizeof *bigger);
  if (bigger == NULL) {
    s->failed = true;
    return false;
  }
  for (size_t i = 0; i < s->met_slots; i++) {
    if (s->met[i].address != 0) {
      *slot_of(bigger, slots, s->met[i].address) = s->met[i];
    }
  }
  free(s->met);
  s->met = bigger;
  s->met_slots = slots;
  return true;
}

static uint32_t big32(const uint8_t **at) {
  const uint32_t value = load_be32(*at);
  *at += sizeof value;
  return value;
}

/* A length and so many bytes. */
static void skip_bytes(const uint8_t **at) {
  const uint32_t length = big32(at);
  *at += length;
}

static void add_fun_bitmaps(struct snapshot *s, uint64_t info, uint32_t words,
                            const uint8_t *bits) {
  for (uint32_t n = 1; n <= words; n++) {
    const size_t bytes = (n + BITS - 1) / BITS;
    uint8_t *entry = ghcdbg_chunkfile_entry(&s->file, GHCDBG_CHUNK_FUN_BITMAPS,
                                            sizeof info + 2 * sizeof n + bytes);
    if (entry == NULL) {
      return;
    }
    entry = put32(put32(put64(entry, info), n), n);
    memcpy(entry, bits, bytes);
    if (n % BITS != 0) {
      entry[bytes - 1] &= (uint8_t)((1U << n % BITS) - 1);
    }
  }
}

static void add_source(struct snapshot *s, uint64_t info, const uint8_t *texts, size_t length) {
  /* As many bytes here as there, with lengths in the other order. */
  uint8_t *entry = ghcdbg_chunkfile_entry(&s->file, GHCDBG_CHUNK_SOURCES,
                                          sizeof info + sizeof(uint32_t) + length);
  if (entry == NULL) {
    return;
  }
  entry = put32(put64(entry, info), 1);
  for (int i = 0; i < TEXTS; i++) {
    const uint32_t bytes = big32(&texts);
    entry = put_text(entry, texts, bytes);
    texts += bytes;
  }
}

/* Lets a command answer for the file. */
static void ask(struct snapshot *s) {
  s->nobody = (struct ghcdbg_connection){.fd = -1};
  ghcdbg_response_begin(&s->answer, &s->nobody);
}

/* Did all of the answer have room? */
static bool answered(const struct snapshot *s) { return !s->nobody.lost; }

static void add_info_table(struct snapshot *s, uint64_t info, const StgInfoTable *table) {
  uint64_t layout;
  memcpy(&layout, &table->layout, sizeof layout);
  uint8_t *entry = ghcdbg_chunkfile_entry(&s->file, GHCDBG_CHUNK_INFO_TABLES,
                                          3 * sizeof info + 2 * sizeof(uint32_t));
  entry = put32(put32(put64(entry, info), table->type), (uint32_t)table->srt);
  put64(put64(entry, layout), ghcdbg_info_srt(info, table));
}

/* What INFO_TABLES2 answers about it, put into one kind of table. */
static void add_code(struct snapshot *s, enum ghcdbg_chunk_kind kind, uint64_t info,
                     const StgInfoTable *table) {
  struct ghcdbg_response *r = &s->answer;
  ask(s);
  ghcdbg_info_table(r, info, table,
                    kind == GHCDBG_CHUNK_SOURCES ? GHCDBG_PART_SOURCE : GHCDBG_PART_BITMAPS);
  if (!answered(s)) {
    return;
  }
  const uint8_t *at = r->frame + GHCDBG_FRAME_HEADER + sizeof info + sizeof(uint32_t);
  const uint8_t *end = r->frame + GHCDBG_FRAME_HEADER + r->body;
  skip_bytes(&at);          /* the table */
  at += sizeof(uint64_t);   /* its SRT */
  const bool function = big32(&at) != UINT32_MAX;
  at += sizeof(uint32_t);   /* the arity */
  const uint32_t words = big32(&at);
  const size_t bytes = (words + BITS - 1) / BITS;
  const uint8_t *bits = at;
  at += bytes;
  skip_bytes(&at);          /* the description: it is read out of memory */
  const bool source = big32(&at) == TEXTS;
  if (kind == GHCDBG_CHUNK_SOURCES && source) {
    add_source(s, info, at, (size_t)(end - at));
  } else if (kind == GHCDBG_CHUNK_FUN_BITMAPS && function) {
    add_fun_bitmaps(s, info, words, bits);
  } else if (kind == GHCDBG_CHUNK_FRAME_BITMAPS && !function && words > 0) { /* RET_BIG */
    uint8_t *entry =
        ghcdbg_chunkfile_entry(&s->file, kind, sizeof info + sizeof words + bytes);
    if (entry != NULL) {
      memcpy(put32(put64(entry, info), words), bits, bytes);
    }
  }
}

static void add_codes(struct snapshot *s) {
  static const enum ghcdbg_chunk_kind kinds[] = {GHCDBG_CHUNK_FRAME_BITMAPS,
                                                 GHCDBG_CHUNK_FUN_BITMAPS,
                                                 GHCDBG_CHUNK_INFO_TABLES, GHCDBG_CHUNK_SOURCES};
  StgInfoTable table;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    for (size_t i = 0; i < s->met_slots; i++) {
      const struct met *met = &s->met[i];
      if (met->type == 0 || !ghcdbg_info_read(met->address, &table)) {
        continue;
      }
      if (kinds[k] == GHCDBG_CHUNK_INFO_TABLES) {
        add_info_table(s, met->address, &table);
      } else {
        add_code(s, kinds[k], met->address, &table);
      }
    }
  }
}

/* The type of the info table that an address of code is that of, 0 for none. */
static uint32_t meet(struct snapshot *s, uint64_t address, const struct mapping *m) {
  if (2 * s->met_count >= s->met_slots && !grow_met(s)) {
    return 0;
  }
  struct met *met = slot_of(s->met, s->met_slots, address);
  if (met->address != 0) {
    return met->type;
  }
  uint64_t info;
  StgInfoTable table;
  *met = (struct met){.address = address};
  s->met_count++;
  if (m->code) {
    if (ghcdbg_info_read(address, &table)) {
      met->type = table.type;
      return table.type;
    }
  } else if (ghcdbg_memory_read(address, &info, sizeof info)) {
    const struct mapping *code = mapping_of(s, info);
    if (code != NULL && code->code) {
      meet(s, info, code);
    }
  }
  return 0;
}

/* A frame whose bitmap depends on more than its info table. */
static void add_frame(struct snapshot *s, uint64_t address) {
  struct ghcdbg_response *r = &s->answer;
  ask(s);
  if (!ghcdbg_bitmap_of_frame(r, address) || !answered(s)) {
    return;
  }
  const uint8_t *at = r->frame + GHCDBG_FRAME_HEADER;
  const uint32_t words = big32(&at);
  const size_t bytes = (words + BITS - 1) / BITS;
  uint8_t *entry = ghcdbg_chunkfile_entry(&s->file, GHCDBG_CHUNK_FRAME_BITMAPS,
                                          sizeof address + sizeof words + bytes);
  if (entry == NULL) {
    return;
  }
  entry = put32(put64(entry, address), words);
  memset(entry, 0, bytes);
  for (uint32_t i = 0; i < words; i++) {
    entry[i / BITS] |= (uint8_t)(at[i] << i % BITS);
  }
}

static bool lies_apart(const struct snapshot *s, const struct mapping *m) {
  for (size_t i = 0; i < s->mappings; i++) {
    if (s->mapping[i].start < m->end && s->mapping[i].end > m->start) {
      return false;
    }
  }
  return true;
}

/* Every word of the heap is looked at as if it were a pointer. What is none
 * adds a needless entry at worst. */
static void find_code(struct snapshot *s, const struct ghcdbg_group *groups, size_t count) {
  if (s->mappings == 0 || count == 0) {
    return;
  }
  const uint64_t low = s->mapping[0].start, high = s->mapping[s->mappings - 1].end;
  const struct mapping heap = {.start = groups[0].start,
                               .end = groups[count - 1].start + groups[count - 1].length};
  const bool apart = lies_apart(s, &heap); /* often between the program and its libraries */
  for (size_t i = 0; i < count; i++) {
    const uint64_t *word = (const uint64_t *)(uintptr_t)groups[i].start;
    for (size_t k = 0; k < groups[i].used / WORD; k++) {
      if (word[k] < low || word[k] >= high ||
          (apart && word[k] >= heap.start && word[k] < heap.end)) {
        continue;
      }
      const uint64_t address = ghcdbg_untag(word[k]);
      const struct mapping *m = mapping_of(s, address);
      if (m == NULL || (m->code && address != word[k])) {
        continue;
      }
      const uint32_t type = meet(s, address, m);
      if (type == RET_FUN || type == RET_BCO) {
        add_frame(s, (uint64_t)(uintptr_t)&word[k]);
      }
    }
  }
}

/* The info pointers of static closures lie in the program's data. */
static void find_static_code(struct snapshot *s) {
  uint64_t page[PAGE / WORD];
  for (size_t i = 0; i < s->mappings && !s->failed; i++) {
    const struct mapping *data = &s->mapping[i];
    for (uint64_t at = data->start; !data->code && at < data->end; at += PAGE) {
      ghcdbg_memory_forget();
      if (!ghcdbg_memory_read(at, page, sizeof page)) {
        continue;
      }
      for (size_t k = 0; k < PAGE / WORD; k++) {
        const struct mapping *m = page[k] % WORD == 0 ? mapping_of(s, page[k]) : NULL;
        if (m != NULL && m->code) {
          meet(s, page[k], m);
        }
      }
    }
  }
}

/* --- Memory -------------------------------------------------------------------- */

static uint64_t add_blocks(struct snapshot *s, const struct ghcdbg_group *groups, size_t count) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < count && s->file.error == 0; i++) {
    const struct ghcdbg_group *g = &groups[i];
    const uint64_t length = g->used == 0 ? 0 : g->length; /* none of it is alive */
    for (uint64_t at = 0; at < length && s->file.error == 0;) {
      uint8_t *into;
      const size_t part =
          ghcdbg_chunkfile_room(&s->file, GHCDBG_CHUNK_BLOCKS, length - at, &into);
      memcpy(into, (const void *)(uintptr_t)(g->start + at), part);
      ghcdbg_chunkfile_filled(&s->file, g->start + at, part, g->flags, at > 0);
      at += part;
    }
    bytes += length;
  }
  return bytes;
}

static void add_memory(struct snapshot *s) {
  for (size_t i = 0; i < s->mappings; i++) {
    const struct mapping *m = &s->mapping[i];
    bool goes_on = false;
    for (uint64_t at = m->start; at < m->end && s->file.error == 0;) {
      uint8_t *into;
      const size_t part =
          ghcdbg_chunkfile_room(&s->file, GHCDBG_CHUNK_MEMORY, m->end - at, &into);
      ghcdbg_memory_forget();
      const bool readable = ghcdbg_memory_read(at, into, part);
      if (readable) {
        ghcdbg_chunkfile_filled(&s->file, at, part, 0, goes_on);
      }
      goes_on = readable;
      at += part;
    }
  }
}

/* NULL, or why not. */
static const char *write_all(struct snapshot *s) {
  char text[32];
  size_t count;
  const struct ghcdbg_group *groups = ghcdbg_blocks(&count);
  if (groups == NULL) {
    return MEMORY_IS_SHORT;
  }
  add_metadata(s);
  if (!ghcdbg_each_root(add_root, s)) {
    return MEMORY_IS_SHORT;
  }
  ghcdbg_each_weak_pointer(add_root, s);
  ghcdbg_each_saved(add_saved, s);
  const uint64_t bytes = add_blocks(s, groups, count);
  if (!find_mappings(s)) {
    return "/proc/self/maps cannot be read";
  }
  add_memory(s);
  find_code(s, groups, count);
  find_static_code(s);
  add_codes(s);
  snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);
  add_texts(s, GHCDBG_CHUNK_SUMMARY, "complete", s->failed ? "false" : "true");
  add_texts(s, GHCDBG_CHUNK_SUMMARY, "blocks.bytes", text);
  return NULL;
}

static const char *write_to(const char *partial) {
  unlink(partial); /* of a program that was killed */
  const int fd = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    return strerror(errno);
  }
  struct snapshot *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const char *reason = NULL;
  if (s == MAP_FAILED) {
    reason = strerror(errno);
  } else {
    ghcdbg_chunkfile_begin(&s->file, fd);
    reason = write_all(s);
    if (!ghcdbg_chunkfile_end(&s->file)) {
      reason = strerror(s->file.error);
    }
    free(s->met);
    munmap(s, sizeof *s);
  }
  if (close(fd) != 0 && reason == NULL) {
    reason = strerror(errno);
  }
  if (reason != NULL) {
    unlink(partial);
  }
  return reason;
}

bool ghcdbg_snapshot_write(const char *path, char *reason, size_t size) {
  char partial[PATH_MAX];
  if (snprintf(partial, sizeof partial, "%s.partial", path) >= (int)sizeof partial) {
    snprintf(reason, size, "the path is too long");
    return false;
  }
  const char *failure = write_to(partial);
  if (failure == NULL && rename(partial, path) != 0) {
    failure = strerror(errno);
    unlink(partial);
  }
  if (failure != NULL) {
    snprintf(reason, size, "%s", failure);
  }
  return failure == NULL;
}
