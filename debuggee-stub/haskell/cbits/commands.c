#include "commands.h"

#include <stdlib.h>

#include "bitmap.h"
#include "blocks.h"
#include "bytes.h"
#include "closure.h"
#include "copy.h"
#include "costcentre.h"
#include "extensions.h"
#include "infotables.h"
#include "memory.h"
#include "pause.h"
#include "reachable.h"
#include "response.h"
#include "rts.h"
#include "saved.h"
#include "server.h"
#include "sourceinfo.h"

enum {
  /* Longest group of blocks that no list names. */
  UNLISTED_MAX = GHCDBG_SCRATCH
};

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

static bool roots(struct ghcdbg_response *r) {
  size_t threads, others;
  uint64_t *address = ghcdbg_list_roots(&threads, &others);
  if (address == NULL) {
    return false;
  }
  ghcdbg_response_copy(r, address, (threads + others) * sizeof *address);
  free(address);
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
      group == NULL ? GHCDBG_OUTSIDE_MAX : group->start + group->length - address;
  if (words == 0 || words > room / sizeof(StgWord)) {
    return false;
  }
  const uint64_t bytes = words * sizeof(StgWord);
  const void *from = (const void *)(uintptr_t)address;
  if (group == NULL) {
    if (!ghcdbg_memory_read(address, r->to->scratch, bytes)) {
      return false;
    }
    ghcdbg_response_string(r, r->to->scratch, (uint32_t)bytes);
  } else {
    const uint32_t length = clamp_length(bytes);
    ghcdbg_response_be32(r, length);
    ghcdbg_response_copy(r, from, length);
  }
  return true;
}

static bool closures(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  for (uint32_t i = 0; i < q->count && ghcdbg_response_step(r); i++) {
    if (!append_closure(r, ghcdbg_untag(pointer_at(q, i)))) {
      ghcdbg_response_be32(r, 0);
    }
  }
  return true;
}

static bool info_tables(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  StgInfoTable table;
  for (uint32_t i = 0; i < q->count && ghcdbg_response_step(r); i++) {
    const bool known = ghcdbg_info_read(pointer_at(q, i), &table);
    ghcdbg_response_string(r, &table, known ? sizeof table : 0);
  }
  return true;
}

static bool reference_tables(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  StgInfoTable table;
  for (uint32_t i = 0; i < q->count && ghcdbg_response_step(r); i++) {
    const uint64_t info = pointer_at(q, i);
    const bool known = ghcdbg_info_read(info, &table);
    ghcdbg_response_native64(r, known ? ghcdbg_info_srt(info, &table) : 0);
  }
  return true;
}

static bool constructor_description(struct ghcdbg_response *r, uint64_t info) {
  uint32_t length;
  const char *text = ghcdbg_constructor_description(info, &length);
  if (text != NULL) {
    ghcdbg_response_string(r, text, length);
  }
  return text != NULL;
}

static void append_block_header(struct ghcdbg_response *r, const struct ghcdbg_group *group,
                                uint32_t length) {
  ghcdbg_response_copy(r, &group->flags, sizeof group->flags);
  ghcdbg_response_native64(r, group->start);
  ghcdbg_response_be32(r, length);
}

static void append_listed_block(struct ghcdbg_response *r, struct ghcdbg_group group) {
  const uint32_t length = clamp_length(group.length);
  append_block_header(r, &group, length);
  ghcdbg_response_copy(r, (const void *)(uintptr_t)group.start, length);
}

static bool all_blocks(struct ghcdbg_response *r) {
  size_t count;
  const struct ghcdbg_group *group = ghcdbg_blocks(&count);
  if (group == NULL) {
    return false;
  }
  for (size_t i = 0; i < count && ghcdbg_response_goes_on(r); i++) {
    append_listed_block(r, group[i]);
  }
  return true;
}

static bool block(struct ghcdbg_response *r, uint64_t address) {
  const struct ghcdbg_group *listed = ghcdbg_blocks_find(address);
  if (listed != NULL) {
    append_listed_block(r, *listed);
    return true;
  }
  struct ghcdbg_group group;
  if (!ghcdbg_blocks_describe(address, &group) || group.length > UNLISTED_MAX ||
      !ghcdbg_memory_read(group.start, r->to->scratch, group.length)) {
    return false;
  }
  append_block_header(r, &group, (uint32_t)group.length);
  ghcdbg_response_copy(r, r->to->scratch, group.length);
  return true;
}

void ghcdbg_command_bad(struct ghcdbg_connection *c) {
  ghcdbg_response_begin(c->response, c);
  ghcdbg_response_fail(c->response, GHCDBG_BAD_COMMAND, NULL);
}

void ghcdbg_command_answer_polls(struct ghcdbg_connection *c) {
  for (; c->polls > 0; c->polls--) {
    ghcdbg_response_begin(c->response, c);
    if (ghcdbg_response_hold(c->response)) { /* counts the client as a reader */
      ghcdbg_response_finish(c->response);
    } else {
      return;
    }
  }
}

/* What a command may be executed in. */
static bool needs_pause(uint32_t command) {
  switch (command) {
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
      return ghcdbg_extension_needs_pause(command);
  }
}

/* Executes a well-formed command that only reads, in a state that it may be
 * executed in. False for BAD_COMMAND. */
static bool execute(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  switch (q->command) {
    case GHCDBG_VERSION:
      return version(r);
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

/* The old commands' answers say no more than a status. */
static void answer_status(struct ghcdbg_connection *c, enum ghcdbg_status status) {
  ghcdbg_response_begin(c->response, c);
  if (status == GHCDBG_OKAY) {
    ghcdbg_response_finish(c->response);
  } else {
    ghcdbg_response_fail(c->response, status, NULL);
  }
}

static void pause_program(struct ghcdbg_connection *c, const struct ghcdbg_request *q) {
  struct ghcdbg_pause_answer answer;
  const struct ghcdbg_pause_wish wish = {.mode = GHCDBG_MODE_HOLD};
  if (q->mode != 0 || ghcdbg_pausing_deadlocks() || ghcdbg_is_copy()) {
    ghcdbg_command_bad(c);
    return;
  }
  ghcdbg_pause_ask(c, &wish, &answer);
  ghcdbg_command_answer_polls(c);
  switch (answer.outcome) {
    case GHCDBG_DONE:
      answer_status(c, GHCDBG_OKAY);
      break;
    case GHCDBG_IS_PAUSED:
    case GHCDBG_IS_BUSY:
      answer_status(c, GHCDBG_ALREADY_PAUSED);
      break;
    default:
      answer_status(c, GHCDBG_BAD_COMMAND);
  }
}

static void resume_program(struct ghcdbg_connection *c) {
  if (ghcdbg_is_copy()) {
    answer_status(c, GHCDBG_OKAY);
    c->resumed = true;
    return;
  }
  switch (ghcdbg_pause_resume(c)) {
    case GHCDBG_DONE:
      answer_status(c, GHCDBG_OKAY);
      break;
    case GHCDBG_IS_BUSY:
      answer_status(c, GHCDBG_BUSY);
      break;
    default:
      answer_status(c, GHCDBG_NOT_PAUSED);
  }
}

/* One that has not shown its token gets no answer but this. */
static bool refused(struct ghcdbg_connection *c, const struct ghcdbg_request *q) {
  if (q->command == GHCDBG_AUTH && q->well_formed &&
      ghcdbg_server_is_token(q->text, q->text_length)) {
    ghcdbg_server_authorize(c);
  }
  if (!c->authorized) {
    answer_status(c, GHCDBG_UNAUTHORIZED);
    c->lost = true;
  }
  return !c->authorized;
}

void ghcdbg_command(struct ghcdbg_connection *c, const struct ghcdbg_request *q) {
  struct ghcdbg_response *r = c->response;
  ghcdbg_memory_forget();
  if (refused(c, q)) {
    return;
  }
  ghcdbg_response_begin(r, c);
  if (needs_pause(q->command) && !ghcdbg_response_hold(r)) {
    ghcdbg_response_fail(r, GHCDBG_NOT_PAUSED, NULL);
  } else if (q->command == GHCDBG_RESUME) {
    resume_program(c);
  } else if (!q->well_formed) {
    ghcdbg_response_fail(r, GHCDBG_BAD_COMMAND, NULL);
  } else if (q->command == GHCDBG_PAUSE) {
    pause_program(c, q);
  } else if (q->command == GHCDBG_POLL) {
    c->polls++;
    ghcdbg_command_answer_polls(c);
  } else if (q->command == GHCDBG_STACK_BITMAP) {
    if (ghcdbg_bitmap_of_frame(r, q->address + q->offset)) {
      ghcdbg_response_finish(r);
    } else {
      ghcdbg_response_fail(r, GHCDBG_BAD_STACK, NULL);
    }
  } else if (ghcdbg_is_extension(q->command)) {
    ghcdbg_extension(r, q);
  } else if (execute(r, q)) {
    ghcdbg_response_finish(r);
  } else {
    ghcdbg_response_fail(r, GHCDBG_BAD_COMMAND, NULL);
  }
}
