/*
 * The system's small files.
 */
#ifndef GHCDBG_TEXT_H
#define GHCDBG_TEXT_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* Reads the start of a file as text; false when it is empty or cannot be read. */
static inline bool read_text(const char *path, char *text, size_t size) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return false;
  }
  const ssize_t got = read(fd, text, size - 1);
  close(fd);
  text[got > 0 ? got : 0] = 0;
  return got > 0;
}

#endif
