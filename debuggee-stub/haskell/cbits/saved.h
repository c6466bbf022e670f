/*
 * The closures that the program registered for its debugger. Thread safe.
 */
#ifndef GHCDBG_SAVED_H
#define GHCDBG_SAVED_H

#include "response.h"

/* Appends the untagged address of each. The program need not be paused; if
 * it is not, a garbage collection may move them at once. */
void ghcdbg_saved_objects(struct ghcdbg_response *r);

/* Appends address and name of each. */
void ghcdbg_saved_named(struct ghcdbg_response *r);

/* Visits each; nothing that waits is to be done there. */
void ghcdbg_each_saved(void (*visit)(void *user, uint64_t address, const char *name),
                       void *user);

/* Frees all of them. */
void ghcdbg_saved_drop(void);

#endif
