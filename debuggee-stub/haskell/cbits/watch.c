#define _GNU_SOURCE
#include "watch.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "figures.h"
#include "ghc_debuggee.h"
#include "pause.h"
#include "rts.h"
#include "text.h"

enum { PATTERN_MAX = 4096, KIBI = 10, RETRY_SECONDS = 30 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t limit;             /* guarded by lock; 0 = none */
static bool passed;                /* guarded by lock: the limit was, and a snapshot is there */
static bool for_limit;             /* guarded by lock: the last snapshot was to be written for that */
static uint64_t not_before;        /* guarded by lock: time */
static int awaited;                /* guarded by lock; the signal, 0 = none */
static unsigned written;           /* guarded by lock */
static char pattern[PATTERN_MAX];  /* guarded by lock */
static volatile sig_atomic_t came; /* the signal has */

static void note_signal(int signal) {
  (void)signal;
  came = 1;
}

void ghc_debuggee_snapshot_when(uint64_t live_bytes, int signal, const char *path) {
  const struct sigaction noting = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
  /* Also where no snapshot will be written: the signal is not to end the program. */
  const bool can_wait = signal == 0 || sigaction(signal, &noting, NULL) == 0;
  if (!can_wait) {
    fprintf(stderr, "ghc-debuggee: there is no signal %d to wait for\n", signal);
  }
  if (ghcdbg_pausing_deadlocks()) {
    fprintf(stderr, "ghc-debuggee: no snapshots: this GHC's RTS cannot be paused with "
                    "--nonmoving-gc\n");
    return;
  }
  pthread_mutex_lock(&lock);
  limit = live_bytes;
  passed = for_limit = false;
  not_before = 0;
  awaited = can_wait ? signal : 0;
  came = 0;
  snprintf(pattern, sizeof pattern, "%s", path);
  pthread_mutex_unlock(&lock);
  ghcdbg_pause_wake();
}

bool ghcdbg_watch_armed(void) {
  pthread_mutex_lock(&lock);
  const bool armed = (limit != 0 && !passed) || awaited != 0;
  pthread_mutex_unlock(&lock);
  return armed;
}

/* %p is the process id, %n the number of the snapshot, from 1. */
static void expand(char *path, size_t size) {
  size_t length = 0;
  for (const char *from = pattern; *from != 0 && length + 1 < size; from++) {
    if (from[0] == '%' && (from[1] == 'p' || from[1] == 'n')) {
      const unsigned value = from[1] == 'p' ? (unsigned)getpid() : written;
      length += (size_t)snprintf(path + length, size - length, "%u", value);
      length = length < size ? length : size - 1;
      from++;
    } else {
      path[length++] = *from;
    }
  }
  path[length] = 0;
}

bool ghcdbg_watch_due(char *path, size_t size) {
  pthread_mutex_lock(&lock);
  const bool full = limit != 0 && !passed && ghcdbg_now() >= not_before &&
                    ghcdbg_live_bytes() >= limit;
  const bool due = full || (awaited != 0 && came);
  if (due) {
    for_limit = full;
    passed = passed || full;
    came = 0;
    written++;
    expand(path, size);
  }
  pthread_mutex_unlock(&lock);
  return due;
}

void ghcdbg_watch_failed(void) {
  pthread_mutex_lock(&lock);
  if (for_limit) {
    passed = false;
    not_before = ghcdbg_now() + RETRY_SECONDS * GHCDBG_SECOND;
  }
  pthread_mutex_unlock(&lock);
}

void ghcdbg_watch_forked(void) { pthread_mutex_init(&lock, NULL); }

/* A number of bytes, perhaps with K, M or G behind it; 0, with a warning, if it is none. */
static uint64_t parse_bytes(const char *text) {
  char *rest;
  errno = 0;
  const unsigned long long number = strtoull(text, &rest, 10);
  const char *units = "KMG", *unit = *rest == 0 ? NULL : strchr(units, toupper((unsigned char)*rest));
  const unsigned shift = unit == NULL ? 0 : KIBI * (unsigned)(unit - units + 1);
  const bool understood = text[0] >= '0' && text[0] <= '9' && rest[unit != NULL] == 0;
  if (!understood || errno != 0 || number > UINT64_MAX >> shift) {
    fprintf(stderr, "ghc-debuggee: GHC_DEBUG_SNAPSHOT_LIMIT is %s; expected a whole number of bytes, "
                    "or such a number and K, M or G: no snapshot is written for a limit\n", text);
    return 0;
  }
  return number << shift;
}

/* 0, with a warning, if it is none. GHC's main replaces what handles SIGINT. */
static int parse_signal(const char *text) {
  const long signal = parse_number(text, 1, NSIG - 1);
  if (signal < 0 || signal == SIGINT) {
    fprintf(stderr, "ghc-debuggee: GHC_DEBUG_SNAPSHOT_SIGNAL is %s; expected a signal's number, for "
                    "instance %d for SIGUSR2, and not %d for SIGINT: no snapshot is written for a "
                    "signal\n", text, SIGUSR2, SIGINT);
    return 0;
  }
  return (int)signal;
}

bool ghcdbg_watch_by_environment(void) {
  const char *path = getenv("GHC_DEBUG_SNAPSHOT");
  const char *bytes = getenv("GHC_DEBUG_SNAPSHOT_LIMIT");
  const char *signal = getenv("GHC_DEBUG_SNAPSHOT_SIGNAL");
  const bool has_path = path != NULL && path[0] != 0;
  if (!has_path && bytes == NULL && signal == NULL) {
    return false;
  }
  if (!has_path) {
    fprintf(stderr, "ghc-debuggee: GHC_DEBUG_SNAPSHOT does not say where to: no snapshot is written\n");
  } else if (bytes == NULL && signal == NULL) {
    fprintf(stderr, "ghc-debuggee: neither GHC_DEBUG_SNAPSHOT_LIMIT nor GHC_DEBUG_SNAPSHOT_SIGNAL says "
                    "when to write %s: no snapshot is written\n", path);
  } else {
    ghc_debuggee_snapshot_when(bytes == NULL ? 0 : parse_bytes(bytes),
                               signal == NULL ? 0 : parse_signal(signal), path);
  }
  unsetenv("GHC_DEBUG_SNAPSHOT"); /* children of the program are not to write there */
  unsetenv("GHC_DEBUG_SNAPSHOT_LIMIT");
  unsetenv("GHC_DEBUG_SNAPSHOT_SIGNAL");
  return true;
}
