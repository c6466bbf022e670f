/*
 * One client's connection: buffered reading, writing that gives up on a
 * client that has stopped reading. Used by the server thread only.
 */
#ifndef GHCDBG_CONNECTION_H
#define GHCDBG_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct ghcdbg_connection {
  int fd;
  uint8_t *input; /* unread bytes are input[start..end) */
  size_t start, end, capacity;
  uint64_t skip;  /* bytes of an over-long request still to be thrown away */
  bool lost;      /* the client is gone or must go: close, answer nothing */
  bool attends;   /* has made use of the present pause */
  unsigned polls; /* POLL requests not yet answered */
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

/* Writes everything, or sets `lost`. Changes the pieces. */
void ghcdbg_connection_send(struct ghcdbg_connection *c, struct iovec *pieces, size_t count);

/* Seconds without progress after which a client that does not read is
 * dropped. Set once, before the server thread starts. */
extern unsigned ghcdbg_stall_seconds;

#endif
