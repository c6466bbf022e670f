#include "contents.h"

#include <stdlib.h>

#include "blocks.h"
#include "bytes.h"
#include "memory.h"
#include "rts.h"

enum {
  BATCH_BYTES = 1 << 20,
  BATCH_GROUPS = 4096,
  PIECE = 1 << 18,
  PAGE = 4096
};

static void append_descriptor(struct ghcdbg_response *r, const struct ghcdbg_group *g) {
  uint8_t descriptor[32] = {0};
  store_native64(descriptor, g->start);
  store_native64(descriptor + 8, g->length);
  store_native64(descriptor + 16, g->used);
  store_be16(descriptor + 24, g->flags);
  store_be16(descriptor + 26, g->generation);
  ghcdbg_response_copy(r, descriptor, sizeof descriptor);
}

bool ghcdbg_block_list(struct ghcdbg_response *r) {
  size_t count;
  const struct ghcdbg_group *groups = ghcdbg_blocks(&count);
  if (groups == NULL) {
    return false;
  }
  for (size_t i = 0; i < count && ghcdbg_response_goes_on(r); i++) {
    append_descriptor(r, &groups[i]);
  }
  return true;
}

/* Some of the groups: those of which the indexes are listed, all if none are. */
struct selection {
  const struct ghcdbg_group *groups;
  const uint32_t *index;
  size_t count;
};

static const struct ghcdbg_group *selected(const struct selection *s, size_t i) {
  return &s->groups[s->index == NULL ? i : s->index[i]];
}

/* How many from `from` on make a batch. */
static size_t batch_size(const struct selection *s, size_t from) {
  uint64_t bytes = 0;
  size_t n = 0;
  while (from + n < s->count && n < BATCH_GROUPS) {
    bytes += selected(s, from + n)->used;
    if (n > 0 && bytes > BATCH_BYTES) {
      break;
    }
    n++;
  }
  return n;
}

static void append_contents(struct ghcdbg_response *r, const struct selection *s) {
  for (size_t from = 0; from < s->count && ghcdbg_response_goes_on(r);) {
    const size_t n = batch_size(s, from);
    ghcdbg_response_be32(r, (uint32_t)n);
    for (size_t i = from; i < from + n && ghcdbg_response_goes_on(r); i++) {
      append_descriptor(r, selected(s, i));
    }
    for (size_t i = from; i < from + n && ghcdbg_response_goes_on(r); i++) {
      const struct ghcdbg_group *g = selected(s, i);
      ghcdbg_response_copy(r, (const void *)(uintptr_t)g->start, g->used);
    }
    from += n;
  }
  ghcdbg_response_be32(r, 0);
}

/* Groups picked one by one, each once. */
struct picker {
  const struct ghcdbg_group *groups;
  size_t count;
  uint32_t *index;
  size_t picked;
  bool *taken;
};

static bool begin_picking(struct picker *p) {
  p->groups = ghcdbg_blocks(&p->count);
  p->picked = 0;
  p->index = p->groups == NULL ? NULL : malloc((p->count + 1) * sizeof *p->index);
  p->taken = p->index == NULL ? NULL : calloc(p->count + 1, sizeof *p->taken);
  return p->taken != NULL;
}

static bool pick(struct picker *p, const struct ghcdbg_group *g) {
  const size_t i = (size_t)(g - p->groups);
  if (p->taken[i]) {
    return false;
  }
  p->taken[i] = true;
  p->index[p->picked++] = (uint32_t)i;
  return true;
}

static bool end_picking(struct ghcdbg_response *r, struct picker *p, bool begun) {
  if (begun) {
    append_contents(r, &(struct selection){
                           .groups = p->groups, .index = p->index, .count = p->picked});
  }
  free(p->taken);
  free(p->index);
  return begun;
}

static uint64_t pointer_at(const struct ghcdbg_request *q, uint32_t i) {
  return load_native64(q->pointers + (size_t)i * sizeof(uint64_t));
}

bool ghcdbg_block_contents(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  struct picker p = {.index = NULL};
  if (q->all) {
    struct selection s = {.index = NULL};
    s.groups = ghcdbg_blocks(&s.count);
    if (s.groups != NULL) {
      append_contents(r, &s);
    }
    return s.groups != NULL;
  }
  const bool begun = begin_picking(&p);
  for (uint32_t i = 0; begun && i < q->count; i++) {
    const struct ghcdbg_group *g = ghcdbg_blocks_find(pointer_at(q, i));
    if (g != NULL) {
      pick(&p, g);
    }
  }
  return end_picking(r, &p, begun);
}

/* From the region's first group on, whichever of them holds the address. */
static void pick_region(struct picker *p, const struct ghcdbg_group *any) {
  StgCompactNFDataBlock header;
  if (!ghcdbg_heap_read(any->start, &header, sizeof header)) {
    return;
  }
  uint64_t at = (uint64_t)(uintptr_t)header.owner - sizeof header;
  for (;;) {
    const struct ghcdbg_group *g = ghcdbg_blocks_find(at);
    if (g == NULL || (g->flags & BF_COMPACT) == 0 || !pick(p, g) ||
        !ghcdbg_heap_read(g->start, &header, sizeof header)) {
      return;
    }
    at = (uint64_t)(uintptr_t)header.next;
  }
}

bool ghcdbg_compact_regions(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  struct picker p = {.index = NULL};
  const bool begun = begin_picking(&p);
  for (uint32_t i = 0; begun && i < q->count; i++) {
    const struct ghcdbg_group *g = ghcdbg_blocks_find(pointer_at(q, i));
    if (g != NULL && (g->flags & BF_COMPACT) != 0) {
      pick_region(&p, g);
    }
  }
  return end_picking(r, &p, begun);
}

/* Copies as much as can be read of a piece; memory is readable by pages. */
static uint64_t read_piece(uint64_t address, uint8_t *into, uint64_t length) {
  if (ghcdbg_memory_read(address, into, length)) {
    return length;
  }
  uint64_t have = 0;
  while (have < length) {
    const uint64_t page = PAGE - (address + have) % PAGE;
    const uint64_t part = page < length - have ? page : length - have;
    if (!ghcdbg_memory_read(address + have, into + have, part)) {
      break;
    }
    have += part;
  }
  return have;
}

static void append_range(struct ghcdbg_response *r, uint64_t address, uint64_t length) {
  uint8_t *piece = r->to->scratch;
  if (length > UINT64_MAX - address) {
    length = UINT64_MAX - address;
  }
  uint64_t got = 1;
  while (length > 0 && got > 0 && ghcdbg_response_goes_on(r)) {
    const uint64_t wanted = length < PIECE ? length : PIECE;
    got = read_piece(address, piece, wanted);
    if (got > 0) {
      ghcdbg_response_string(r, piece, (uint32_t)got);
    }
    address += got;
    length = got < wanted ? 0 : length - got;
  }
  ghcdbg_response_be32(r, 0);
}

void ghcdbg_read_ranges(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  for (uint32_t i = 0; i < q->count && ghcdbg_response_step(r); i++) {
    const uint8_t *range = q->pointers + (size_t)i * 2 * sizeof(uint64_t);
    append_range(r, load_native64(range), load_native64(range + sizeof(uint64_t)));
  }
}
