/*
 * Requests: where one ends, and what it says. Knows nothing of the RTS, so
 * that a fuzzer can drive it alone.
 */
#ifndef GHCDBG_REQUEST_H
#define GHCDBG_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ghcdbg_command {
  GHCDBG_VERSION = 1,
  GHCDBG_PAUSE = 2,
  GHCDBG_RESUME = 3,
  GHCDBG_ROOTS = 4,
  GHCDBG_CLOSURES = 5,
  GHCDBG_INFO_TABLES = 6,
  GHCDBG_STACK_BITMAP = 7,
  GHCDBG_POLL = 8,
  GHCDBG_SAVED_OBJECTS = 9,
  GHCDBG_CON_DESCR = 11,
  GHCDBG_SOURCE_INFO = 12,
  GHCDBG_ALL_BLOCKS = 14,
  GHCDBG_BLOCK = 15,
  GHCDBG_FUN_BITMAP = 16,
  GHCDBG_SRT = 17,
  GHCDBG_CCS = 18,
  GHCDBG_CC = 19,
  GHCDBG_INDEX_TABLE = 20,
  GHCDBG_CCS_MAIN = 21
};

enum {
  /* Bytes of the length field before each request. */
  GHCDBG_LENGTH_FIELD = 4,
  /* Longest request that is read: twice the longest that means anything
   * (65,535 pointers). */
  GHCDBG_REQUEST_MAX = 1 << 20
};

enum ghcdbg_framing {
  GHCDBG_FRAME_PARTIAL,  /* more bytes are needed */
  GHCDBG_FRAME_COMPLETE,
  GHCDBG_FRAME_TOO_LONG, /* the next request may be skipped */
  GHCDBG_FRAME_BROKEN    /* too short to hold a command: nothing can follow */
};

/* Looks at the head of the unread bytes. Except for PARTIAL, `*length` is
 * the number of bytes after the length field. */
enum ghcdbg_framing ghcdbg_request_frame(const uint8_t *bytes, size_t available,
                                         uint32_t *length);

/* One request. Which fields are set depends on the command; those that are
 * not are zero. `pointers` lies in the parsed bytes. */
struct ghcdbg_request {
  uint32_t command;
  bool well_formed;        /* a known command with all of its payload */
  uint8_t mode;            /* PAUSE */
  uint16_t count;          /* CLOSURES, INFO_TABLES, SRT, FUN_BITMAP */
  uint32_t offset;         /* STACK_BITMAP */
  uint64_t address;        /* all that name one thing */
  const uint8_t *pointers; /* `count` unaligned native u64 */
};

/* Parses the `length` >= 4 bytes after the length field. Bytes beyond what
 * the command needs are ignored. */
void ghcdbg_request_parse(const uint8_t *bytes, uint32_t length,
                          struct ghcdbg_request *out);

#endif
