/*
 * What comes over the socket, cut into requests and parsed, as the server does
 * it. For libFuzzer (`./run fuzz`), and with a main of its own for machines
 * without clang (`./run`): mutations of well-formed requests, a fixed number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "request.h"

static void check(bool holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "fuzz-request: %s\n", what);
    abort();
  }
}

static volatile uint64_t sink; /* so that what is read is not optimized away */

/* All that a command may read lies in its request. */
static void use(const struct ghcdbg_request *q, const uint8_t *bytes, size_t length) {
  uint64_t sum = q->address + q->offset + q->mode + q->choice + q->budget;
  if (q->well_formed && q->pointers != NULL) {
    const size_t each = q->command == GHCDBG_READ_MEMORY ? 16 : 8;
    check(q->count == 0 || (q->pointers >= bytes &&
                            q->pointers + q->count * each <= bytes + length),
          "pointers outside of the request");
    for (size_t i = 0; i < q->count * each; i += 8) {
      sum += load_native64(q->pointers + i);
    }
  }
  if (q->well_formed && q->text_length > 0) {
    check(q->text >= bytes && q->text + q->text_length <= bytes + length,
          "text outside of the request");
    for (size_t i = 0; i < q->text_length; i++) {
      sum += q->text[i];
    }
  }
  sink = sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  while (true) {
    uint32_t length;
    const enum ghcdbg_framing framing = ghcdbg_request_frame(data, size, &length);
    if (framing != GHCDBG_FRAME_COMPLETE) {
      return 0;
    }
    check(length >= 4 && length <= size - GHCDBG_LENGTH_FIELD, "a frame beyond what was read");
    /* A copy of its own, so that a sanitizer sees what is read behind it. */
    uint8_t *bytes = malloc(length);
    struct ghcdbg_request request;
    memcpy(bytes, data + GHCDBG_LENGTH_FIELD, length);
    ghcdbg_request_parse(bytes, length, &request);
    use(&request, bytes, length);
    free(bytes);
    data += GHCDBG_LENGTH_FIELD + length;
    size -= GHCDBG_LENGTH_FIELD + length;
  }
}

#if !defined(FUZZER)

enum { LONGEST = 256, RUNS = 1000000 };

static uint64_t state = 88172645463325252u;

static uint32_t any(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 33) % below;
}

/* Some of the lengths and counts are right, so that parsers get far. */
static size_t make_request(uint8_t *out) {
  const uint32_t payload = any(LONGEST - 8);
  store_be32(out, 4 + payload);
  store_be32(out + 4, any(4) == 0 ? any(32) : 0x100 + any(0x30));
  for (uint32_t i = 0; i < payload; i++) {
    out[8 + i] = (uint8_t)(any(3) == 0 ? any(256) : 0);
  }
  for (uint32_t mutations = any(3); mutations > 0; mutations--) {
    out[any(8 + payload)] = (uint8_t)any(256);
  }
  return any(8) == 0 ? any(8 + payload) : 8 + payload;
}

int main(void) {
  uint8_t bytes[4 * LONGEST];
  for (int i = 0; i < RUNS; i++) {
    size_t length = 0;
    for (uint32_t requests = 1 + any(4); requests > 0; requests--) {
      length += make_request(bytes + length);
    }
    LLVMFuzzerTestOneInput(bytes, length);
  }
  printf("fuzz-request: %d inputs\n", RUNS);
  return 0;
}

#endif
