#include "commands.h"

#include "bitmap.h"
#include "blocks.h"
#include "bytes.h"
#include "closure.h"
#include "costcentre.h"
#include "memory.h"
#include "pause.h"
#include "response.h"
#include "rts.h"
#include "saved.h"
#include "sourceinfo.h"

enum {
  /* Longest closure outside of the heap that is sent: static closures have
   * as many words as their constructor has fields. */
  OUTSIDE_MAX = 1 << 16,
  /* Longest group of blocks that no list names. */
  UNLISTED_MAX = 1 << 20
};

static struct ghcdbg_response response;
static uint8_t scratch[UNLISTED_MAX];

static uint64_t pointer_at(const struct ghcdbg_request *q, uint32_t i) {
  return load_native64(q->pointers + (size_t)i * sizeof(uint64_t));
}

static bool version(struct ghcdbg_response *r) {
  const uint8_t way[] = {ghcdbg_profiling_mode(), 1 /* tables next to code */};
  ghcdbg_response_be32(r, __GLASGOW_HASKELL__);
  ghcdbg_response_be32(r, __GLASGOW_HASKELL_PATCHLEVEL1__);
  ghcdbg_response_copy(r, way, sizeof way);
  return true;
}

static void append_thread(void *user, StgTSO *thread) {
  ghcdbg_response_native64(user, (uint64_t)(uintptr_t)thread);
}

static void append_root(void *user, StgClosure *root) {
  ghcdbg_response_native64(user, (uint64_t)(uintptr_t)root);
}

static bool roots(struct ghcdbg_response *r) {
  rts_listThreads(append_thread, r);
  rts_listMiscRoots(append_root, r);
  return true;
}

/* The length field of something whose length may not fit: the excess is not
 * sent either, so that the client does not lose its place. */
static uint32_t clamp_length(uint64_t bytes) {
  return bytes > UINT32_MAX - BLOCK_MASK ? (uint32_t)(UINT32_MAX - BLOCK_MASK)
                                         : (uint32_t)bytes;
}

/* False, with nothing appended, if there is no closure at the address. */
static bool append_closure(struct ghcdbg_response *r, uint64_t address) {
  uint64_t info;
  StgInfoTable table;
  if (!ghcdbg_closure_info(address, &info, &table)) {
    return false;
  }
  const uint64_t words = ghcdbg_closure_words(address, &table);
  const struct ghcdbg_group *group = ghcdbg_blocks_find(address);
  const uint64_t room =
      group == NULL ? OUTSIDE_MAX : group->start + group->length - address;
  if (words == 0 || words > room / sizeof(StgWord)) {
    return false;
  }
  const uint64_t bytes = words * sizeof(StgWord);
  const void *from = (const void *)(uintptr_t)address;
  if (group == NULL) {
    if (!ghcdbg_memory_read(address, scratch, bytes)) {
      return false;
    }
    ghcdbg_response_string(r, scratch, (uint32_t)bytes);
  } else {
    const uint32_t length = clamp_length(bytes);
    ghcdbg_response_be32(r, length);
    ghcdbg_response_refer(r, from, length);
  }
  return true;
}

static bool closures(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  for (uint32_t i = 0; i < q->count && !r->to->lost; i++) {
    if (!append_closure(r, ghcdbg_untag(pointer_at(q, i)))) {
      ghcdbg_response_be32(r, 0);
    }
  }
  return true;
}

static bool info_tables(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  StgInfoTable table;
  for (uint32_t i = 0; i < q->count && !r->to->lost; i++) {
    const bool known = ghcdbg_info_read(pointer_at(q, i), &table);
    ghcdbg_response_string(r, &table, known ? sizeof table : 0);
  }
  return true;
}

static bool reference_tables(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  StgInfoTable table;
  for (uint32_t i = 0; i < q->count && !r->to->lost; i++) {
    const uint64_t info = pointer_at(q, i);
    const bool known = ghcdbg_info_read(info, &table);
    ghcdbg_response_native64(r, known ? ghcdbg_info_srt(info, &table) : 0);
  }
  return true;
}

static bool constructor_description(struct ghcdbg_response *r, uint64_t info) {
  StgConInfoTable table;
  StgInfoTable standard;
  if (!ghcdbg_info_read(info, &standard) || standard.type < CONSTR ||
      standard.type > CONSTR_NOCAF ||
      !ghcdbg_memory_read(ghcdbg_table_start(info, sizeof table), &table, sizeof table)) {
    return false;
  }
  /* stg_dummy_ret says it is a constructor, but has no description. */
  if (standard.layout.payload.ptrs == 0 && standard.layout.payload.nptrs == 0) {
    return false;
  }
  uint32_t length;
  const char *text = ghcdbg_memory_string(info + (uint64_t)(int64_t)table.con_desc, &length);
  if (text == NULL) {
    return false;
  }
  ghcdbg_response_string(r, text, length);
  return true;
}

static void append_block_header(struct ghcdbg_response *r, const struct ghcdbg_group *group,
                                uint32_t length) {
  ghcdbg_response_copy(r, &group->flags, sizeof group->flags);
  ghcdbg_response_native64(r, group->start);
  ghcdbg_response_be32(r, length);
}

static void append_listed_block(struct ghcdbg_response *r, const struct ghcdbg_group *group) {
  const uint32_t length = clamp_length(group->length);
  append_block_header(r, group, length);
  ghcdbg_response_refer(r, (const void *)(uintptr_t)group->start, length);
}

static bool all_blocks(struct ghcdbg_response *r) {
  size_t count;
  const struct ghcdbg_group *group = ghcdbg_blocks(&count);
  if (group == NULL) {
    return false;
  }
  for (size_t i = 0; i < count && !r->to->lost; i++) {
    append_listed_block(r, &group[i]);
  }
  return true;
}

static bool block(struct ghcdbg_response *r, uint64_t address) {
  const struct ghcdbg_group *listed = ghcdbg_blocks_find(address);
  if (listed != NULL) {
    append_listed_block(r, listed);
    return true;
  }
  struct ghcdbg_group group;
  if (!ghcdbg_blocks_describe(address, &group) || group.length > UNLISTED_MAX ||
      !ghcdbg_memory_read(group.start, scratch, group.length)) {
    return false;
  }
  append_block_header(r, &group, (uint32_t)group.length);
  ghcdbg_response_refer(r, scratch, group.length);
  return true;
}

void ghcdbg_command_bad(struct ghcdbg_connection *c) {
  ghcdbg_response_begin(&response, c);
  ghcdbg_response_fail(&response, GHCDBG_BAD_COMMAND);
}

void ghcdbg_command_answer_polls(struct ghcdbg_connection *c) {
  for (; c->polls > 0; c->polls--) {
    ghcdbg_response_begin(&response, c);
    ghcdbg_response_finish(&response);
    c->attends = !c->lost; /* one that was gone before does not end the pause */
  }
}

/* What a command may be executed in. */
static bool needs_pause(uint32_t command) {
  switch (command) {
    case GHCDBG_RESUME:
    case GHCDBG_ROOTS:
    case GHCDBG_CLOSURES:
    case GHCDBG_INFO_TABLES:
    case GHCDBG_STACK_BITMAP:
    case GHCDBG_ALL_BLOCKS:
    case GHCDBG_BLOCK:
    case GHCDBG_FUN_BITMAP:
    case GHCDBG_SRT:
      return true;
    default:
      return false;
  }
}

/* Executes a well-formed command other than PAUSE and POLL, in a state that
 * it may be executed in. False for BAD_COMMAND. */
static bool execute(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  switch (q->command) {
    case GHCDBG_VERSION:
      return version(r);
    case GHCDBG_RESUME:
      ghcdbg_resume();
      r->to->attends = false;
      return true;
    case GHCDBG_ROOTS:
      return roots(r);
    case GHCDBG_CLOSURES:
      return closures(r, q);
    case GHCDBG_INFO_TABLES:
      return info_tables(r, q);
    case GHCDBG_SAVED_OBJECTS:
      ghcdbg_saved_objects(r);
      return true;
    case GHCDBG_CON_DESCR:
      return constructor_description(r, q->address);
    case GHCDBG_SOURCE_INFO:
      ghcdbg_source_info(r, q->address);
      return true;
    case GHCDBG_ALL_BLOCKS:
      return all_blocks(r);
    case GHCDBG_BLOCK:
      return block(r, q->address);
    case GHCDBG_FUN_BITMAP:
      return ghcdbg_bitmap_of_function(r, q->address, q->count);
    case GHCDBG_SRT:
      return reference_tables(r, q);
    case GHCDBG_CCS:
      return ghcdbg_cost_centre_stack(r, q->address);
    case GHCDBG_CC:
      return ghcdbg_cost_centre(r, q->address);
    case GHCDBG_INDEX_TABLE:
      return ghcdbg_index_table(r, q->address);
    case GHCDBG_CCS_MAIN:
      return ghcdbg_root_stack(r);
    default:
      return false;
  }
}

static void pause_program(struct ghcdbg_connection *c, const struct ghcdbg_request *q) {
  if (q->mode != 0 || ghcdbg_pausing_deadlocks()) {
    ghcdbg_command_bad(c);
    return;
  }
  const bool already = ghcdbg_paused();
  if (!already) {
    ghcdbg_pause();
    ghcdbg_command_answer_polls(c);
  }
  c->attends = true;
  ghcdbg_response_begin(&response, c);
  if (already) {
    ghcdbg_response_fail(&response, GHCDBG_ALREADY_PAUSED);
  } else {
    ghcdbg_response_finish(&response);
  }
}

void ghcdbg_command(struct ghcdbg_connection *c, const struct ghcdbg_request *q) {
  ghcdbg_memory_forget();
  ghcdbg_response_begin(&response, c);
  if (needs_pause(q->command)) {
    if (!ghcdbg_paused()) {
      ghcdbg_response_fail(&response, GHCDBG_NOT_PAUSED);
      return;
    }
    c->attends = true;
  }
  if (!q->well_formed) {
    ghcdbg_response_fail(&response, GHCDBG_BAD_COMMAND);
  } else if (q->command == GHCDBG_PAUSE) {
    pause_program(c, q);
  } else if (q->command == GHCDBG_POLL) {
    c->polls++;
    if (ghcdbg_paused()) {
      ghcdbg_command_answer_polls(c);
    }
  } else if (q->command == GHCDBG_STACK_BITMAP) {
    if (ghcdbg_bitmap_of_frame(&response, q->address + q->offset)) {
      ghcdbg_response_finish(&response);
    } else {
      ghcdbg_response_fail(&response, GHCDBG_BAD_STACK);
    }
  } else if (execute(&response, q)) {
    ghcdbg_response_finish(&response);
  } else {
    ghcdbg_response_fail(&response, GHCDBG_BAD_COMMAND);
  }
}
