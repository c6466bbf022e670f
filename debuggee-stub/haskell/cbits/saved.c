#include "saved.h"

#include <stdlib.h>
#include <string.h>

#include "closure.h"
#include "copy.h"
#include "ghc_debuggee.h"
#include "rts.h"

static StgStablePtr *saved; /* guarded by the RTS lock of copy.h */
static char **names;        /* likewise; of each, NULL = none */
static size_t count;        /* likewise */

static void free_names(char **list, size_t n) {
  for (size_t i = 0; i < n && list != NULL; i++) {
    free(list[i]);
  }
  free(list);
}

static void replace(StgStablePtr *fresh, char **fresh_names, size_t fresh_count) {
  ghcdbg_rts_lock();
  StgStablePtr *old = saved;
  char **old_names = names;
  const size_t old_count = count;
  saved = fresh;
  names = fresh_names;
  count = fresh_count;
  ghcdbg_rts_unlock();
  for (size_t i = 0; i < old_count; i++) {
    hs_free_stable_ptr(old[i]);
  }
  free(old);
  free_names(old_names, old_count);
}

void ghc_debuggee_save_named(size_t fresh_count, void *const *stable_pointers,
                             const char *const *fresh_names) {
  StgStablePtr *fresh = malloc((fresh_count + 1) * sizeof *fresh);
  char **copies = calloc(fresh_count + 1, sizeof *copies);
  if (fresh == NULL || copies == NULL) {
    free(fresh);
    free(copies);
    return;
  }
  memcpy(fresh, stable_pointers, fresh_count * sizeof *fresh);
  for (size_t i = 0; i < fresh_count && fresh_names != NULL; i++) {
    copies[i] = fresh_names[i] == NULL ? NULL : strdup(fresh_names[i]);
  }
  replace(fresh, copies, fresh_count);
}

void ghc_debuggee_save(size_t fresh_count, void *const *stable_pointers) {
  ghc_debuggee_save_named(fresh_count, stable_pointers, NULL);
}

void ghcdbg_saved_drop(void) { replace(NULL, NULL, 0); }

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

/* Their addresses, to be freed, NULL if memory is short. */
static uint64_t *addresses_locked(void) {
  uint64_t *addresses = malloc((count + 1) * sizeof *addresses);
  lock_table();
  for (size_t i = 0; i < count && addresses != NULL; i++) {
    addresses[i] = ghcdbg_untag((uint64_t)(uintptr_t)deRefStablePtr(saved[i]));
  }
  unlock_table();
  return addresses;
}

void ghcdbg_saved_objects(struct ghcdbg_response *r) {
  ghcdbg_rts_lock();
  uint64_t *addresses = addresses_locked();
  const size_t n = addresses == NULL ? 0 : count;
  ghcdbg_rts_unlock();
  ghcdbg_response_copy(r, addresses, n * sizeof *addresses);
  free(addresses);
}

void ghcdbg_each_saved(void (*visit)(void *user, uint64_t address, const char *name),
                       void *user) {
  ghcdbg_rts_lock();
  uint64_t *addresses = addresses_locked();
  for (size_t i = 0; i < count && addresses != NULL; i++) {
    visit(user, addresses[i], names[i] == NULL ? "" : names[i]);
  }
  ghcdbg_rts_unlock();
  free(addresses);
}

void ghcdbg_saved_named(struct ghcdbg_response *r) {
  ghcdbg_rts_lock();
  uint64_t *addresses = addresses_locked();
  const size_t n = addresses == NULL ? 0 : count;
  char **copies = calloc(n + 1, sizeof *copies);
  for (size_t i = 0; i < n && copies != NULL; i++) {
    copies[i] = names[i] == NULL ? NULL : strdup(names[i]);
  }
  ghcdbg_rts_unlock(); /* not to be held while a client reads */
  for (size_t i = 0; i < n; i++) {
    ghcdbg_response_native64(r, addresses[i]);
    ghcdbg_response_text(r, copies == NULL ? NULL : copies[i]);
  }
  free(addresses);
  free_names(copies, n);
}
