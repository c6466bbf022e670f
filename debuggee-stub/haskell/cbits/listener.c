#define _GNU_SOURCE
#include "listener.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BACKLOG = 16 };

static const char *bind_and_listen(struct ghcdbg_listener *l) {
  const char *path = l->address.sun_path;
  struct stat file;
  if (lstat(path, &file) == 0) {
    if (!S_ISSOCK(file.st_mode)) {
      return "a file that is not a socket is in the way";
    }
    unlink(path); /* a killed program leaves its socket behind */
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
  *l = (struct ghcdbg_listener){.fd = -1, .address.sun_family = AF_UNIX};
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

int ghcdbg_listener_accept(const struct ghcdbg_listener *l) {
  return accept4(l->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

void ghcdbg_listener_close(struct ghcdbg_listener *l) {
  struct stat file;
  const char *path = l->address.sun_path;
  if (lstat(path, &file) == 0 && file.st_dev == l->device && file.st_ino == l->inode) {
    unlink(path);
  }
  close(l->fd);
  l->fd = -1;
}
