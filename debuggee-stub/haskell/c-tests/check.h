/*
 * Ends a test that fails.
 */
#ifndef GHCDBG_CHECK_H
#define GHCDBG_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

#endif
