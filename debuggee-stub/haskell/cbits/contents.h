/*
 * Block descriptors and contents, compact regions, ranges of memory.
 */
#ifndef GHCDBG_CONTENTS_H
#define GHCDBG_CONTENTS_H

#include <stdbool.h>

#include "request.h"
#include "response.h"

/* In a hold. False if memory is short. */
bool ghcdbg_block_list(struct ghcdbg_response *r);
bool ghcdbg_block_contents(struct ghcdbg_response *r, const struct ghcdbg_request *q);
bool ghcdbg_compact_regions(struct ghcdbg_response *r, const struct ghcdbg_request *q);

/* At any time. */
void ghcdbg_read_ranges(struct ghcdbg_response *r, const struct ghcdbg_request *q);

#endif
