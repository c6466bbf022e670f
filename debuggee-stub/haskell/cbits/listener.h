/*
 * Listening sockets: a Unix socket and its file, or TCP.
 */
#ifndef GHCDBG_LISTENER_H
#define GHCDBG_LISTENER_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/un.h>

struct ghcdbg_listener {
  int fd; /* -1 = closed */
  bool local;
  struct sockaddr_un address; /* if local */
  dev_t device;               /* of the socket's file, to remove no other */
  ino_t inode;
};

struct ghcdbg_peer {
  bool local; /* its user was checked */
  int pid;    /* 0 if not known */
};

/* Returns NULL, or why it is impossible. */
const char *ghcdbg_listener_open(struct ghcdbg_listener *l, const char *path);

/* Listens on a numeric address of IPv4 or IPv6, on both loopback addresses
 * for "localhost"; sets the number of listeners opened. */
const char *ghcdbg_listener_open_tcp(struct ghcdbg_listener *l, unsigned max, unsigned *opened,
                                     const char *host, unsigned port);

/* Accepts a client; -1 if there is none (any more), or none that may. */
int ghcdbg_listener_accept(const struct ghcdbg_listener *l, struct ghcdbg_peer *peer);

/* Also removes the socket's file. */
void ghcdbg_listener_close(struct ghcdbg_listener *l);

#endif
