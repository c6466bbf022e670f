#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "server.h"

enum { INPUT_SIZE = 1 << 16, SLICE_MILLIS = 200 };

unsigned ghcdbg_stall_seconds;

bool ghcdbg_connection_open(struct ghcdbg_connection *c, int fd) {
  *c = (struct ghcdbg_connection){.fd = fd, .capacity = INPUT_SIZE};
  c->input = malloc(c->capacity);
  if (c->input == NULL) {
    close(fd);
    c->fd = -1;
    return false;
  }
  return true;
}

void ghcdbg_connection_close(struct ghcdbg_connection *c) {
  close(c->fd);
  free(c->input);
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

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Waits until the socket takes bytes again. Looks up now and then, because
 * a program that wants to end must not wait for a client that stopped
 * reading. */
static bool wait_writable(int fd) {
  double deadline = now() + ghcdbg_stall_seconds;
  while (now() < deadline && !ghcdbg_server_must_end()) {
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    if (poll(&p, 1, SLICE_MILLIS) > 0) {
      return (p.revents & POLLOUT) != 0;
    }
  }
  return false;
}

static void advance(struct msghdr *message, size_t sent) {
  while (message->msg_iovlen > 0 && sent >= message->msg_iov->iov_len) {
    sent -= message->msg_iov->iov_len;
    message->msg_iov++;
    message->msg_iovlen--;
  }
  if (message->msg_iovlen > 0) {
    message->msg_iov->iov_base = (uint8_t *)message->msg_iov->iov_base + sent;
    message->msg_iov->iov_len -= sent;
  }
}

void ghcdbg_connection_send(struct ghcdbg_connection *c, struct iovec *pieces, size_t count) {
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = count};
  while (!c->lost && message.msg_iovlen > 0) {
    ssize_t sent = sendmsg(c->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      advance(&message, (size_t)sent);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      c->lost = !wait_writable(c->fd);
    } else if (errno != EINTR) {
      c->lost = true;
    }
  }
}
