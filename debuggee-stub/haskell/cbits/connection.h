/*
 * One client's connection: buffered reading, writing that gives up on a
 * client that has stopped reading. Used by the client's own thread, except
 * where something else is said.
 */
#ifndef GHCDBG_CONNECTION_H
#define GHCDBG_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ghcdbg_response;

enum {
  GHCDBG_CLIENT_NAME_MAX = 64,
  /* Room for what cannot be referred to in the heap. */
  GHCDBG_SCRATCH = 1 << 20
};

struct ghcdbg_connection {
  int fd;
  uint8_t *input; /* unread bytes are input[start..end) */
  size_t start, end, capacity;
  uint64_t skip;     /* bytes of an over-long request still to be thrown away */
  bool lost;         /* the client is gone or must go: close, answer nothing */
  bool local;        /* came over the Unix socket, and its user was checked */
  bool authorized;   /* may ask for more than AUTH */
  bool extended;     /* has said HELLO */
  bool resumed;      /* in a frozen copy: which is to end */
  unsigned polls;    /* POLL requests not yet answered */
  uint64_t id;       /* from 1 */
  uint64_t since;    /* time of its coming */
  uint64_t read_in;  /* number of the pause it last read in; guarded by pause.c's lock */
  int pid;           /* of the client, 0 if not known */
  char name[GHCDBG_CLIENT_NAME_MAX];
  struct ghcdbg_response *response;
  uint8_t *scratch;
  uint8_t probe[16]; /* what MEMORY_PROBE answered last */
};

/* Takes ownership of the non-blocking `fd`. False if memory is short. */
bool ghcdbg_connection_open(struct ghcdbg_connection *c, int fd);
void ghcdbg_connection_close(struct ghcdbg_connection *c);

/* Reads what is there, without blocking; sets `lost` at the end of the stream. */
void ghcdbg_connection_fill(struct ghcdbg_connection *c);

/* Makes room for a request of `total` bytes, to be filled later. */
void ghcdbg_connection_reserve(struct ghcdbg_connection *c, size_t total);

/* Throws away the first `count` unread bytes, also those yet to come. */
void ghcdbg_connection_consume(struct ghcdbg_connection *c, uint64_t count);

/* Writes everything, or sets `lost`. */
void ghcdbg_connection_send(struct ghcdbg_connection *c, const void *bytes, size_t length);

/* Has the client closed its side? Any thread. */
bool ghcdbg_connection_is_gone(const struct ghcdbg_connection *c);

/* Who it is, for people. Any thread. */
void ghcdbg_connection_describe(const struct ghcdbg_connection *c, char *out, size_t size);

/* Seconds without progress after which a client that does not read is
 * dropped. Set once, before there are clients. */
extern unsigned ghcdbg_stall_seconds;

#endif
