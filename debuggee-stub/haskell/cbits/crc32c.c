#include "crc32c.h"

#include <stdbool.h>
#include <string.h>

enum { VALUES = 256, BITS = 8 };

#define POLYNOMIAL 0x82F63B78U

static uint32_t by_table(uint32_t crc, const uint8_t *p, size_t length) {
  uint32_t table[VALUES];
  for (uint32_t i = 0; i < VALUES; i++) {
    table[i] = i;
    for (int bit = 0; bit < BITS; bit++) {
      table[i] = table[i] >> 1 ^ (table[i] & 1 ? POLYNOMIAL : 0);
    }
  }
  for (size_t i = 0; i < length; i++) {
    crc = crc >> BITS ^ table[(crc ^ p[i]) & (VALUES - 1)];
  }
  return crc;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const uint8_t *p,
                                                                 size_t length) {
  uint64_t wide = crc, word;
  for (; length >= sizeof word; p += sizeof word, length -= sizeof word) {
    memcpy(&word, p, sizeof word);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  crc = (uint32_t)wide;
  for (; length > 0; p++, length--) {
    crc = __builtin_ia32_crc32qi(crc, *p);
  }
  return crc;
}

static bool has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }

#else

static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t length) {
  return by_table(crc, p, length);
}

static bool has_instruction(void) { return false; }

#endif

uint32_t ghcdbg_crc32c(uint32_t before, const void *bytes, size_t length) {
  return ~(has_instruction() ? by_instruction(~before, bytes, length)
                             : by_table(~before, bytes, length));
}
