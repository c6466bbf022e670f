/*
 * What each request means, field by field, and that every shorter one is
 * malformed.
 */
#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "check.h"
#include "crc32c.h"
#include "request.h"

struct bytes {
  uint8_t at[256];
  uint32_t length;
};

static struct bytes request(uint32_t command) {
  struct bytes b = {.length = 4};
  store_be32(b.at, command);
  return b;
}

static void add8(struct bytes *b, uint8_t value) { b->at[b->length++] = value; }
static void add16(struct bytes *b, uint16_t value) {
  store_be16(b->at + b->length, value);
  b->length += 2;
}
static void add32(struct bytes *b, uint32_t value) {
  store_be32(b->at + b->length, value);
  b->length += 4;
}
static void add64(struct bytes *b, uint64_t value) {
  memcpy(b->at + b->length, &value, sizeof value);
  b->length += 8;
}

static struct ghcdbg_request parse(const struct bytes *b) {
  struct ghcdbg_request q;
  ghcdbg_request_parse(b->at, b->length, &q);
  return q;
}

/* Whole it means something, every part of it nothing, and more the same. */
static struct ghcdbg_request whole(struct bytes b) {
  static struct bytes kept; /* what the result points into */
  const uint32_t length = b.length;
  for (b.length = 4; b.length < length; b.length++) {
    CHECK(!parse(&b).well_formed);
  }
  add8(&b, 0xee);
  CHECK(parse(&b).well_formed);
  kept = b;
  kept.length = length;
  const struct ghcdbg_request q = parse(&kept);
  CHECK(q.well_formed);
  return q;
}

static void pauses(void) {
  struct bytes b = request(GHCDBG_PAUSE2);
  add8(&b, 1);
  add8(&b, 1);
  add16(&b, 0);
  add32(&b, 2000);
  add32(&b, 300);
  struct ghcdbg_request q = whole(b);
  CHECK(q.mode == 1 && q.collect && q.budget_millis == 2000 && q.wait_millis == 300);
  b = request(GHCDBG_GC);
  add8(&b, 1);
  add32(&b, 7);
  q = whole(b);
  CHECK(q.mode == 1 && q.wait_millis == 7);
}

static void lists(void) {
  struct bytes b = request(GHCDBG_CLOSURES);
  add16(&b, 2);
  add64(&b, 0x4200000010);
  add64(&b, 0x4200000020);
  struct ghcdbg_request q = whole(b);
  CHECK(q.count == 2 && load_native64(q.pointers + 8) == 0x4200000020);
  b = request(GHCDBG_REACHABLE);
  add64(&b, 1 << 20);
  add32(&b, 1);
  add32(&b, 1);
  add64(&b, 0x4200000010);
  q = whole(b);
  CHECK(q.budget == 1 << 20 && q.choice == 1 && q.count == 1 &&
        load_native64(q.pointers) == 0x4200000010);
  b = request(GHCDBG_READ_MEMORY);
  add32(&b, 1);
  add64(&b, 0x400000);
  add64(&b, 16);
  q = whole(b);
  CHECK(q.count == 1 && load_native64(q.pointers + 8) == 16);
  b = request(GHCDBG_BLOCK_CONTENTS);
  CHECK(parse(&b).well_formed && parse(&b).all);
  add32(&b, 0x20000000); /* times 8 is 0 in 32 bits */
  CHECK(!parse(&b).well_formed);
}

static void texts(void) {
  struct bytes b = request(GHCDBG_AUTH);
  add32(&b, 2);
  add16(&b, 0x6869);
  const struct ghcdbg_request q = whole(b);
  CHECK(q.text_length == 2 && memcmp(q.text, "hi", 2) == 0);
  b = request(GHCDBG_HELLO);
  CHECK(parse(&b).well_formed);
}

static void frames(void) {
  uint32_t length;
  uint8_t bytes[8] = {0, 0, 0, 4};
  CHECK(ghcdbg_request_frame(bytes, 3, &length) == GHCDBG_FRAME_PARTIAL);
  CHECK(ghcdbg_request_frame(bytes, 7, &length) == GHCDBG_FRAME_PARTIAL);
  CHECK(ghcdbg_request_frame(bytes, 8, &length) == GHCDBG_FRAME_COMPLETE && length == 4);
  store_be32(bytes, 3);
  CHECK(ghcdbg_request_frame(bytes, 8, &length) == GHCDBG_FRAME_BROKEN);
  store_be32(bytes, GHCDBG_REQUEST_MAX + 1);
  CHECK(ghcdbg_request_frame(bytes, 8, &length) == GHCDBG_FRAME_TOO_LONG);
}

static void checksums(void) {
  /* The example of RFC 3720, B.4, and the customary one. */
  const uint8_t zeros[32] = {0};
  CHECK(ghcdbg_crc32c(0, zeros, sizeof zeros) == 0x8a9136aa);
  CHECK(ghcdbg_crc32c(0, "123456789", 9) == 0xe3069283);
  CHECK(ghcdbg_crc32c(ghcdbg_crc32c(0, "1234", 4), "56789", 5) == 0xe3069283);
}

int main(void) {
  frames();
  pauses();
  lists();
  texts();
  checksums();
  printf("request-test: ok\n");
  return 0;
}
