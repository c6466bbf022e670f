/*
 * Writes snapshot files (docs/snapshot-format.md), chunk by chunk.
 */
#ifndef GHCDBG_CHUNKFILE_H
#define GHCDBG_CHUNKFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ghcdbg_chunk_kind {
  GHCDBG_CHUNK_METADATA = 1,
  GHCDBG_CHUNK_BLOCKS = 2,
  GHCDBG_CHUNK_MEMORY = 4,
  GHCDBG_CHUNK_ROOTS = 5,
  GHCDBG_CHUNK_SAVED = 6,
  GHCDBG_CHUNK_INFO_TABLES = 7,
  GHCDBG_CHUNK_SOURCES = 9,
  GHCDBG_CHUNK_FUN_BITMAPS = 10,
  GHCDBG_CHUNK_FRAME_BITMAPS = 11,
  GHCDBG_CHUNK_SUMMARY = 12,
  GHCDBG_CHUNK_DIRECTORY = 13
};

enum { GHCDBG_CHUNK_PAYLOAD = 1 << 20, GHCDBG_CHUNK_EXTENTS = 1 << 10 };

struct ghcdbg_extent {
  uint64_t address;
  uint32_t length;
  uint16_t flags;
  uint8_t goes_on;
  uint8_t zero;
};

struct ghcdbg_chunkfile {
  int fd;
  int error;         /* errno of the first failure, 0 = none */
  uint64_t written;  /* bytes */
  uint32_t chunks;
  enum ghcdbg_chunk_kind kind; /* of the chunk being filled */
  size_t extents, payload;     /* what it has so far */
  struct ghcdbg_extent extent[GHCDBG_CHUNK_EXTENTS];
  uint8_t bytes[GHCDBG_CHUNK_PAYLOAD];
  uint8_t *directory; /* headers and descriptors of all chunks */
  size_t directory_length, directory_capacity;
};

/* Begins the file on the descriptor, which stays the caller's. */
void ghcdbg_chunkfile_begin(struct ghcdbg_chunkfile *f, int fd);

/* An entry of a table is so many bytes, to be filled in: NULL if it is too
 * long for a chunk. */
uint8_t *ghcdbg_chunkfile_entry(struct ghcdbg_chunkfile *f, enum ghcdbg_chunk_kind kind,
                                size_t length);

/* Room for the next piece of memory from `address` on, at most `length` bytes,
 * at least one: how many there are is returned. */
size_t ghcdbg_chunkfile_room(struct ghcdbg_chunkfile *f, enum ghcdbg_chunk_kind kind,
                             uint64_t length, uint8_t **into);

/* That room was filled with `length` bytes. */
void ghcdbg_chunkfile_filled(struct ghcdbg_chunkfile *f, uint64_t address, size_t length,
                             uint16_t flags, bool goes_on);

/* Writes the directory and the end; releases memory. True if all was well. */
bool ghcdbg_chunkfile_end(struct ghcdbg_chunkfile *f);

#endif
