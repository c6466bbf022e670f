/*
 * Where in the source an info table comes from. Used by
 * clients' threads.
 */
#ifndef GHCDBG_SOURCEINFO_H
#define GHCDBG_SOURCEINFO_H

#include <stdint.h>

#include "response.h"

/* Appends the provenance of an info pointer, any value: a count of strings,
 * 0 or 6, and the strings. */
void ghcdbg_source_info(struct ghcdbg_response *r, uint64_t info);

#endif
