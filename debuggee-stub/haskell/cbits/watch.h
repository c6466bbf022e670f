/*
 * When the program is to write a snapshot of itself: when so much is alive, or
 * on a signal.
 */
#ifndef GHCDBG_WATCH_H
#define GHCDBG_WATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Is there anything to be watched for? */
bool ghcdbg_watch_armed(void);

/* Is it time for a snapshot? True once for each occasion, with the path to be
 * written to. */
bool ghcdbg_watch_due(char *path, size_t size);

/* That snapshot was not written: if too much was alive, it is tried again after a
 * while. */
void ghcdbg_watch_failed(void);

/* In the child of a fork. */
void ghcdbg_watch_forked(void);

/* Arms it as GHC_DEBUG_SNAPSHOT, _LIMIT and _SIGNAL say; warns itself of what cannot be. False if
 * there was nothing to be done. */
bool ghcdbg_watch_by_environment(void);

#endif
