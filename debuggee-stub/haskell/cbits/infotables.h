/*
 * Info tables with all that belongs to them.
 */
#ifndef GHCDBG_INFOTABLES_H
#define GHCDBG_INFOTABLES_H

#include "request.h"
#include "response.h"
#include "rts.h"

enum {
  GHCDBG_PART_TABLE = 1,
  GHCDBG_PART_BITMAPS = 2,
  GHCDBG_PART_DESCRIPTION = 4,
  GHCDBG_PART_SOURCE = 8
};

/* Appends one, as INFO_TABLES2 answers it. At any time. */
void ghcdbg_info_table(struct ghcdbg_response *r, uint64_t info, const StgInfoTable *table,
                       uint32_t parts);

/* At any time. */
void ghcdbg_info_tables(struct ghcdbg_response *r, const struct ghcdbg_request *q);

/* The description of a constructor, in a buffer that the next guarded string
 * overwrites; NULL if it is none or has none. */
const char *ghcdbg_constructor_description(uint64_t info, uint32_t *length);

#endif
