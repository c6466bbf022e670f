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
  GHCDBG_CCS_MAIN = 21,

  GHCDBG_HELLO = 0x100, /* the first of the extensions */
  GHCDBG_AUTH = 0x101,
  GHCDBG_STATE = 0x102,
  GHCDBG_PAUSE2 = 0x103,
  GHCDBG_RENEW = 0x104,
  GHCDBG_CONTROL = 0x105,
  GHCDBG_BLOCK_LIST = 0x108,
  GHCDBG_BLOCK_CONTENTS = 0x109,
  GHCDBG_READ_MEMORY = 0x10a,
  GHCDBG_REACHABLE = 0x10b,
  GHCDBG_INFO_TABLES2 = 0x10c,
  GHCDBG_ROOTS2 = 0x10d,
  GHCDBG_WEAKS = 0x10e,
  GHCDBG_COMPACT = 0x10f,
  GHCDBG_THREADS = 0x110,
  GHCDBG_GC = 0x112,
  GHCDBG_RTS_FIGURES = 0x113,
  GHCDBG_SAVED2 = 0x114,
  GHCDBG_MEMORY_PROBE = 0x115,
  GHCDBG_LOG_STATE = 0x120,
  GHCDBG_LOG_START = 0x121,
  GHCDBG_LOG_STOP = 0x122,
  GHCDBG_LOG_FLUSH = 0x123,
  GHCDBG_LOG_CLASSES = 0x124,
  GHCDBG_HEAP_PROFILE = 0x125,
  GHCDBG_EXTENSIONS_END = 0x130
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
 * not are zero. `pointers` and `text` lie in the parsed bytes. */
struct ghcdbg_request {
  uint32_t command;
  bool well_formed;        /* a known command with all of its payload */
  bool all;                /* BLOCK_CONTENTS: no groups are named */
  uint8_t mode;            /* PAUSE, PAUSE2; CONTROL: take; GC: major; LOG_START: to where;
                              HEAP_PROFILE: what */
  bool collect;            /* PAUSE2 */
  bool take_over;          /* LOG_START */
  uint32_t count;          /* of pointers; FUN_BITMAP: of arguments */
  uint32_t offset;         /* STACK_BITMAP */
  uint32_t choice;         /* REACHABLE: order; INFO_TABLES2: parts */
  uint32_t classes_on;     /* LOG_START, LOG_CLASSES */
  uint32_t classes_off;    /* LOG_CLASSES */
  uint32_t budget_millis;  /* PAUSE2, RENEW */
  uint32_t wait_millis;    /* PAUSE2, GC, LOG_…, HEAP_PROFILE */
  uint64_t budget;         /* REACHABLE: bytes */
  uint64_t address;        /* all that name one thing */
  const uint8_t *pointers; /* `count` unaligned native u64, of READ_MEMORY pairs of them */
  const uint8_t *text;     /* HELLO: name; AUTH: token; LOG_START: path */
  uint32_t text_length;
};

/* Parses the `length` >= 4 bytes after the length field. Bytes beyond what
 * the command needs are ignored. */
void ghcdbg_request_parse(const uint8_t *bytes, uint32_t length,
                          struct ghcdbg_request *out);

#endif
