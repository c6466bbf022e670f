#include "request.h"

#include "bytes.h"

enum { COMMAND_FIELD = 4, COUNT_FIELD = 2, POINTER = 8 };

enum ghcdbg_framing ghcdbg_request_frame(const uint8_t *bytes, size_t available,
                                         uint32_t *length) {
  if (available < GHCDBG_LENGTH_FIELD) {
    return GHCDBG_FRAME_PARTIAL;
  }
  *length = load_be32(bytes);
  if (*length < COMMAND_FIELD) {
    return GHCDBG_FRAME_BROKEN;
  }
  if (*length > GHCDBG_REQUEST_MAX) {
    return GHCDBG_FRAME_TOO_LONG;
  }
  return available - GHCDBG_LENGTH_FIELD < *length ? GHCDBG_FRAME_PARTIAL
                                                   : GHCDBG_FRAME_COMPLETE;
}

/* What is left of a payload. Reading beyond its end gives zeros and `whole`
 * becomes false. */
struct payload {
  const uint8_t *at;
  size_t left;
  bool whole;
};

static const uint8_t *take(struct payload *p, uint64_t bytes) {
  static const uint8_t zeros[POINTER];
  if (bytes > p->left) {
    p->whole = false;
    p->left = 0;
    return zeros;
  }
  const uint8_t *at = p->at;
  p->at += bytes;
  p->left -= bytes;
  return at;
}

static uint8_t take8(struct payload *p) { return *take(p, 1); }
static uint16_t take16(struct payload *p) { return load_be16(take(p, COUNT_FIELD)); }
static uint32_t take32(struct payload *p) { return load_be32(take(p, 4)); }
static uint64_t take64(struct payload *p) { return load_native64(take(p, POINTER)); }

static void take_pointers(struct payload *p, struct ghcdbg_request *out, uint32_t count,
                          unsigned each) {
  out->count = count;
  out->pointers = take(p, (uint64_t)count * each);
}

static void take_text(struct payload *p, struct ghcdbg_request *out) {
  out->text_length = take32(p);
  out->text = take(p, out->text_length);
}

static void parse_pause(struct payload *p, struct ghcdbg_request *out) {
  out->mode = take8(p);
  out->collect = take8(p) & 1;
  take16(p);
  out->budget_millis = take32(p);
  out->wait_millis = take32(p);
}

/* False if the command is not known. */
static bool parse_extension(struct payload *p, struct ghcdbg_request *out) {
  switch (out->command) {
    case GHCDBG_STATE:
    case GHCDBG_BLOCK_LIST:
    case GHCDBG_ROOTS2:
    case GHCDBG_WEAKS:
    case GHCDBG_THREADS:
    case GHCDBG_RTS_FIGURES:
    case GHCDBG_SAVED2:
    case GHCDBG_MEMORY_PROBE:
    case GHCDBG_LOG_STATE:
      return true;
    case GHCDBG_HELLO:
      if (p->left > 0) {
        take32(p);
        take_text(p, out);
      }
      return true;
    case GHCDBG_AUTH:
      take_text(p, out);
      return true;
    case GHCDBG_PAUSE2:
      parse_pause(p, out);
      return true;
    case GHCDBG_RENEW:
      out->budget_millis = take32(p);
      return true;
    case GHCDBG_CONTROL:
      out->mode = take8(p);
      return true;
    case GHCDBG_BLOCK_CONTENTS:
      out->all = p->left == 0;
      if (!out->all) {
        take_pointers(p, out, take32(p), POINTER);
      }
      return true;
    case GHCDBG_COMPACT:
      take_pointers(p, out, take32(p), POINTER);
      return true;
    case GHCDBG_READ_MEMORY:
      take_pointers(p, out, take32(p), 2 * POINTER);
      return true;
    case GHCDBG_REACHABLE:
      out->budget = take64(p);
      out->choice = take32(p);
      take_pointers(p, out, take32(p), POINTER);
      return true;
    case GHCDBG_INFO_TABLES2:
      out->choice = take32(p);
      take_pointers(p, out, take32(p), POINTER);
      return true;
    case GHCDBG_GC:
      out->mode = take8(p);
      out->wait_millis = take32(p);
      return true;
    case GHCDBG_LOG_START:
      out->mode = take8(p);
      out->take_over = take8(p) & 1;
      take16(p);
      out->wait_millis = take32(p);
      out->classes_on = take32(p);
      take_text(p, out);
      return true;
    case GHCDBG_LOG_STOP:
    case GHCDBG_LOG_FLUSH:
      out->wait_millis = take32(p);
      return true;
    case GHCDBG_LOG_CLASSES:
      out->classes_on = take32(p);
      out->classes_off = take32(p);
      return true;
    case GHCDBG_HEAP_PROFILE:
      out->mode = take8(p);
      out->wait_millis = take32(p);
      return true;
    default:
      return false;
  }
}

/* False if the command is not known. */
static bool parse_command(struct payload *p, struct ghcdbg_request *out) {
  switch (out->command) {
    case GHCDBG_VERSION:
    case GHCDBG_RESUME:
    case GHCDBG_ROOTS:
    case GHCDBG_POLL:
    case GHCDBG_SAVED_OBJECTS:
    case GHCDBG_ALL_BLOCKS:
    case GHCDBG_CCS_MAIN:
      return true;
    case GHCDBG_PAUSE:
      out->mode = take8(p);
      return true;
    case GHCDBG_CLOSURES:
    case GHCDBG_INFO_TABLES:
    case GHCDBG_SRT:
      take_pointers(p, out, take16(p), POINTER);
      return true;
    case GHCDBG_STACK_BITMAP:
      out->address = take64(p);
      out->offset = take32(p);
      return true;
    case GHCDBG_FUN_BITMAP:
      out->address = take64(p);
      out->count = take16(p);
      return true;
    case GHCDBG_CON_DESCR:
    case GHCDBG_SOURCE_INFO:
    case GHCDBG_BLOCK:
    case GHCDBG_CCS:
    case GHCDBG_CC:
    case GHCDBG_INDEX_TABLE:
      out->address = take64(p);
      return true;
    default:
      return parse_extension(p, out);
  }
}

void ghcdbg_request_parse(const uint8_t *bytes, uint32_t length,
                          struct ghcdbg_request *out) {
  *out = (struct ghcdbg_request){.command = load_be32(bytes)};
  struct payload payload = {
      .at = bytes + COMMAND_FIELD, .left = length - COMMAND_FIELD, .whole = true};
  out->well_formed = parse_command(&payload, out) && payload.whole;
}
