/*
 * Unaligned loads and stores in the byte orders of the wire: lengths and
 * counts are big endian, pointers and profiling numbers are native.
 */
#ifndef GHCDBG_BYTES_H
#define GHCDBG_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint16_t load_be16(const uint8_t *p) {
  return (uint16_t)((uint16_t)p[0] << 8 | p[1]);
}

static inline uint32_t load_be32(const uint8_t *p) {
  return (uint32_t)load_be16(p) << 16 | load_be16(p + 2);
}

static inline uint64_t load_native64(const uint8_t *p) {
  uint64_t value;
  memcpy(&value, p, sizeof value);
  return value;
}

static inline void store_be16(uint8_t *p, uint16_t value) {
  p[0] = (uint8_t)(value >> 8);
  p[1] = (uint8_t)value;
}

static inline void store_be32(uint8_t *p, uint32_t value) {
  store_be16(p, (uint16_t)(value >> 16));
  store_be16(p + 2, (uint16_t)value);
}

static inline void store_native64(uint8_t *p, uint64_t value) {
  memcpy(p, &value, sizeof value);
}

#endif
