#include "reachable.h"

#include <stddef.h>
#include <stdlib.h>

#include "blocks.h"
#include "bytes.h"
#include "closure.h"
#include "memory.h"

enum { ENTRY_HEADER = 16, WORD = sizeof(StgWord), FIRST_SLOTS = 1024, SPINE_FIRST = 1 };

static const uint64_t BUDGET_MAX = UINT64_C(1) << 26;

/* Addresses, in a queue or on a stack. */
struct waiting {
  uint64_t *address;
  size_t first, end, capacity;
};

struct walk {
  struct ghcdbg_response *r;
  uint64_t budget; /* bytes left */
  bool spine_first;
  bool failed;     /* memory is short */
  uint64_t *seen;  /* a hash set, 0 = free */
  size_t seen_slots, seen_count;
  struct waiting waiting;
};

static size_t slot_of(const uint64_t *seen, size_t slots, uint64_t address) {
  size_t slot = (address * 0x9E3779B97F4A7C15u >> 32) & (slots - 1);
  while (seen[slot] != 0 && seen[slot] != address) {
    slot = (slot + 1) & (slots - 1);
  }
  return slot;
}

static bool grow_seen(struct walk *w) {
  const size_t slots = w->seen_slots == 0 ? FIRST_SLOTS : 2 * w->seen_slots;
  uint64_t *bigger = calloc(slots, sizeof *bigger);
  if (bigger == NULL) {
    w->failed = true;
    return false;
  }
  for (size_t i = 0; i < w->seen_slots; i++) {
    if (w->seen[i] != 0) {
      bigger[slot_of(bigger, slots, w->seen[i])] = w->seen[i];
    }
  }
  free(w->seen);
  w->seen = bigger;
  w->seen_slots = slots;
  return true;
}

/* False if it was seen before, or cannot be noted. */
static bool see(struct walk *w, uint64_t address) {
  if (2 * w->seen_count >= w->seen_slots && !grow_seen(w)) {
    return false;
  }
  const size_t slot = slot_of(w->seen, w->seen_slots, address);
  if (w->seen[slot] != 0) {
    return false;
  }
  w->seen[slot] = address;
  w->seen_count++;
  return true;
}

static void wait(struct walk *w, uint64_t address) {
  struct waiting *q = &w->waiting;
  if (q->end == q->capacity) {
    const size_t capacity = q->capacity == 0 ? FIRST_SLOTS : 2 * q->capacity;
    uint64_t *bigger = realloc(q->address, capacity * sizeof *bigger);
    if (bigger == NULL) {
      w->failed = true;
      return;
    }
    q->address = bigger;
    q->capacity = capacity;
  }
  q->address[q->end++] = address;
}

/* The closure's size in bytes, 0 if there is none, or none that may be sent. */
static uint64_t size_of(uint64_t address, StgInfoTable *table, const struct ghcdbg_group **group) {
  uint64_t info;
  if (address == 0 || !ghcdbg_closure_info(address, &info, table)) {
    return 0;
  }
  const uint64_t words = ghcdbg_closure_words(address, table);
  *group = ghcdbg_blocks_find(address);
  const uint64_t room = *group == NULL ? GHCDBG_OUTSIDE_MAX
                                       : (*group)->start + (*group)->length - address;
  return words > room / WORD ? 0 : words * WORD;
}

static void append(struct walk *w, uint64_t address, uint64_t bytes,
                   const struct ghcdbg_group *group) {
  struct ghcdbg_response *r = w->r;
  const void *from = (const void *)(uintptr_t)address;
  if (bytes > 0 && group == NULL) {
    from = r->to->scratch;
    if (!ghcdbg_memory_read(address, r->to->scratch, bytes)) {
      bytes = 0;
    }
  }
  ghcdbg_response_native64(r, address);
  ghcdbg_response_native64(r, bytes);
  ghcdbg_response_copy(r, from, bytes);
  const uint64_t cost = ENTRY_HEADER + bytes;
  w->budget = cost < w->budget ? w->budget - cost : 0;
}

/* Sends it if there is room for it. */
static bool send_if_room(struct walk *w, uint64_t address) {
  StgInfoTable table;
  const struct ghcdbg_group *group;
  const uint64_t bytes = size_of(address, &table, &group);
  if (bytes == 0 || w->budget < ENTRY_HEADER || bytes > w->budget - ENTRY_HEADER) {
    return false;
  }
  append(w, address, bytes, group);
  return true;
}

/* A field was found. Breadth first it is sent at once; spine first, when its
 * turn comes. */
static void visit(struct walk *w, uint64_t at) {
  uint64_t pointer;
  if (!ghcdbg_heap_read(at, &pointer, sizeof pointer)) {
    return;
  }
  const uint64_t address = ghcdbg_untag(pointer);
  if (w->spine_first) {
    wait(w, address);
  } else if (see(w, address) && send_if_room(w, address)) {
    wait(w, address);
  }
}

static bool goes_on(const struct walk *w) {
  return !w->failed && w->budget >= ENTRY_HEADER + WORD && ghcdbg_response_step(w->r);
}

/* What the table or the closure says is believed as far as the closure goes. */
static void visit_fields(struct walk *w, uint64_t from, uint64_t count, uint64_t end) {
  const uint64_t room = from < end ? (end - from) / WORD : 0;
  for (uint64_t i = 0; i < count && i < room && goes_on(w); i++) {
    visit(w, from + i * WORD);
  }
}

/* `field` of `type` in the closure at `address`. */
#define AT(address, type, field) ((address) + offsetof(type, field))

static void visit_counted(struct walk *w, uint64_t count_at, uint64_t from, uint64_t end) {
  StgWord count;
  if (ghcdbg_heap_read(count_at, &count, sizeof count)) {
    visit_fields(w, from, count, end);
  }
}

static void visit_closure(struct walk *w, uint64_t address) {
  StgInfoTable table;
  const struct ghcdbg_group *group;
  const uint64_t end = address + size_of(address, &table, &group);
  if (end == address) {
    return;
  }
  switch (table.type) {
    case THUNK:
    case THUNK_1_0:
    case THUNK_0_1:
    case THUNK_2_0:
    case THUNK_1_1:
    case THUNK_0_2:
      visit_fields(w, AT(address, StgThunk, payload), table.layout.payload.ptrs, end);
      break;
    case THUNK_SELECTOR:
      visit(w, AT(address, StgSelector, selectee));
      break;
    case IND:
    case IND_STATIC:
    case BLACKHOLE:
      visit(w, AT(address, StgInd, indirectee));
      break;
    case AP:
      visit(w, AT(address, StgAP, fun));
      break;
    case PAP:
      visit(w, AT(address, StgPAP, fun));
      break;
    case AP_STACK:
      visit(w, AT(address, StgAP_STACK, fun));
      break;
    case MUT_ARR_PTRS_CLEAN:
    case MUT_ARR_PTRS_DIRTY:
    case MUT_ARR_PTRS_FROZEN_CLEAN:
    case MUT_ARR_PTRS_FROZEN_DIRTY:
      visit_counted(w, AT(address, StgMutArrPtrs, ptrs), AT(address, StgMutArrPtrs, payload), end);
      break;
    case SMALL_MUT_ARR_PTRS_CLEAN:
    case SMALL_MUT_ARR_PTRS_DIRTY:
    case SMALL_MUT_ARR_PTRS_FROZEN_CLEAN:
    case SMALL_MUT_ARR_PTRS_FROZEN_DIRTY:
      visit_counted(w, AT(address, StgSmallMutArrPtrs, ptrs),
                    AT(address, StgSmallMutArrPtrs, payload), end);
      break;
    case THUNK_STATIC:
    case ARR_WORDS:
    case TSO:
    case STACK:
    case TREC_CHUNK:
    case COMPACT_NFDATA:
    case CONTINUATION:
      break;
    default:
      if (!ghcdbg_info_is_frame(&table)) {
        visit_fields(w, AT(address, StgClosure, payload), table.layout.payload.ptrs, end);
      }
  }
}

static void breadth_first(struct walk *w) {
  while (w->waiting.first < w->waiting.end && goes_on(w)) {
    visit_closure(w, w->waiting.address[w->waiting.first++]);
  }
}

/* What is asked for has been sent, and waits in the reverse order. */
static void spine_first(struct walk *w) {
  size_t asked = w->waiting.end;
  while (w->waiting.end > 0 && goes_on(w)) {
    const uint64_t address = w->waiting.address[--w->waiting.end];
    const bool sent = w->waiting.end < asked;
    if (sent) {
      asked = w->waiting.end;
    }
    if (sent || (see(w, address) && send_if_room(w, address))) {
      visit_closure(w, address);
    }
  }
}

static uint64_t asked_for(const struct ghcdbg_request *q, uint32_t i) {
  return ghcdbg_untag(load_native64(q->pointers + (size_t)i * sizeof(uint64_t)));
}

bool ghcdbg_reachable(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  struct walk w = {.r = r,
                   .budget = q->budget < BUDGET_MAX ? q->budget : BUDGET_MAX,
                   .spine_first = q->choice == SPINE_FIRST};
  StgInfoTable table;
  for (uint32_t i = 0; i < q->count && ghcdbg_response_step(r); i++) {
    const struct ghcdbg_group *group = NULL;
    const uint64_t address = asked_for(q, i);
    const uint64_t bytes = size_of(address, &table, &group);
    append(&w, address, bytes, group);
    if (address != 0) {
      see(&w, address);
    }
  }
  for (uint32_t i = 0; i < q->count; i++) {
    wait(&w, asked_for(q, w.spine_first ? q->count - 1 - i : i));
  }
  if (w.spine_first) {
    spine_first(&w);
  } else {
    breadth_first(&w);
  }
  free(w.seen);
  free(w.waiting.address);
  return !w.failed;
}
