/*
 * Roots with their kinds, weak pointers, threads.
 */
#ifndef GHCDBG_ROOTS_H
#define GHCDBG_ROOTS_H

#include <stdbool.h>

#include "response.h"

/* In a hold. False if memory is short. */
bool ghcdbg_roots(struct ghcdbg_response *r);
bool ghcdbg_threads(struct ghcdbg_response *r);
void ghcdbg_weak_pointers(struct ghcdbg_response *r);

#endif
