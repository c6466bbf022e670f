/*
 * What the capabilities are doing. Where the RTS hides them (in its shared
 * library), nothing is known of them.
 */
#ifndef GHCDBG_CAPABILITY_H
#define GHCDBG_CAPABILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Asks every running Haskell thread to come back to the scheduler and waits
 * until each has done so once, which takes microseconds unless one does not
 * allocate or is in an unsafe foreign call. rts_pause cannot be called off and
 * holds all other threads up meanwhile; this disturbs nobody. Returns false, and
 * says in `reason` which one does not, when `go_on` says false. */
bool ghcdbg_reach_safe_points(bool (*go_on)(void *user), void *user, char *reason, size_t size);

/* The number of the capability at that address, UINT32_MAX if not known. */
uint32_t ghcdbg_capability_number(const void *capability);

#endif
