/*
 * Time that only goes forward, in nanoseconds.
 */
#ifndef GHCDBG_CLOCK_H
#define GHCDBG_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { GHCDBG_MILLI = 1000000 };
#define GHCDBG_SECOND UINT64_C(1000000000)

static inline uint64_t ghcdbg_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * GHCDBG_SECOND + (uint64_t)t.tv_nsec;
}

static inline struct timespec ghcdbg_timespec(uint64_t nanos) {
  return (struct timespec){.tv_sec = (time_t)(nanos / GHCDBG_SECOND),
                           .tv_nsec = (long)(nanos % GHCDBG_SECOND)};
}

#endif
