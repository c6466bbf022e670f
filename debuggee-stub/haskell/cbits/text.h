/*
 * The system's small files, and numbers in text.
 */
#ifndef GHCDBG_TEXT_H
#define GHCDBG_TEXT_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
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

/* A whole number in decimal digits and nothing else, from `min` to `max`; -1 if it is none. */
static inline long parse_number(const char *text, long min, long max) {
  char *rest;
  errno = 0;
  const long number = strtol(text, &rest, 10);
  const bool is_number = text[0] >= '0' && text[0] <= '9' && *rest == 0 && errno == 0;
  return is_number && number >= min && number <= max ? number : -1;
}

#endif
