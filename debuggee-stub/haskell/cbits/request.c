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

static bool parse_pointers(const uint8_t *payload, size_t length,
                           struct ghcdbg_request *out) {
  if (length < COUNT_FIELD) {
    return false;
  }
  out->count = load_be16(payload);
  out->pointers = payload + COUNT_FIELD;
  return length - COUNT_FIELD >= (size_t)out->count * POINTER;
}

static bool parse_payload(const uint8_t *payload, size_t length,
                          struct ghcdbg_request *out) {
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
      if (length < 1) {
        return false;
      }
      out->mode = payload[0];
      return true;
    case GHCDBG_CLOSURES:
    case GHCDBG_INFO_TABLES:
    case GHCDBG_SRT:
      return parse_pointers(payload, length, out);
    case GHCDBG_STACK_BITMAP:
      if (length < POINTER + 4) {
        return false;
      }
      out->address = load_native64(payload);
      out->offset = load_be32(payload + POINTER);
      return true;
    case GHCDBG_FUN_BITMAP:
      if (length < POINTER + COUNT_FIELD) {
        return false;
      }
      out->address = load_native64(payload);
      out->count = load_be16(payload + POINTER);
      return true;
    case GHCDBG_CON_DESCR:
    case GHCDBG_SOURCE_INFO:
    case GHCDBG_BLOCK:
    case GHCDBG_CCS:
    case GHCDBG_CC:
    case GHCDBG_INDEX_TABLE:
      if (length < POINTER) {
        return false;
      }
      out->address = load_native64(payload);
      return true;
    default:
      return false;
  }
}

void ghcdbg_request_parse(const uint8_t *bytes, uint32_t length,
                          struct ghcdbg_request *out) {
  *out = (struct ghcdbg_request){.command = load_be32(bytes)};
  out->well_formed =
      parse_payload(bytes + COMMAND_FIELD, length - COMMAND_FIELD, out);
}
