/*
 * Closures together with what can be reached from them.
 */
#ifndef GHCDBG_REACHABLE_H
#define GHCDBG_REACHABLE_H

#include <stdbool.h>

#include "request.h"
#include "response.h"

/* Longest closure outside of the heap that is sent: static closures have as
 * many words as their constructor has fields. */
enum { GHCDBG_OUTSIDE_MAX = 1 << 16 };

/* In a hold. False if memory is short. */
bool ghcdbg_reachable(struct ghcdbg_response *r, const struct ghcdbg_request *q);

#endif
