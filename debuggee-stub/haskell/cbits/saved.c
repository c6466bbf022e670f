#include "saved.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "closure.h"
#include "ghc_debuggee.h"
#include "rts.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static StgStablePtr *saved; /* guarded by lock */
static size_t count;        /* guarded by lock */

static void replace(StgStablePtr *fresh, size_t fresh_count) {
  pthread_mutex_lock(&lock);
  StgStablePtr *old = saved;
  size_t old_count = count;
  saved = fresh;
  count = fresh_count;
  pthread_mutex_unlock(&lock);
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

void ghcdbg_saved_forked(void) { pthread_mutex_init(&lock, NULL); }

void ghcdbg_saved_objects(struct ghcdbg_response *r) {
  pthread_mutex_lock(&lock);
  uint64_t *addresses = malloc((count + 1) * sizeof *addresses);
  size_t found = addresses == NULL ? 0 : count;
  /* The garbage collector takes this lock too: it can neither move the
   * closures nor free an outgrown table meanwhile. */
  hs_lock_stable_ptr_table();
  for (size_t i = 0; i < found; i++) {
    addresses[i] = ghcdbg_untag((uint64_t)(uintptr_t)deRefStablePtr(saved[i]));
  }
  hs_unlock_stable_ptr_table();
  pthread_mutex_unlock(&lock);
  ghcdbg_response_copy(r, addresses, found * sizeof *addresses);
  free(addresses);
}
