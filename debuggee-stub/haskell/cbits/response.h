/*
 * One response, cut into frames. What is appended is copied, so that a
 * client may take its time to read: a frame is sent outside of the hold in
 * which it was filled. If the pause ends meanwhile, the response becomes
 * EXPIRED, and nothing more may be read out of the heap for it.
 */
#ifndef GHCDBG_RESPONSE_H
#define GHCDBG_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "connection.h"

enum ghcdbg_status {
  GHCDBG_OKAY = 0x0000,
  GHCDBG_OKAY_CONTINUES = 0x0001,
  GHCDBG_BAD_COMMAND = 0x0100,
  GHCDBG_ALREADY_PAUSED = 0x0101,
  GHCDBG_NOT_PAUSED = 0x0102,
  GHCDBG_BAD_STACK = 0x0104,
  GHCDBG_BUSY = 0x0105,
  GHCDBG_TIMED_OUT = 0x0106,
  GHCDBG_REFUSED = 0x0107,
  GHCDBG_UNAUTHORIZED = 0x0108,
  GHCDBG_FAILED = 0x0109,
  GHCDBG_EXPIRED = 0x010a
};

enum { GHCDBG_FRAME_HEADER = 6, GHCDBG_FRAME_BODY = 1 << 18 };

struct ghcdbg_response {
  struct ghcdbg_connection *to;
  bool held;      /* was begun in a hold, which is kept except while sending */
  bool expired;   /* the pause of that hold is over */
  uint64_t pause; /* its number */
  unsigned steps; /* since the pause could last end */
  size_t body;    /* bytes of the frame being gathered */
  uint8_t frame[GHCDBG_FRAME_HEADER + GHCDBG_FRAME_BODY];
};

void ghcdbg_response_begin(struct ghcdbg_response *r, struct ghcdbg_connection *to);

/* Takes a hold for the response, given back when it ends. False if the
 * program is not paused. */
bool ghcdbg_response_hold(struct ghcdbg_response *r);

/* Is there any use in going on? Also says if the heap may still be read. */
static inline bool ghcdbg_response_goes_on(const struct ghcdbg_response *r) {
  return !r->expired && !r->to->lost;
}

/* The same, for a step of something that can take long without sending: lets
 * the pause end now and then, if it is to. */
bool ghcdbg_response_step(struct ghcdbg_response *r);

void ghcdbg_response_copy(struct ghcdbg_response *r, const void *bytes, size_t length);
void ghcdbg_response_be16(struct ghcdbg_response *r, uint16_t value);
void ghcdbg_response_be32(struct ghcdbg_response *r, uint32_t value);
void ghcdbg_response_native64(struct ghcdbg_response *r, uint64_t value);

/* A big-endian length and the bytes. */
void ghcdbg_response_string(struct ghcdbg_response *r, const void *bytes, uint32_t length);

/* The same of a C string; of none if `text` is NULL. */
void ghcdbg_response_text(struct ghcdbg_response *r, const char *text);

/* Sends what was gathered; the response goes on. */
void ghcdbg_response_send(struct ghcdbg_response *r);

/* Sends the rest as the last frame. */
void ghcdbg_response_finish(struct ghcdbg_response *r);

/* Drops what was gathered and sends a last frame with the reason, which may
 * be NULL. */
void ghcdbg_response_fail(struct ghcdbg_response *r, enum ghcdbg_status status,
                          const char *reason);

#endif
