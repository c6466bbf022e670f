#define _GNU_SOURCE
#include "listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BACKLOG = 16 };

/* A killed program leaves its socket behind. */
static bool somebody_listens(const struct ghcdbg_listener *l) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const bool listens =
      fd >= 0 && (connect(fd, (const struct sockaddr *)&l->address, sizeof l->address) == 0 ||
                  errno == EAGAIN);
  if (fd >= 0) {
    close(fd);
  }
  return listens;
}

static const char *bind_and_listen(struct ghcdbg_listener *l) {
  const char *path = l->address.sun_path;
  struct stat file;
  if (lstat(path, &file) == 0) {
    if (!S_ISSOCK(file.st_mode)) {
      return "a file that is not a socket is in the way";
    }
    if (somebody_listens(l)) {
      return "another program listens there";
    }
    unlink(path);
  }
  /* The socket's mode becomes the file's: nobody else can ever connect. */
  if (fchmod(l->fd, S_IRUSR | S_IWUSR) != 0 ||
      bind(l->fd, (const struct sockaddr *)&l->address, sizeof l->address) != 0) {
    return strerror(errno);
  }
  if (listen(l->fd, BACKLOG) != 0 || lstat(path, &file) != 0) {
    const char *reason = strerror(errno);
    unlink(path);
    return reason;
  }
  l->device = file.st_dev;
  l->inode = file.st_ino;
  return NULL;
}

const char *ghcdbg_listener_open(struct ghcdbg_listener *l, const char *path) {
  *l = (struct ghcdbg_listener){.fd = -1, .local = true, .address.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof l->address.sun_path) {
    return "the path is too long for a socket (108 bytes)";
  }
  strcpy(l->address.sun_path, path);
  l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (l->fd < 0) {
    return strerror(errno);
  }
  const char *reason = bind_and_listen(l);
  if (reason != NULL) {
    close(l->fd);
    l->fd = -1;
  }
  return reason;
}

/* 0, or why not. */
static int open_tcp(struct ghcdbg_listener *l, const struct sockaddr *address, socklen_t length) {
  const int on = 1;
  *l = (struct ghcdbg_listener){.fd = -1};
  l->fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (l->fd < 0) {
    return errno;
  }
  setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (address->sa_family == AF_INET6) {
    setsockopt(l->fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  }
  if (bind(l->fd, address, length) != 0 || listen(l->fd, BACKLOG) != 0) {
    const int error = errno;
    close(l->fd);
    l->fd = -1;
    return error;
  }
  return 0;
}

/* A machine may have one of IPv4 and IPv6 only. */
static bool is_missing(int error) { return error == EAFNOSUPPORT || error == EADDRNOTAVAIL; }

const char *ghcdbg_listener_open_tcp(struct ghcdbg_listener *l, unsigned max, unsigned *opened,
                                     const char *host, unsigned port) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
  const bool loopback = host[0] == 0 || strcmp(host, "localhost") == 0;
  const bool is4 = inet_pton(AF_INET, loopback ? "127.0.0.1" : host, &v4.sin_addr) == 1;
  const bool is6 = inet_pton(AF_INET6, loopback ? "::1" : host, &v6.sin6_addr) == 1;
  int error4 = 0, error6 = 0;
  *opened = 0;
  if (port == 0 || port > UINT16_MAX) {
    return "the port is not between 1 and 65535";
  }
  if (!is4 && !is6) {
    return "the host is no numeric address";
  }
  if (is4 && *opened < max) {
    error4 = open_tcp(&l[*opened], (const struct sockaddr *)&v4, sizeof v4);
    *opened += error4 == 0;
  }
  if (is6 && *opened < max) {
    error6 = open_tcp(&l[*opened], (const struct sockaddr *)&v6, sizeof v6);
    *opened += error6 == 0;
  }
  const int error = error4 != 0 && !(is_missing(error4) && *opened > 0) ? error4
                    : error6 != 0 && !(is_missing(error6) && *opened > 0) ? error6 : 0;
  if (error != 0) { /* a client of "localhost" may come to whoever has the other one */
    while (*opened > 0) {
      ghcdbg_listener_close(&l[--*opened]);
    }
    return strerror(error);
  }
  return NULL;
}

/* Nobody but this user, and root, who could do worse. */
static bool may_connect(int fd, struct ghcdbg_peer *peer) {
  struct ucred who;
  socklen_t length = sizeof who;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length) != 0) {
    return false;
  }
  peer->pid = who.pid;
  return who.uid == geteuid() || who.uid == 0;
}

int ghcdbg_listener_accept(const struct ghcdbg_listener *l, struct ghcdbg_peer *peer) {
  const int on = 1;
  const int fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  *peer = (struct ghcdbg_peer){.local = l->local};
  if (fd < 0) {
    return -1;
  }
  if (!l->local) {
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  } else if (!may_connect(fd, peer)) {
    close(fd);
    errno = EACCES;
    return -1;
  }
  return fd;
}

void ghcdbg_listener_close(struct ghcdbg_listener *l) {
  struct stat file;
  const char *path = l->address.sun_path;
  if (l->local && lstat(path, &file) == 0 && file.st_dev == l->device &&
      file.st_ino == l->inode) {
    unlink(path);
  }
  close(l->fd);
  l->fd = -1;
}
