/*
 * Info tables and the sizes of closures, computed from guarded copies: what
 * the RTS's closure_sizeW would say of a closure, and a refusal of what is
 * none. What concerns closures is used in a hold only.
 */
#ifndef GHCDBG_CLOSURE_H
#define GHCDBG_CLOSURE_H

#include <stdbool.h>
#include <stdint.h>

#include "rts.h"

static inline uint64_t ghcdbg_untag(uint64_t pointer) { return pointer & ~(uint64_t)TAG_MASK; }

/* Where the `size` bytes of a table that ends with its standard part start. */
static inline uint64_t ghcdbg_table_start(uint64_t info, uint64_t size) { return info - size; }

/* Copies the standard part of the table of an info pointer. False if there
 * is none. */
bool ghcdbg_info_read(uint64_t info, StgInfoTable *out);

/* Has it the type of something that can only be on a stack? */
bool ghcdbg_info_is_frame(const StgInfoTable *table);

/* Address of the table's static reference table, 0 if it has none. */
uint64_t ghcdbg_info_srt(uint64_t info, const StgInfoTable *table);

/* Copies the standard part of the table of the closure at an untagged
 * address, and its info pointer. */
bool ghcdbg_closure_info(uint64_t address, uint64_t *info, StgInfoTable *table);

/* Size in words of the closure at an untagged address, 0 if it is none. The
 * closure may still reach beyond readable memory. */
uint64_t ghcdbg_closure_words(uint64_t address, const StgInfoTable *table);

#endif
