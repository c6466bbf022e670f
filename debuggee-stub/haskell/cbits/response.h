/*
 * One response, cut into frames of up to a quarter of a megabyte. Used by
 * the server thread only.
 */
#ifndef GHCDBG_RESPONSE_H
#define GHCDBG_RESPONSE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "connection.h"

enum ghcdbg_status {
  GHCDBG_OKAY = 0x0000,
  GHCDBG_OKAY_CONTINUES = 0x0001,
  GHCDBG_BAD_COMMAND = 0x0100,
  GHCDBG_ALREADY_PAUSED = 0x0101,
  GHCDBG_NOT_PAUSED = 0x0102,
  GHCDBG_BAD_STACK = 0x0104
};

enum {
  GHCDBG_RESPONSE_PIECES = 256,
  GHCDBG_RESPONSE_COPIED = 1 << 16,
  GHCDBG_FRAME_HEADER = 6
};

struct ghcdbg_response {
  struct ghcdbg_connection *to;
  size_t body; /* bytes of the frame being gathered */
  size_t pieces;
  size_t copied_end;
  struct iovec piece[1 + GHCDBG_RESPONSE_PIECES]; /* the first is the header */
  uint8_t header[GHCDBG_FRAME_HEADER];
  uint8_t copied[GHCDBG_RESPONSE_COPIED];
};

void ghcdbg_response_begin(struct ghcdbg_response *r, struct ghcdbg_connection *to);

/* Appends bytes that the caller may change afterwards. */
void ghcdbg_response_copy(struct ghcdbg_response *r, const void *bytes, size_t length);

/* Appends bytes that stay as they are until the response is finished, for
 * instance those of a heap block in a paused program. */
void ghcdbg_response_refer(struct ghcdbg_response *r, const void *bytes, size_t length);

void ghcdbg_response_be32(struct ghcdbg_response *r, uint32_t value);
void ghcdbg_response_native64(struct ghcdbg_response *r, uint64_t value);

/* A big-endian length and the bytes. */
void ghcdbg_response_string(struct ghcdbg_response *r, const void *bytes, uint32_t length);

/* Sends the rest as the last frame. */
void ghcdbg_response_finish(struct ghcdbg_response *r);

/* Drops what was gathered and sends an empty last frame. */
void ghcdbg_response_fail(struct ghcdbg_response *r, enum ghcdbg_status status);

#endif
