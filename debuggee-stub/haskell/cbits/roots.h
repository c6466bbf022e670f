/*
 * Roots with their kinds, weak pointers, threads.
 */
#ifndef GHCDBG_ROOTS_H
#define GHCDBG_ROOTS_H

#include <stdbool.h>

#include "response.h"

/* Numbers of ROOTS2 and of snapshot files. */
enum ghcdbg_root_kind {
  GHCDBG_THREAD = 1,
  GHCDBG_STABLE_NAME = 2,
  GHCDBG_STABLE_POINTER = 3,
  GHCDBG_WEAK = 5,
  GHCDBG_NAMED = 7
};

typedef void (*ghcdbg_root_visitor)(void *user, enum ghcdbg_root_kind kind, uint64_t address);

/* In a hold. False if memory is short. */
bool ghcdbg_each_root(ghcdbg_root_visitor visit, void *user);
void ghcdbg_each_weak_pointer(ghcdbg_root_visitor visit, void *user);
bool ghcdbg_roots(struct ghcdbg_response *r);
bool ghcdbg_threads(struct ghcdbg_response *r);
void ghcdbg_weak_pointers(struct ghcdbg_response *r);

#endif
