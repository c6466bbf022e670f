#include "roots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "capability.h"
#include "closure.h"
#include "memory.h"
#include "pause.h"
#include "rts.h"

enum { LABEL_MAX = 1 << 12, REASON_MAX = 128 };

static bool is_stable_name(uint64_t pointer) {
  uint64_t info;
  return ghcdbg_heap_read(ghcdbg_untag(pointer), &info, sizeof info) &&
         info == (uint64_t)(uintptr_t)&stg_STABLE_NAME_info;
}

static int ascending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* How many of the roots that are no threads are stable names and what they
 * name. The RTS lists them first, in pairs, each name once; stable pointers
 * come after them without a mark, and can point to a name as well. */
static size_t count_names(const uint64_t *root, size_t count) {
  size_t n = 0;
  while (n + 1 < count && is_stable_name(root[n])) {
    n += 2;
  }
  uint64_t *seen = malloc((n / 2 + 1) * sizeof *seen);
  if (seen == NULL) {
    return n;
  }
  for (size_t i = 0; i < n / 2; i++) {
    seen[i] = root[2 * i];
  }
  qsort(seen, n / 2, sizeof *seen, ascending);
  bool twice = false;
  for (size_t i = 1; i < n / 2; i++) {
    twice = twice || seen[i] == seen[i - 1];
  }
  /* Only then is it worth while to find the first repetition. */
  for (size_t i = 1; twice && i < n / 2; i++) {
    for (size_t k = 0; k < i; k++) {
      if (root[2 * i] == root[2 * k]) {
        n = 2 * i;
      }
    }
  }
  free(seen);
  return n;
}

bool ghcdbg_each_root(ghcdbg_root_visitor visit, void *user) {
  size_t threads, others;
  uint64_t *root = ghcdbg_list_roots(&threads, &others);
  if (root == NULL) {
    return false;
  }
  const size_t names = count_names(root + threads, others);
  for (size_t i = 0; i < threads + others; i++) {
    const size_t k = i - threads; /* of the others */
    const enum ghcdbg_root_kind kind = i < threads  ? GHCDBG_THREAD
                                       : k >= names ? GHCDBG_STABLE_POINTER
                                       : k % 2 == 0 ? GHCDBG_STABLE_NAME
                                                    : GHCDBG_NAMED;
    visit(user, kind, ghcdbg_untag(root[i]));
  }
  free(root);
  return true;
}

static void append_root(void *response, enum ghcdbg_root_kind kind, uint64_t address) {
  struct ghcdbg_response *r = response;
  ghcdbg_response_be32(r, kind);
  ghcdbg_response_native64(r, address);
}

bool ghcdbg_roots(struct ghcdbg_response *r) { return ghcdbg_each_root(append_root, r); }

static const char *reason(const StgTSO *thread, char *text, size_t size) {
  const unsigned long long object = (unsigned long long)(uintptr_t)thread->block_info.closure;
  switch (thread->why_blocked) {
    case NotBlocked:
      return thread->what_next == ThreadComplete ? "finished"
             : thread->what_next == ThreadKilled ? "killed"
                                                 : "not blocked";
    case BlockedOnMVar:
      snprintf(text, size, "blocked on MVar 0x%016llx", object);
      return text;
    case BlockedOnMVarRead:
      snprintf(text, size, "blocked on MVar 0x%016llx (reading it)", object);
      return text;
    case BlockedOnBlackHole:
      snprintf(text, size, "waits for a thunk that another thread evaluates, message 0x%016llx",
               object);
      return text;
    case BlockedOnSTM:
      return "blocked in an STM transaction";
    case BlockedOnRead:
      return "waits to read from a descriptor";
    case BlockedOnWrite:
      return "waits to write to a descriptor";
    case BlockedOnDelay:
      return "in threadDelay";
    case BlockedOnCCall:
      return "in a foreign call";
    case BlockedOnCCall_Interruptible:
      return "in an interruptible foreign call";
    case BlockedOnMsgThrowTo:
      snprintf(text, size, "throws an exception to another thread, message 0x%016llx", object);
      return text;
    case ThreadMigrating:
      return "on its way to another capability";
    default:
      snprintf(text, size, "blocked for reason %u", (unsigned)thread->why_blocked);
      return text;
  }
}

/* The label is an array of bytes in the heap. */
static void append_label(struct ghcdbg_response *r, const StgTSO *thread) {
  StgArrBytes head;
  uint8_t label[LABEL_MAX];
  const uint64_t at = (uint64_t)(uintptr_t)thread->label;
  uint64_t length = 0;
  if (at != 0 && ghcdbg_heap_read(at, &head, sizeof head)) {
    length = head.bytes < LABEL_MAX ? head.bytes : LABEL_MAX;
    if (!ghcdbg_heap_read(at + sizeof head, label, length)) {
      length = 0;
    }
  }
  ghcdbg_response_string(r, label, (uint32_t)length);
}

bool ghcdbg_threads(struct ghcdbg_response *r) {
  size_t threads, others;
  char text[REASON_MAX];
  StgTSO thread;
  uint64_t *address = ghcdbg_list_roots(&threads, &others);
  if (address == NULL) {
    return false;
  }
  for (size_t i = 0; i < threads && ghcdbg_response_step(r); i++) {
    if (!ghcdbg_heap_read(address[i], &thread, sizeof thread)) {
      continue;
    }
    ghcdbg_response_native64(r, address[i]);
    ghcdbg_response_native64(r, thread.id);
    ghcdbg_response_be32(r, thread.what_next);
    ghcdbg_response_be32(r, thread.why_blocked);
    ghcdbg_response_be32(r, thread.flags);
    ghcdbg_response_be32(r, ghcdbg_capability_number(thread.cap));
    ghcdbg_response_native64(r, (uint64_t)(uintptr_t)thread.block_info.closure);
    ghcdbg_response_native64(r, (uint64_t)thread.tot_stack_size * sizeof(StgWord));
    append_label(r, &thread);
    ghcdbg_response_text(r, reason(&thread, text, sizeof text));
  }
  free(address);
  return true;
}

/* The list of a generation, as far as it can be read and `goes_on` says so. */
static void each_weak(const StgWeak *first, void (*visit)(void *, uint64_t, const StgWeak *),
                      void *user, struct ghcdbg_response *r) {
  StgWeak weak;
  for (uint64_t at = (uint64_t)(uintptr_t)first;
       at != 0 && (r == NULL || ghcdbg_response_step(r));
       at = (uint64_t)(uintptr_t)weak.link) {
    if (!ghcdbg_heap_read(at, &weak, sizeof weak)) {
      return;
    }
    if (weak.header.info != &stg_DEAD_WEAK_info) {
      visit(user, at, &weak);
    }
  }
}

struct weak_list {
  struct ghcdbg_response *r;
  uint64_t generation;
};

static void append_weak(void *user, uint64_t at, const StgWeak *weak) {
  const struct weak_list *list = user;
  const uint64_t entry[] = {at,
                            (uint64_t)(uintptr_t)weak->key,
                            (uint64_t)(uintptr_t)weak->value,
                            (uint64_t)(uintptr_t)weak->finalizer,
                            (uint64_t)(uintptr_t)weak->cfinalizers,
                            list->generation};
  ghcdbg_response_copy(list->r, entry, sizeof entry);
}

void ghcdbg_weak_pointers(struct ghcdbg_response *r) {
  for (uint32_t g = 0; g < RtsFlags.GcFlags.generations && ghcdbg_response_goes_on(r); g++) {
    each_weak(generations[g].weak_ptr_list, append_weak,
              &(struct weak_list){.r = r, .generation = g}, r);
  }
}

struct visitor {
  ghcdbg_root_visitor visit;
  void *user;
};

static void visit_weak(void *user, uint64_t at, const StgWeak *weak) {
  const struct visitor *v = user;
  (void)weak;
  v->visit(v->user, GHCDBG_WEAK, at);
}

void ghcdbg_each_weak_pointer(ghcdbg_root_visitor visit, void *user) {
  for (uint32_t g = 0; g < RtsFlags.GcFlags.generations; g++) {
    each_weak(generations[g].weak_ptr_list, visit_weak,
              &(struct visitor){.visit = visit, .user = user}, NULL);
  }
}
