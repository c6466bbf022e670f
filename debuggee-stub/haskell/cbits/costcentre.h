/*
 * Cost-centre stacks of profiled programs. All structures are read in the
 * guarded way; false, with nothing appended, if one cannot be read or the
 * program is not profiled. Used by clients' threads.
 */
#ifndef GHCDBG_COSTCENTRE_H
#define GHCDBG_COSTCENTRE_H

#include <stdbool.h>
#include <stdint.h>

#include "response.h"

/* The profiling mode of the VERSION response: 0 = not profiled. */
uint8_t ghcdbg_profiling_mode(void);

bool ghcdbg_cost_centre_stack(struct ghcdbg_response *r, uint64_t address);
bool ghcdbg_cost_centre(struct ghcdbg_response *r, uint64_t address);
bool ghcdbg_index_table(struct ghcdbg_response *r, uint64_t address);
bool ghcdbg_root_stack(struct ghcdbg_response *r);

#endif
