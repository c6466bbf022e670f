/*
 * Which words of a stack frame, or of a function's arguments, are pointers.
 * Used in a hold.
 */
#ifndef GHCDBG_BITMAP_H
#define GHCDBG_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "response.h"
#include "rts.h"

/* Appends the bitmap of the stack frame at an address: a count and one byte
 * a word, 1 = pointer. False, with nothing appended, if there is no frame. */
bool ghcdbg_bitmap_of_frame(struct ghcdbg_response *r, uint64_t frame);

/* Appends the bitmap of the first `count` arguments of the function closure
 * at an address. False, with nothing appended, if it is no function. */
bool ghcdbg_bitmap_of_function(struct ghcdbg_response *r, uint64_t function, uint32_t count);

/* Appends the function type and arity of a table, and its bitmap in bits, as
 * INFO_TABLES2 wants them. At any time. */
void ghcdbg_bitmap_of_table(struct ghcdbg_response *r, uint64_t info,
                            const StgInfoTable *table);

#endif
