#include "response.h"

#include "bytes.h"

enum { FRAME_SIZE = 1 << 18, WORTH_REFERRING = 512 };

static void clear(struct ghcdbg_response *r) {
  r->body = 0;
  r->pieces = 0;
  r->copied_end = 0;
}

void ghcdbg_response_begin(struct ghcdbg_response *r, struct ghcdbg_connection *to) {
  r->to = to;
  clear(r);
}

static void flush(struct ghcdbg_response *r, enum ghcdbg_status status) {
  store_be32(r->header, (uint32_t)r->body);
  store_be16(r->header + 4, (uint16_t)status);
  r->piece[0] = (struct iovec){.iov_base = r->header, .iov_len = sizeof r->header};
  ghcdbg_connection_send(r->to, r->piece, 1 + r->pieces);
  clear(r);
}

static void append(struct ghcdbg_response *r, const void *bytes, size_t length) {
  r->pieces++;
  r->piece[r->pieces] = (struct iovec){.iov_base = (void *)bytes, .iov_len = length};
  r->body += length;
}

void ghcdbg_response_copy(struct ghcdbg_response *r, const void *bytes, size_t length) {
  const uint8_t *from = bytes;
  while (length > 0) {
    size_t part = length < GHCDBG_RESPONSE_COPIED ? length : GHCDBG_RESPONSE_COPIED;
    if (part > GHCDBG_RESPONSE_COPIED - r->copied_end ||
        r->pieces == GHCDBG_RESPONSE_PIECES || r->body >= FRAME_SIZE) {
      flush(r, GHCDBG_OKAY_CONTINUES);
    }
    uint8_t *to = r->copied + r->copied_end;
    memcpy(to, from, part);
    r->copied_end += part;
    struct iovec *last = &r->piece[r->pieces];
    if (r->pieces > 0 && (uint8_t *)last->iov_base + last->iov_len == to) {
      last->iov_len += part;
      r->body += part;
    } else {
      append(r, to, part);
    }
    from += part;
    length -= part;
  }
}

void ghcdbg_response_refer(struct ghcdbg_response *r, const void *bytes, size_t length) {
  if (length < WORTH_REFERRING) {
    ghcdbg_response_copy(r, bytes, length);
    return;
  }
  const uint8_t *from = bytes;
  while (length > 0) {
    if (r->pieces == GHCDBG_RESPONSE_PIECES || r->body >= FRAME_SIZE) {
      flush(r, GHCDBG_OKAY_CONTINUES);
    }
    size_t room = FRAME_SIZE - r->body;
    size_t part = length < room ? length : room;
    append(r, from, part);
    from += part;
    length -= part;
  }
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

void ghcdbg_response_finish(struct ghcdbg_response *r) { flush(r, GHCDBG_OKAY); }

void ghcdbg_response_fail(struct ghcdbg_response *r, enum ghcdbg_status status) {
  clear(r);
  flush(r, status);
}
