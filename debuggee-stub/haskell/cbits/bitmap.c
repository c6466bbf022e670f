#include "bitmap.h"

#include <stddef.h>
#include <string.h>

#include "blocks.h"
#include "closure.h"
#include "memory.h"
#include "rts.h"

enum {
  WORD = sizeof(StgWord),
  WORDS_MAX = 1 << 24, /* no frame is larger: stack chunks are much smaller */
  BITS = WORD_SIZE_IN_BITS
};

/* A bitmap of the RTS, in which a set bit means a non-pointer. */
struct bitmap {
  uint64_t size;    /* words described */
  uint64_t small;   /* the bits, if `address` is 0 */
  uint64_t address; /* of the words of a large bitmap */
};

static struct bitmap small_bitmap(StgWord packed) {
  return (struct bitmap){.size = BITMAP_SIZE(packed), .small = BITMAP_BITS(packed)};
}

/* Checks also that all of it can be read, so that sending it cannot fail. */
static bool large_bitmap(uint64_t address, struct bitmap *out) {
  StgWord size, last;
  if (!ghcdbg_memory_read(address, &size, sizeof size) || size > WORDS_MAX) {
    return false;
  }
  *out = (struct bitmap){.size = size, .address = address + offsetof(StgLargeBitmap, bitmap)};
  for (uint64_t word = 0; word < size; word += BITS) {
    if (!ghcdbg_memory_read(out->address + word / BITS * WORD, &last, sizeof last)) {
      return false;
    }
  }
  return true;
}

static void append(struct ghcdbg_response *r, const struct bitmap *b, uint64_t count) {
  StgWord bits = b->small;
  for (uint64_t word = 0; word < count && ghcdbg_response_step(r); word++) {
    if (b->address != 0 && word % BITS == 0 &&
        !ghcdbg_memory_read(b->address + word / BITS * WORD, &bits, sizeof bits)) {
      bits = 0;
    }
    uint8_t pointer = word < b->size && (bits >> word % BITS & 1) == 0;
    ghcdbg_response_copy(r, &pointer, sizeof pointer);
  }
}

static bool of_bco(uint64_t bco, struct bitmap *out) {
  uint64_t info;
  StgInfoTable table;
  return ghcdbg_closure_info(bco, &info, &table) && table.type == BCO &&
         large_bitmap(bco + offsetof(StgBCO, bitmap), out);
}

/* The type of the function that a table is for, and where its bitmap is. The
 * table may end before the fields that its function type does not use: what
 * is needed is read one by one. */
static bool function_type(uint64_t info, StgHalfWord *type, uint64_t *bitmap_at) {
  const uint64_t start = ghcdbg_table_start(info, sizeof(StgFunInfoTable));
  *bitmap_at = start + offsetof(StgFunInfoTable, f.b);
  return ghcdbg_memory_read(start + offsetof(StgFunInfoTable, f.fun_type), type, sizeof *type);
}

static bool of_function_table(uint64_t info, struct bitmap *out) {
  StgHalfWord type;
  uint64_t at;
  StgFunInfoExtraRev extra;
  if (!function_type(info, &type, &at)) {
    return false;
  }
  switch (type) {
    case ARG_GEN:
      if (!ghcdbg_memory_read(at, &extra.b, sizeof extra.b)) {
        return false;
      }
      *out = small_bitmap(extra.b.bitmap);
      return true;
    case ARG_GEN_BIG:
      return ghcdbg_memory_read(at, &extra.b, sizeof extra.b) &&
             large_bitmap(info + (uint64_t)(int64_t)extra.b.bitmap_offset, out);
    case ARG_BCO:
      return false;
    default:
      if (type > ARG_PPPPPPPP) {
        return false;
      }
      *out = small_bitmap(stg_arg_bitmaps[type]);
      return true;
  }
}

static bool is_function(const StgInfoTable *table) {
  return table->type >= FUN && table->type <= FUN_STATIC;
}

static bool of_arguments(uint64_t function, struct bitmap *out) {
  uint64_t info;
  StgInfoTable table;
  if (!ghcdbg_closure_info(function, &info, &table)) {
    return false;
  }
  return table.type == BCO ? of_bco(function, out)
                           : is_function(&table) && of_function_table(info, out);
}

static void append_packed(struct ghcdbg_response *r, const struct bitmap *b) {
  StgWord bits = ~b->small;
  ghcdbg_response_be32(r, (uint32_t)b->size);
  for (uint64_t word = 0; word < b->size; word += 8) {
    if (b->address != 0 && word % BITS == 0) {
      if (!ghcdbg_memory_read(b->address + word / BITS * WORD, &bits, sizeof bits)) {
        bits = 0;
      }
      bits = ~bits;
    }
    const uint64_t left = b->size - word;
    const uint8_t mask = left < 8 ? (uint8_t)((1U << left) - 1) : UINT8_MAX;
    const uint8_t eight = (uint8_t)(bits >> word % BITS) & mask;
    ghcdbg_response_copy(r, &eight, sizeof eight);
  }
}

void ghcdbg_bitmap_of_table(struct ghcdbg_response *r, uint64_t info,
                            const StgInfoTable *table) {
  StgHalfWord type = UINT32_MAX, arity = 0;
  uint64_t at;
  struct bitmap bits = {.size = 0};
  if (is_function(table)) {
    const uint64_t start = ghcdbg_table_start(info, sizeof(StgFunInfoTable));
    if (!function_type(info, &type, &at) ||
        !ghcdbg_memory_read(start + offsetof(StgFunInfoTable, f.arity), &arity, sizeof arity) ||
        !of_function_table(info, &bits)) {
      bits.size = 0;
    }
  } else if (table->type == RET_BIG &&
             !large_bitmap(info + (uint64_t)(int64_t)table->layout.large_bitmap_offset, &bits)) {
    bits.size = 0;
  }
  ghcdbg_response_be32(r, type);
  ghcdbg_response_be32(r, arity);
  append_packed(r, &bits);
}

bool ghcdbg_bitmap_of_function(struct ghcdbg_response *r, uint64_t function, uint32_t count) {
  struct bitmap bits;
  if (!of_arguments(ghcdbg_untag(function), &bits)) {
    return false;
  }
  ghcdbg_response_be32(r, count);
  append(r, &bits, count);
  return true;
}

/* The frame of the byte code interpreter: its BCO, then what the BCO's
 * bitmap describes. */
static bool append_interpreter_frame(struct ghcdbg_response *r, uint64_t frame) {
  uint64_t bco;
  struct bitmap bits;
  if (!ghcdbg_heap_read(frame + WORD, &bco, sizeof bco) || !of_bco(bco, &bits)) {
    return false;
  }
  const uint8_t pointer = 1;
  ghcdbg_response_be32(r, (uint32_t)(1 + bits.size));
  ghcdbg_response_copy(r, &pointer, sizeof pointer);
  append(r, &bits, bits.size);
  return true;
}

/* A function and its arguments: the frame's own size counts. */
static bool append_function_frame(struct ghcdbg_response *r, uint64_t frame) {
  StgRetFun fields;
  struct bitmap bits;
  if (!ghcdbg_heap_read(frame, &fields, sizeof fields) || fields.size > WORDS_MAX ||
      !of_arguments(ghcdbg_untag((uint64_t)(uintptr_t)fields.fun), &bits)) {
    return false;
  }
  ghcdbg_response_be32(r, (uint32_t)fields.size);
  append(r, &bits, fields.size);
  return true;
}

bool ghcdbg_bitmap_of_frame(struct ghcdbg_response *r, uint64_t frame) {
  uint64_t info;
  StgInfoTable table;
  struct bitmap bits;
  if (!ghcdbg_closure_info(frame, &info, &table)) {
    return false;
  }
  switch (table.type) {
    case RET_SMALL:
    case UPDATE_FRAME:
    case CATCH_FRAME:
    case UNDERFLOW_FRAME:
    case STOP_FRAME:
    case ATOMICALLY_FRAME:
    case CATCH_RETRY_FRAME:
    case CATCH_STM_FRAME:
      bits = small_bitmap(table.layout.bitmap);
      break;
    case RET_BIG:
      if (!large_bitmap(info + (uint64_t)(int64_t)table.layout.large_bitmap_offset, &bits)) {
        return false;
      }
      break;
    case RET_FUN:
      return append_function_frame(r, frame);
    case RET_BCO:
      return append_interpreter_frame(r, frame);
    default:
      return false;
  }
  ghcdbg_response_be32(r, (uint32_t)bits.size);
  append(r, &bits, bits.size);
  return true;
}
