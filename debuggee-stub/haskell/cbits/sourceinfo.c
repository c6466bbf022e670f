#include "sourceinfo.h"

#include <stdio.h>
#include <string.h>

#include "copy.h"
#include "rts.h"

enum { FIELDS = 6 };

void ghcdbg_source_info(struct ghcdbg_response *r, uint64_t info) {
  InfoProvEnt entry;
  ghcdbg_rts_lock();
  const bool known = ghcdbg_lookup_ipe((const StgInfoTable *)(uintptr_t)info, &entry);
  ghcdbg_rts_unlock();
  if (!known) {
    ghcdbg_response_be32(r, 0);
    return;
  }
  const InfoProv *p = &entry.prov;
  ghcdbg_response_be32(r, FIELDS);
  ghcdbg_response_text(r, p->table_name);
#if GHCDBG_IPE_NUMERIC_DESC
  char description[16];
  snprintf(description, sizeof description, "%u", (unsigned)p->closure_desc);
  ghcdbg_response_text(r, description);
#else
  ghcdbg_response_text(r, p->closure_desc);
#endif
  ghcdbg_response_text(r, p->ty_desc);
  ghcdbg_response_text(r, p->label);
  ghcdbg_response_text(r, p->module);
  const char *file = p->src_file == NULL ? "" : p->src_file;
  const char *span = p->src_span == NULL ? "" : p->src_span;
  uint32_t file_length = (uint32_t)strlen(file), span_length = (uint32_t)strlen(span);
  ghcdbg_response_be32(r, file_length + 1 + span_length);
  ghcdbg_response_copy(r, file, file_length);
  ghcdbg_response_copy(r, ":", 1);
  ghcdbg_response_copy(r, span, span_length);
}
