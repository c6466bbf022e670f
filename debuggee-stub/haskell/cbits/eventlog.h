/*
 * Control of the RTS's eventlog: where it goes, which classes of events there
 * are, heap profiles. The RTS writes one log at a time.
 *
 * The RTS calls the writer with its locks held, so that only copies into a
 * queue; what has no room there is dropped, a whole block of the log at a time,
 * and counted. A thread of the library's takes it out, from before the log begins:
 * the RTS then says all it knows of info tables at once.
 */
#ifndef GHCDBG_EVENTLOG_H
#define GHCDBG_EVENTLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pause.h"

struct ghcdbg_connection;
struct ghcdbg_response;

/* Classes of events, as bits. */
enum {
  GHCDBG_LOG_SCHEDULER = 1,
  GHCDBG_LOG_GC = 2,
  GHCDBG_LOG_NONMOVING = 4,
  GHCDBG_LOG_SPARKS = 8,
  GHCDBG_LOG_ALL_SPARKS = 16,
  GHCDBG_LOG_USER = 32,
  GHCDBG_LOG_CAPABILITIES = 64
};

enum ghcdbg_log_to {
  GHCDBG_LOG_NOWHERE,
  GHCDBG_LOG_RTS,   /* to where the RTS was told by +RTS -l */
  GHCDBG_LOG_FILE,  /* or FIFO, or descriptor */
  GHCDBG_LOG_CLIENT
};

enum ghcdbg_heap_profile { GHCDBG_PROFILE_STOP, GHCDBG_PROFILE_START, GHCDBG_PROFILE_CENSUS };

struct ghcdbg_log_state {
  enum ghcdbg_log_to to;
  bool switchable;     /* classes are: not in the RTS's shared library */
  bool heap_profiles;  /* the program was started with a kind of heap profile */
  uint32_t classes;    /* that are on */
  uint64_t sent;       /* bytes of this or the last log of ours */
  uint64_t dropped;    /* likewise */
  char target[512];    /* FILE: its path */
};

void ghcdbg_log_describe(struct ghcdbg_log_state *out);

/* What a log is to be like. */
struct ghcdbg_log_wish {
  uint32_t classes; /* to be switched on, for as long as it lasts */
  bool take_over;   /* ends a log of the RTS's own */
  uint64_t wait;    /* nanoseconds to wait for threads that do not stop, 0 = no limit */
};

/* Starts a log that goes to a file or FIFO, or to a descriptor, which is
 * duplicated. With `path` NULL the descriptor counts. The client may be NULL.
 * Where no log can begin the file stays as it is. */
void ghcdbg_log_to_file(struct ghcdbg_connection *c, const char *path, int descriptor,
                        const struct ghcdbg_log_wish *wish, struct ghcdbg_pause_answer *answer);

/* Starts a log and answers with it, until it is stopped, or the client says
 * something else or goes away. False if it cannot be started. */
bool ghcdbg_log_to_client(struct ghcdbg_response *r, const struct ghcdbg_log_wish *wish,
                          struct ghcdbg_pause_answer *answer);

/* Ends the log, whoever began it. A file is complete then. */
void ghcdbg_log_stop(struct ghcdbg_connection *c, uint64_t wait,
                     struct ghcdbg_pause_answer *answer);

/* Has the RTS hand out what it has gathered. */
void ghcdbg_log_flush(struct ghcdbg_connection *c, uint64_t wait,
                      struct ghcdbg_pause_answer *answer);

/* Switches classes on, then off. */
void ghcdbg_log_classes(uint32_t on, uint32_t off, struct ghcdbg_pause_answer *answer);

/* A census is taken at once, with a major collection. Heap profiles write to the
 * eventlog. */
void ghcdbg_log_profile(struct ghcdbg_connection *c, enum ghcdbg_heap_profile what, uint64_t wait,
                        struct ghcdbg_pause_answer *answer);

/* When the server starts. Before, and after the end, no log begins. */
void ghcdbg_log_begin(void);

/* Before the server ends: ends a log of ours, complete unless its reader is slow:
 * the program does not wait for that for more than two seconds. */
void ghcdbg_log_end(void);

/* In the child of a fork that others made. */
void ghcdbg_log_forked(void);

#endif
