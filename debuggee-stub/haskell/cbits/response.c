#include "response.h"

#include <string.h>

#include "bytes.h"
#include "copy.h"
#include "pause.h"

enum { STEPS = 1024 };

void ghcdbg_response_begin(struct ghcdbg_response *r, struct ghcdbg_connection *to) {
  r->to = to;
  r->held = r->expired = false;
  r->body = 0;
  r->steps = 0;
}

bool ghcdbg_response_hold(struct ghcdbg_response *r) {
  r->held = ghcdbg_hold(r->to);
  if (r->held) {
    r->pause = ghcdbg_pause_number();
  }
  return r->held;
}

static void give_hold_back(struct ghcdbg_response *r) {
  if (r->held) {
    ghcdbg_unhold();
    r->held = false;
  }
}

static void take_hold_again(struct ghcdbg_response *r) {
  if (ghcdbg_response_goes_on(r)) {
    r->held = ghcdbg_hold(r->to);
    r->expired = !r->held || ghcdbg_pause_number() != r->pause;
  }
}

bool ghcdbg_response_step(struct ghcdbg_response *r) {
  r->steps++;
  if (r->steps % STEPS == 0) {
    ghcdbg_copy_check();
    if (r->held) {
      give_hold_back(r);
      take_hold_again(r);
    }
  }
  return ghcdbg_response_goes_on(r);
}

static void flush(struct ghcdbg_response *r, enum ghcdbg_status status) {
  store_be32(r->frame, (uint32_t)r->body);
  store_be16(r->frame + 4, (uint16_t)status);
  const bool held = r->held;
  give_hold_back(r);
  ghcdbg_connection_send(r->to, r->frame, GHCDBG_FRAME_HEADER + r->body);
  r->body = 0;
  if (held && status == GHCDBG_OKAY_CONTINUES) {
    take_hold_again(r);
  }
}

void ghcdbg_response_copy(struct ghcdbg_response *r, const void *bytes, size_t length) {
  const uint8_t *from = bytes;
  while (length > 0 && ghcdbg_response_goes_on(r)) {
    if (r->body == GHCDBG_FRAME_BODY) {
      flush(r, GHCDBG_OKAY_CONTINUES);
      continue;
    }
    const size_t room = GHCDBG_FRAME_BODY - r->body;
    const size_t part = length < room ? length : room;
    memcpy(r->frame + GHCDBG_FRAME_HEADER + r->body, from, part);
    r->body += part;
    from += part;
    length -= part;
  }
}

void ghcdbg_response_be16(struct ghcdbg_response *r, uint16_t value) {
  uint8_t bytes[2];
  store_be16(bytes, value);
  ghcdbg_response_copy(r, bytes, sizeof bytes);
}

void ghcdbg_response_be32(struct ghcdbg_response *r, uint32_t value) {
  uint8_t bytes[4];
  store_be32(bytes, value);
  ghcdbg_response_copy(r, bytes, sizeof bytes);
}

void ghcdbg_response_native64(struct ghcdbg_response *r, uint64_t value) {
  ghcdbg_response_copy(r, &value, sizeof value);
}

void ghcdbg_response_string(struct ghcdbg_response *r, const void *bytes, uint32_t length) {
  ghcdbg_response_be32(r, length);
  ghcdbg_response_copy(r, bytes, length);
}

void ghcdbg_response_text(struct ghcdbg_response *r, const char *text) {
  ghcdbg_response_string(r, text, text == NULL ? 0 : (uint32_t)strlen(text));
}

void ghcdbg_response_send(struct ghcdbg_response *r) {
  if (r->body > 0 && ghcdbg_response_goes_on(r)) {
    flush(r, GHCDBG_OKAY_CONTINUES);
  }
}

void ghcdbg_response_finish(struct ghcdbg_response *r) {
  if (r->expired) {
    ghcdbg_response_fail(r, GHCDBG_EXPIRED, NULL);
  } else {
    flush(r, GHCDBG_OKAY);
  }
}

void ghcdbg_response_fail(struct ghcdbg_response *r, enum ghcdbg_status status,
                          const char *reason) {
  r->expired = false;
  r->body = 0;
  if (reason != NULL) {
    ghcdbg_response_copy(r, reason, strlen(reason));
  }
  flush(r, status);
}
