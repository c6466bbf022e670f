/*
 * The listening Unix socket and its file.
 */
#ifndef GHCDBG_LISTENER_H
#define GHCDBG_LISTENER_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/un.h>

struct ghcdbg_listener {
  int fd; /* -1 = closed */
  struct sockaddr_un address;
  dev_t device; /* of the socket's file, to remove no other */
  ino_t inode;
};

/* Returns NULL, or why it is impossible. */
const char *ghcdbg_listener_open(struct ghcdbg_listener *l, const char *path);

/* Accepts a client; -1 if there is none (any more). */
int ghcdbg_listener_accept(const struct ghcdbg_listener *l);

/* Also removes the socket's file. */
void ghcdbg_listener_close(struct ghcdbg_listener *l);

#endif
