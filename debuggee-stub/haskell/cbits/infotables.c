#include "infotables.h"

#include "bitmap.h"
#include "bytes.h"
#include "closure.h"
#include "memory.h"
#include "sourceinfo.h"

#define NONE UINT32_MAX

const char *ghcdbg_constructor_description(uint64_t info, uint32_t *length) {
  StgConInfoTable table;
  StgInfoTable standard;
  if (!ghcdbg_info_read(info, &standard) || standard.type < CONSTR ||
      standard.type > CONSTR_NOCAF ||
      !ghcdbg_memory_read(ghcdbg_table_start(info, sizeof table), &table, sizeof table)) {
    return NULL;
  }
  /* stg_dummy_ret says it is a constructor, but has no description. */
  if (standard.layout.payload.ptrs == 0 && standard.layout.payload.nptrs == 0) {
    return NULL;
  }
  return ghcdbg_memory_string(info + (uint64_t)(int64_t)table.con_desc, length);
}

void ghcdbg_info_table(struct ghcdbg_response *r, uint64_t info, const StgInfoTable *table,
                       uint32_t parts) {
  ghcdbg_response_native64(r, info);
  ghcdbg_response_be32(r, table->type);
  ghcdbg_response_string(r, table, parts & GHCDBG_PART_TABLE ? sizeof *table : 0);
  ghcdbg_response_native64(r, ghcdbg_info_srt(info, table));
  if (parts & GHCDBG_PART_BITMAPS) {
    ghcdbg_bitmap_of_table(r, info, table);
  } else {
    ghcdbg_response_be32(r, NONE);
    ghcdbg_response_be32(r, 0);
    ghcdbg_response_be32(r, 0);
  }
  uint32_t length = 0;
  const char *text = parts & GHCDBG_PART_DESCRIPTION ? ghcdbg_constructor_description(info, &length) : NULL;
  ghcdbg_response_string(r, text, text == NULL ? 0 : length);
  if (parts & GHCDBG_PART_SOURCE) {
    ghcdbg_source_info(r, info);
  } else {
    ghcdbg_response_be32(r, 0);
  }
}

void ghcdbg_info_tables(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  StgInfoTable table;
  for (uint32_t i = 0; i < q->count && ghcdbg_response_step(r); i++) {
    const uint64_t info = load_native64(q->pointers + (size_t)i * sizeof(uint64_t));
    if (ghcdbg_info_read(info, &table)) {
      ghcdbg_info_table(r, info, &table, q->choice);
    } else {
      ghcdbg_response_native64(r, info);
      ghcdbg_response_be32(r, NONE);
    }
  }
}
