#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "copy.h"
#include "response.h"
#include "server.h"

enum { INPUT_SIZE = 1 << 16, SLICE_MILLIS = 200 };

unsigned ghcdbg_stall_seconds;

bool ghcdbg_connection_open(struct ghcdbg_connection *c, int fd) {
  *c = (struct ghcdbg_connection){.fd = fd, .capacity = INPUT_SIZE};
  c->input = malloc(c->capacity);
  c->response = malloc(sizeof *c->response);
  c->scratch = malloc(GHCDBG_SCRATCH);
  if (c->input == NULL || c->response == NULL || c->scratch == NULL) {
    ghcdbg_connection_close(c);
    return false;
  }
  return true;
}

void ghcdbg_connection_close(struct ghcdbg_connection *c) {
  shutdown(c->fd, SHUT_RDWR); /* a forked child may have the descriptor, too */
  close(c->fd);
  free(c->input);
  free(c->response);
  free(c->scratch);
  *c = (struct ghcdbg_connection){.fd = -1};
}

void ghcdbg_connection_reserve(struct ghcdbg_connection *c, size_t total) {
  memmove(c->input, c->input + c->start, c->end - c->start);
  c->end -= c->start;
  c->start = 0;
  if (total > c->capacity) {
    uint8_t *bigger = realloc(c->input, total);
    if (bigger == NULL) {
      c->lost = true;
      return;
    }
    c->input = bigger;
    c->capacity = total;
  }
}

void ghcdbg_connection_consume(struct ghcdbg_connection *c, uint64_t count) {
  size_t unread = c->end - c->start;
  if (count < unread) {
    c->start += count;
  } else {
    c->skip += count - unread;
    c->start = c->end = 0;
  }
}

void ghcdbg_connection_fill(struct ghcdbg_connection *c) {
  ssize_t got = recv(c->fd, c->input + c->end, c->capacity - c->end, MSG_DONTWAIT);
  if (got > 0) {
    c->end += (size_t)got;
    uint64_t skip = c->skip;
    c->skip = 0;
    ghcdbg_connection_consume(c, skip);
  } else if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
    c->lost = true;
  }
}

/* Waits until the socket takes bytes again. Looks up now and then, because
 * a program that wants to end must not wait for a client that stopped
 * reading. */
static bool wait_writable(int fd) {
  const uint64_t give_up = ghcdbg_now() + ghcdbg_stall_seconds * GHCDBG_SECOND;
  while (ghcdbg_now() < give_up && !ghcdbg_server_must_end()) {
    ghcdbg_copy_check();
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    if (poll(&p, 1, SLICE_MILLIS) > 0) {
      return (p.revents & POLLOUT) != 0;
    }
  }
  return false;
}

void ghcdbg_connection_send(struct ghcdbg_connection *c, const void *bytes, size_t length) {
  const uint8_t *from = bytes;
  while (!c->lost && length > 0) {
    const ssize_t sent = send(c->fd, from, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      from += sent;
      length -= (size_t)sent;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      c->lost = !wait_writable(c->fd);
    } else if (errno != EINTR) {
      c->lost = true;
    }
  }
}

bool ghcdbg_connection_is_gone(const struct ghcdbg_connection *c) {
  struct pollfd p = {.fd = c->fd, .events = POLLRDHUP};
  return poll(&p, 1, 0) > 0 && p.revents != 0;
}

void ghcdbg_connection_describe(const struct ghcdbg_connection *c, char *out, size_t size) {
  const char *name = c->name[0] == 0 ? "client" : c->name;
  if (c->pid == 0) {
    snprintf(out, size, "%s (connection %llu)", name, (unsigned long long)c->id);
  } else {
    snprintf(out, size, "%s (process %d)", name, c->pid);
  }
}
