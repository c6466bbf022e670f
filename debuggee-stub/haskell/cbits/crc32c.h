/*
 * CRC32C, the checksum of snapshot files: Castagnoli's polynomial, reflected.
 */
#ifndef GHCDBG_CRC32C_H
#define GHCDBG_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Of the bytes after those that gave `before`; 0 before the first. */
uint32_t ghcdbg_crc32c(uint32_t before, const void *bytes, size_t length);

#endif
