#include "costcentre.h"

#include "memory.h"
#include "rts.h"

#if defined(PROFILING)

uint8_t ghcdbg_profiling_mode(void) {
  enum { NO_HEAP_PROFILE = 1, RETAINERS = 2, LAG_DRAG_VOID = 3, ERAS = 4, OTHER = 5 };
  if (RtsFlags.ProfFlags.retainerSelector != NULL) {
    return RETAINERS;
  }
  switch (RtsFlags.ProfFlags.doHeapProfile) {
    case NO_HEAP_PROFILING:
      return NO_HEAP_PROFILE;
    case HEAP_BY_RETAINER:
      return RETAINERS;
    case HEAP_BY_LDV:
      return LAG_DRAG_VOID;
#if defined(HEAP_BY_ERA)
    case HEAP_BY_ERA:
      return ERAS;
#endif
    default:
      return OTHER;
  }
}

static void append_pointer(struct ghcdbg_response *r, const void *pointer) {
  ghcdbg_response_native64(r, (uint64_t)(uintptr_t)pointer);
}

bool ghcdbg_cost_centre_stack(struct ghcdbg_response *r, uint64_t address) {
  CostCentreStack s;
  if (!ghcdbg_memory_read(address, &s, sizeof s)) {
    return false;
  }
  ghcdbg_response_native64(r, (uint64_t)s.ccsID);
  append_pointer(r, s.cc);
  append_pointer(r, s.prevStack);
  append_pointer(r, s.indexTable);
  append_pointer(r, s.root);
  ghcdbg_response_native64(r, s.depth);
  ghcdbg_response_native64(r, s.scc_count);
  ghcdbg_response_native64(r, s.selected);
  ghcdbg_response_native64(r, s.time_ticks);
  ghcdbg_response_native64(r, s.mem_alloc);
  ghcdbg_response_native64(r, s.inherited_alloc);
  ghcdbg_response_native64(r, s.inherited_ticks);
  return true;
}

bool ghcdbg_cost_centre(struct ghcdbg_response *r, uint64_t address) {
  CostCentre c;
  uint32_t length;
  if (!ghcdbg_memory_read(address, &c, sizeof c)) {
    return false;
  }
  const uint64_t strings[] = {(uint64_t)(uintptr_t)c.label, (uint64_t)(uintptr_t)c.module,
                              (uint64_t)(uintptr_t)c.srcloc};
  enum { STRINGS = sizeof strings / sizeof *strings };
  for (int i = 0; i < STRINGS; i++) { /* before anything is appended */
    if (ghcdbg_memory_string(strings[i], &length) == NULL) {
      return false;
    }
  }
  ghcdbg_response_native64(r, (uint64_t)c.ccID);
  for (int i = 0; i < STRINGS; i++) {
    const char *text = ghcdbg_memory_string(strings[i], &length);
    ghcdbg_response_string(r, text, text == NULL ? 0 : length);
  }
  ghcdbg_response_native64(r, c.mem_alloc);
  ghcdbg_response_native64(r, c.time_ticks);
  ghcdbg_response_native64(r, c.is_caf != 0);
  append_pointer(r, c.link);
  return true;
}

bool ghcdbg_index_table(struct ghcdbg_response *r, uint64_t address) {
  IndexTable t;
  if (!ghcdbg_memory_read(address, &t, sizeof t)) {
    return false;
  }
  append_pointer(r, t.cc);
  append_pointer(r, t.ccs);
  append_pointer(r, t.next);
  const uint8_t back_edge = t.back_edge;
  ghcdbg_response_copy(r, &back_edge, sizeof back_edge);
  return true;
}

bool ghcdbg_root_stack(struct ghcdbg_response *r) {
  append_pointer(r, CCS_MAIN);
  return true;
}

#else

uint8_t ghcdbg_profiling_mode(void) { return 0; }

bool ghcdbg_cost_centre_stack(struct ghcdbg_response *r, uint64_t address) {
  (void)r;
  (void)address;
  return false;
}

bool ghcdbg_cost_centre(struct ghcdbg_response *r, uint64_t address) {
  (void)r;
  (void)address;
  return false;
}

bool ghcdbg_index_table(struct ghcdbg_response *r, uint64_t address) {
  (void)r;
  (void)address;
  return false;
}

bool ghcdbg_root_stack(struct ghcdbg_response *r) {
  (void)r;
  return false;
}

#endif
