/*
 * Reads of this process's own memory that fail instead of crashing, for
 * addresses that a client named or that were found at such addresses. Used
 * by threads that have begun.
 */
#ifndef GHCDBG_MEMORY_H
#define GHCDBG_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds out how memory can be read here. False if in no way. */
bool ghcdbg_memory_init(void);

/* Closes what init opened. */
void ghcdbg_memory_exit(void);

/* In the child of a fork, which shares nothing with its parent then. False if
 * its memory cannot be read any more. */
bool ghcdbg_memory_forked(void);

/* Before the first and after the last use on a thread. False if memory is short. */
bool ghcdbg_memory_thread_begin(void);
void ghcdbg_memory_thread_end(void);

/* The descriptors in use, -1 for none. */
void ghcdbg_memory_descriptors(int *a, int *b);

/* Forgets what this thread has read: called before each request, so that what is read
 * twice for one request is the same and no request sees old contents. */
void ghcdbg_memory_forget(void);

/* Copies `length` bytes; false if any of them cannot be read. */
bool ghcdbg_memory_read(uint64_t address, void *into, size_t length);

/* Reads the C string at `address`, without its terminator, into an internal
 * buffer that the next call overwrites. NULL if it cannot be read or is
 * longer than 64 KiB. */
const char *ghcdbg_memory_string(uint64_t address, uint32_t *length);

#endif
