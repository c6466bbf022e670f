#include "saved.h"

#include <stdlib.h>
#include <string.h>

#include "closure.h"
#include "copy.h"
#include "ghc_debuggee.h"
#include "rts.h"

static StgStablePtr *saved; /* guarded by the RTS lock of copy.h */
static size_t count;        /* likewise */

static void replace(StgStablePtr *fresh, size_t fresh_count) {
  ghcdbg_rts_lock();
  StgStablePtr *old = saved;
  size_t old_count = count;
  saved = fresh;
  count = fresh_count;
  ghcdbg_rts_unlock();
  for (size_t i = 0; i < old_count; i++) {
    hs_free_stable_ptr(old[i]);
  }
  free(old);
}

void ghc_debuggee_save(size_t fresh_count, void *const *stable_pointers) {
  StgStablePtr *fresh = malloc((fresh_count + 1) * sizeof *fresh);
  if (fresh == NULL) {
    return;
  }
  memcpy(fresh, stable_pointers, fresh_count * sizeof *fresh);
  replace(fresh, fresh_count);
}

void ghcdbg_saved_drop(void) { replace(NULL, 0); }

/* The garbage collector takes this lock too: it can neither move the closures
 * nor free an outgrown table meanwhile. In a copy there is none, and whoever
 * held the lock at the fork will never give it back. */
static void lock_table(void) {
  if (!ghcdbg_is_copy()) {
    hs_lock_stable_ptr_table();
  }
}

static void unlock_table(void) {
  if (!ghcdbg_is_copy()) {
    hs_unlock_stable_ptr_table();
  }
}

void ghcdbg_saved_objects(struct ghcdbg_response *r) {
  ghcdbg_rts_lock();
  uint64_t *addresses = malloc((count + 1) * sizeof *addresses);
  size_t found = addresses == NULL ? 0 : count;
  lock_table();
  for (size_t i = 0; i < found; i++) {
    addresses[i] = ghcdbg_untag((uint64_t)(uintptr_t)deRefStablePtr(saved[i]));
  }
  unlock_table();
  ghcdbg_rts_unlock();
  ghcdbg_response_copy(r, addresses, found * sizeof *addresses);
  free(addresses);
}
