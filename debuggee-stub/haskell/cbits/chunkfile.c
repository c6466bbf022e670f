#include "chunkfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crc32c.h"

/* The file is little-endian, as all processors are that GHC supports here. */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "snapshots are written on little-endian machines only"
#endif

enum { CRC_AT = 28, HEADER = 32, DIRECTORY_PART = 1 << 16, VERSION = 1 };

static const uint8_t file_magic[] = {0x89, 'G', 'H', 'D', 'S', '\r', '\n', 0x1a};
static const uint8_t end_magic[] = {'G', 'H', 'D', 'S', 'E', 'N', 'D', '\n'};
static const uint8_t chunk_magic[] = {'C', 'H', 'N', 'K'};

static void put(uint8_t *header, size_t at, const void *value, size_t size) {
  memcpy(header + at, value, size);
}

static void put32(uint8_t *header, size_t at, uint32_t value) {
  put(header, at, &value, sizeof value);
}

static void seal(uint8_t *header) { put32(header, CRC_AT, ghcdbg_crc32c(0, header, CRC_AT)); }

static void write_all(struct ghcdbg_chunkfile *f, const void *bytes, size_t length) {
  const uint8_t *from = bytes;
  while (length > 0 && f->error == 0) {
    const ssize_t done = write(f->fd, from, length);
    if (done >= 0) {
      from += done;
      length -= (size_t)done;
      f->written += (uint64_t)done;
    } else if (errno != EINTR) {
      f->error = errno;
    }
  }
}

static void remember(struct ghcdbg_chunkfile *f, const void *bytes, size_t length) {
  if (f->directory_length + length > f->directory_capacity) {
    const size_t capacity = 2 * f->directory_capacity + DIRECTORY_PART;
    uint8_t *bigger = realloc(f->directory, capacity);
    if (bigger == NULL) {
      f->error = ENOMEM;
      return;
    }
    f->directory = bigger;
    f->directory_capacity = capacity;
  }
  if (length > 0) {
    memcpy(f->directory + f->directory_length, bytes, length);
    f->directory_length += length;
  }
}

static void write_chunk(struct ghcdbg_chunkfile *f, enum ghcdbg_chunk_kind kind,
                        const void *descriptor, size_t descriptor_length, const void *payload,
                        size_t payload_length) {
  uint8_t header[HEADER] = {0};
  const uint16_t number = (uint16_t)kind;
  const uint32_t crc =
      ghcdbg_crc32c(ghcdbg_crc32c(0, descriptor, descriptor_length), payload, payload_length);
  put(header, 0, chunk_magic, sizeof chunk_magic);
  put(header, 4, &number, sizeof number);
  put32(header, 8, (uint32_t)descriptor_length);
  put32(header, 12, (uint32_t)payload_length);
  put32(header, 16, (uint32_t)payload_length);
  put32(header, 20, f->chunks);
  put32(header, 24, crc);
  seal(header);
  write_all(f, header, sizeof header);
  write_all(f, descriptor, descriptor_length);
  write_all(f, payload, payload_length);
  f->chunks++;
  if (kind != GHCDBG_CHUNK_DIRECTORY) {
    remember(f, header, sizeof header);
    remember(f, descriptor, descriptor_length);
  }
}

static void flush(struct ghcdbg_chunkfile *f) {
  if (f->payload > 0) {
    write_chunk(f, f->kind, f->extent, f->extents * sizeof *f->extent, f->bytes, f->payload);
  }
  f->payload = 0;
  f->extents = 0;
}

void ghcdbg_chunkfile_begin(struct ghcdbg_chunkfile *f, int fd) {
  uint8_t header[HEADER] = {0};
  const uint16_t version = VERSION;
  f->fd = fd;
  f->error = 0;
  f->written = 0;
  f->chunks = 0;
  f->kind = GHCDBG_CHUNK_METADATA;
  f->extents = f->payload = 0;
  f->directory = NULL;
  f->directory_length = f->directory_capacity = 0;
  put(header, 0, file_magic, sizeof file_magic);
  put(header, 8, &version, sizeof version);
  seal(header);
  write_all(f, header, sizeof header);
}

static void begin_kind(struct ghcdbg_chunkfile *f, enum ghcdbg_chunk_kind kind, size_t wanted) {
  if (f->kind != kind || f->payload + wanted > GHCDBG_CHUNK_PAYLOAD ||
      f->extents == GHCDBG_CHUNK_EXTENTS) {
    flush(f);
  }
  f->kind = kind;
}

uint8_t *ghcdbg_chunkfile_entry(struct ghcdbg_chunkfile *f, enum ghcdbg_chunk_kind kind,
                                size_t length) {
  if (length > GHCDBG_CHUNK_PAYLOAD) {
    return NULL;
  }
  begin_kind(f, kind, length);
  uint8_t *entry = f->bytes + f->payload;
  f->payload += length;
  return entry;
}

size_t ghcdbg_chunkfile_room(struct ghcdbg_chunkfile *f, enum ghcdbg_chunk_kind kind,
                             uint64_t length, uint8_t **into) {
  begin_kind(f, kind, 1);
  const size_t room = GHCDBG_CHUNK_PAYLOAD - f->payload;
  *into = f->bytes + f->payload;
  return length < room ? (size_t)length : room;
}

void ghcdbg_chunkfile_filled(struct ghcdbg_chunkfile *f, uint64_t address, size_t length,
                             uint16_t flags, bool goes_on) {
  f->extent[f->extents++] = (struct ghcdbg_extent){
      .address = address, .length = (uint32_t)length, .flags = flags, .goes_on = goes_on};
  f->payload += length;
}

/* Cut between two entries: a header says how long the descriptor behind it is. */
static void write_directory(struct ghcdbg_chunkfile *f) {
  size_t from = 0, to = 0;
  while (to < f->directory_length) {
    uint32_t descriptor;
    memcpy(&descriptor, f->directory + to + 8, sizeof descriptor);
    const size_t entry = HEADER + descriptor;
    if (to > from && to + entry - from > DIRECTORY_PART) {
      write_chunk(f, GHCDBG_CHUNK_DIRECTORY, NULL, 0, f->directory + from, to - from);
      from = to;
    }
    to += entry;
  }
  write_chunk(f, GHCDBG_CHUNK_DIRECTORY, NULL, 0, f->directory + from, to - from);
}

bool ghcdbg_chunkfile_end(struct ghcdbg_chunkfile *f) {
  uint8_t trailer[HEADER] = {0};
  flush(f);
  const uint64_t at = f->written;
  const uint32_t before = f->chunks;
  if (f->error == 0) {
    write_directory(f);
  }
  put(trailer, 0, end_magic, sizeof end_magic);
  put(trailer, 8, &at, sizeof at);
  put32(trailer, 16, before);
  seal(trailer);
  write_all(f, trailer, sizeof trailer);
  free(f->directory);
  return f->error == 0;
}
