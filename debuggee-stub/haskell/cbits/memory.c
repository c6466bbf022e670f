#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
  PAGE = 4096,
  CACHED_PAGES_LOG = 9,
  CACHED_PAGES = 1 << CACHED_PAGES_LOG,
  BIG_READ = 4 * PAGE,
  STRING_MAX = 1 << 16
};

/* What a thread has read for a request, a direct-mapped cache. Info tables,
 * static closures and descriptions lie close together, and a system call for
 * each would cost more than all the rest of a request. */
struct cache {
  uint64_t request;
  struct {
    uint64_t request; /* the request it was read for */
    uint64_t page;    /* address / PAGE */
    bool readable;
  } page[CACHED_PAGES];
  char string[STRING_MAX];
  uint8_t contents[CACHED_PAGES][PAGE];
};

static __thread struct cache *cache;

/* The way of last resort: write(2) checks addresses too. -1 if unused. */
static int pipe_read = -1, pipe_write = -1;
static pthread_mutex_t pipe_lock = PTHREAD_MUTEX_INITIALIZER; /* for its contents */

static bool read_by_vm_readv(uint64_t address, void *into, size_t length) {
  struct iovec local = {.iov_base = into, .iov_len = length};
  struct iovec remote = {.iov_base = (void *)(uintptr_t)address, .iov_len = length};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)length;
}

static bool read_by_pipe_locked(uint64_t address, void *into, size_t length) {
  uint8_t *to = into;
  const uint8_t *from = (const uint8_t *)(uintptr_t)address;
  while (length > 0) {
    ssize_t written = write(pipe_write, from, length < PAGE ? length : PAGE);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0 || read(pipe_read, to, (size_t)written) != written) {
      return false;
    }
    to += written;
    from += written;
    length -= (size_t)written;
  }
  return true;
}

static bool read_by_pipe(uint64_t address, void *into, size_t length) {
  pthread_mutex_lock(&pipe_lock);
  const bool read = read_by_pipe_locked(address, into, length);
  pthread_mutex_unlock(&pipe_lock);
  return read;
}

static bool read_uncached(uint64_t address, void *into, size_t length) {
  return pipe_write < 0 ? read_by_vm_readv(address, into, length)
                        : read_by_pipe(address, into, length);
}

static bool open_pipe(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    return false;
  }
  pipe_read = ends[0];
  pipe_write = ends[1];
  return true;
}

bool ghcdbg_memory_init(void) {
  uint64_t probe = 0x6768636465627567, copy = 0;
  uint64_t address = (uint64_t)(uintptr_t)&probe;
  if (read_by_vm_readv(address, &copy, sizeof copy) && copy == probe) {
    return true;
  }
  return open_pipe();
}

bool ghcdbg_memory_forked(void) {
  pthread_mutex_init(&pipe_lock, NULL);
  if (pipe_write < 0) {
    return true;
  }
  ghcdbg_memory_exit();
  return open_pipe();
}

void ghcdbg_memory_exit(void) {
  if (pipe_write >= 0) {
    close(pipe_read);
    close(pipe_write);
    pipe_read = pipe_write = -1;
  }
}

/* Of the system, so that what is not used costs nothing. */
bool ghcdbg_memory_thread_begin(void) {
  void *fresh = mmap(NULL, sizeof *cache, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fresh == MAP_FAILED) {
    return false;
  }
  cache = fresh;
  cache->request = 1;
  return true;
}

void ghcdbg_memory_thread_end(void) {
  munmap(cache, sizeof *cache);
  cache = NULL;
}

void ghcdbg_memory_forget(void) { cache->request++; }

void ghcdbg_memory_descriptors(int *a, int *b) {
  *a = pipe_read;
  *b = pipe_write;
}

/* Spreads also the pages of block descriptors, which are a megabyte apart. */
static size_t cache_slot(uint64_t page) {
  return page * 0x9E3779B97F4A7C15u >> (64 - CACHED_PAGES_LOG);
}

/* The cached copy of a page, NULL if it cannot be read. */
static const uint8_t *page_contents(uint64_t page) {
  const size_t slot = cache_slot(page);
  if (cache->page[slot].request != cache->request || cache->page[slot].page != page) {
    cache->page[slot].request = cache->request;
    cache->page[slot].page = page;
    cache->page[slot].readable = read_uncached(page * PAGE, cache->contents[slot], PAGE);
  }
  return cache->page[slot].readable ? cache->contents[slot] : NULL;
}

bool ghcdbg_memory_read(uint64_t address, void *into, size_t length) {
  if (length > UINT64_MAX - address) {
    return false;
  }
  if (length >= BIG_READ || cache == NULL) {
    return read_uncached(address, into, length);
  }
  uint8_t *to = into;
  while (length > 0) {
    const uint8_t *page = page_contents(address / PAGE);
    if (page == NULL) {
      return false;
    }
    size_t offset = address % PAGE;
    size_t part = length < PAGE - offset ? length : PAGE - offset;
    memcpy(to, page + offset, part);
    to += part;
    address += part;
    length -= part;
  }
  return true;
}

const char *ghcdbg_memory_string(uint64_t address, uint32_t *length) {
  char *string = cache->string;
  for (size_t have = 0; have < STRING_MAX;) {
    size_t part = PAGE - (address + have) % PAGE;
    part = part < STRING_MAX - have ? part : STRING_MAX - have;
    if (!ghcdbg_memory_read(address + have, string + have, part)) {
      return NULL;
    }
    const char *end = memchr(string + have, 0, part);
    if (end != NULL) {
      *length = (uint32_t)(end - string);
      return string;
    }
    have += part;
  }
  return NULL;
}
