/* An eventlog writer that never holds the program up.
 *
 * The runtime calls the writer with its own locks held, so it only copies into
 * a ring; what does not fit is dropped whole, so that the reader sees a log
 * without some of its blocks. One thread serves the reader: it begins a log,
 * complete with header, for each one that connects, flushes twice a second,
 * sends, and obeys the commands of eventlog-socket.
 *
 * Locks: ring_lock guards the ring and is taken inside the runtime's locks;
 * log_lock guards starting and ending the log and is taken outside of them. */
#define _GNU_SOURCE
#include "monitored.h"

#include <Rts.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Not in a public header, but symbols of every static runtime; changing them
 * takes effect at once. */
extern bool TRACE_sched, TRACE_gc, TRACE_nonmoving_gc, TRACE_spark_sampled, TRACE_spark_full, TRACE_user, TRACE_cap;

#define RING_BYTES (16u << 20)
#define FLUSH_MILLIS 500
#define LOOK_MILLIS 20
#define DRAIN_MILLIS 5000

static pthread_mutex_t ring_lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *ring;        /* ring_lock */
static size_t ring_start;    /* ring_lock */
static size_t ring_used;     /* ring_lock */
static uint64_t dropped;     /* ring_lock */
static bool accepting;       /* ring_lock: there is a reader */

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static bool wanted = true;   /* log_lock */
static bool logging;         /* log_lock */
static bool closing;         /* log_lock */

static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t state_changed = PTHREAD_COND_INITIALIZER;
static bool reader_there;    /* state_lock */
static bool drained;         /* state_lock: the thread has ended */

static const char *target;
static bool is_pipe;
static int listener = -1;    /* of the thread */

static int64_t now_millis(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- The writer: called by the runtime ---- */

static bool ring_put(void *bytes, size_t size) {
  pthread_mutex_lock(&ring_lock);
  bool fits = accepting && size <= RING_BYTES - ring_used;
  if (fits) {
    size_t at = (ring_start + ring_used) % RING_BYTES;
    size_t first = size < RING_BYTES - at ? size : RING_BYTES - at;
    memcpy(ring + at, bytes, first);
    memcpy(ring, (uint8_t *)bytes + first, size - first);
    ring_used += size;
  } else if (accepting) {
    dropped += size;
  }
  pthread_mutex_unlock(&ring_lock);
  return true;
}

static const EventLogWriter writer = {.writeEventLog = ring_put};

/* ---- Starting, ending, switching ---- */

/* Makes the log be what is wanted; log_lock is held. */
static void settle(bool reader) {
  bool on = wanted && reader && !closing;
  if (on && !logging) {
    /* Ends the log begun by -l, which goes nowhere. */
    endEventLogging();
    logging = startEventLogging(&writer);
  } else if (!on && logging) {
    endEventLogging();
    logging = false;
  }
}

static bool has_reader(void) {
  pthread_mutex_lock(&state_lock);
  bool there = reader_there;
  pthread_mutex_unlock(&state_lock);
  return there;
}

void monitored_log(bool on) {
  pthread_mutex_lock(&log_lock);
  wanted = on;
  settle(has_reader());
  pthread_mutex_unlock(&log_lock);
}

bool monitored_class(char letter, bool on) {
  switch (letter) {
    case 's': TRACE_sched = on; return true;
    case 'g': TRACE_gc = on; return true;
    case 'n': TRACE_nonmoving_gc = on; return true;
    case 'p': TRACE_spark_sampled = on; return true;
    case 'f': TRACE_spark_full = on; return true;
    case 'u': TRACE_user = on; return true;
    default: return false;
  }
}

void monitored_flush(void) {
  pthread_mutex_lock(&log_lock);
  if (logging) {
    flushEventLog(NULL);
  }
  pthread_mutex_unlock(&log_lock);
}

uint64_t monitored_dropped(void) {
  pthread_mutex_lock(&ring_lock);
  uint64_t bytes = dropped;
  pthread_mutex_unlock(&ring_lock);
  return bytes;
}

/* ---- Commands: F0 9E 97 8C, 0, length, name space, command ---- */

static void obey(int command) {
  switch (command) {
    case 1: startProfTimer(); break;
    case 2: stopProfTimer(); break;
    case 3: startHeapProfTimer(); break;
    case 4: stopHeapProfTimer(); break;
    case 5: requestHeapCensus(); break;
    case 18: case 19: TRACE_cap = command == 18; break;
    default:
      if (command >= 6 && command <= 17) {
        monitored_class("sgnpfu"[(command - 6) / 2], command % 2 == 0);
      }
  }
}

static void receive(int fd) {
  static const uint8_t prefix[] = "\xF0\x9E\x97\x8C\0\x0F" "eventlog-socket";
  static size_t matched;
  uint8_t bytes[256];
  ssize_t count = read(fd, bytes, sizeof bytes);
  for (ssize_t i = 0; i < count; i++) {
    if (matched == sizeof prefix - 1) {
      obey(bytes[i]);
      matched = 0;
    } else if (bytes[i] == prefix[matched]) {
      matched++;
    } else {
      matched = bytes[i] == prefix[0];
    }
  }
}

/* ---- The thread ---- */

/* Sends some of the ring; false when the reader is gone. */
static bool send_some(int fd) {
  static uint8_t piece[1 << 16];
  pthread_mutex_lock(&ring_lock);
  size_t size = ring_used < sizeof piece ? ring_used : sizeof piece;
  size_t first = size < RING_BYTES - ring_start ? size : RING_BYTES - ring_start;
  memcpy(piece, ring + ring_start, first);
  memcpy(piece + first, ring, size - first);
  pthread_mutex_unlock(&ring_lock);
  ssize_t sent = size == 0 ? 0 : write(fd, piece, size);
  if (sent < 0) {
    return errno == EAGAIN || errno == EINTR;
  }
  pthread_mutex_lock(&ring_lock);
  ring_start = (ring_start + (size_t)sent) % RING_BYTES;
  ring_used -= (size_t)sent;
  pthread_mutex_unlock(&ring_lock);
  return true;
}

static bool is_closing(void) {
  pthread_mutex_lock(&log_lock);
  bool yes = closing;
  pthread_mutex_unlock(&log_lock);
  return yes;
}

static bool ring_is_empty(void) {
  pthread_mutex_lock(&ring_lock);
  bool yes = ring_used == 0;
  pthread_mutex_unlock(&ring_lock);
  return yes;
}

static void set_reader(bool there) {
  pthread_mutex_lock(&ring_lock);
  accepting = there;
  ring_start = ring_used = 0;
  pthread_mutex_unlock(&ring_lock);
  pthread_mutex_lock(&log_lock);
  settle(there);
  pthread_mutex_unlock(&log_lock);
  pthread_mutex_lock(&state_lock);
  reader_there = there;
  pthread_cond_broadcast(&state_changed);
  pthread_mutex_unlock(&state_lock);
}

/* Until the reader leaves, or the log has ended and is sent. */
static void serve(int fd) {
  int64_t next_flush = now_millis() + FLUSH_MILLIS;
  int64_t give_up = INT64_MAX;
  for (;;) {
    struct pollfd ready = {.fd = fd, .events = (short)(POLLIN | (ring_is_empty() ? 0 : POLLOUT))};
    poll(&ready, 1, LOOK_MILLIS);
    if (ready.revents & (POLLIN | POLLHUP)) {
      char byte;
      if (is_pipe || recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0) {
        return;
      }
      receive(fd);
    }
    if ((ready.revents & POLLERR) || !send_some(fd)) {
      return;
    }
    int64_t now = now_millis();
    if (is_closing()) {
      give_up = give_up == INT64_MAX ? now + DRAIN_MILLIS : give_up;
      if (ring_is_empty() || now > give_up) {
        return;
      }
    } else if (now >= next_flush) {
      monitored_flush();
      next_flush = now + FLUSH_MILLIS;
    }
  }
}

/* Waits for a reader; -1 when the program ends first. */
static int next_reader(void) {
  while (!is_closing()) {
    int fd;
    if (is_pipe) {
      fd = open(target, O_WRONLY | O_NONBLOCK | O_CLOEXEC); /* fails while nobody reads */
    } else {
      fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    }
    if (fd >= 0) {
      return fd;
    }
    poll(NULL, 0, LOOK_MILLIS);
  }
  return -1;
}

static void *run(void *unused) {
  (void)unused;
  sigset_t pipe_signal;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, NULL);
  for (int fd = next_reader(); fd >= 0; fd = next_reader()) {
    set_reader(true);
    serve(fd);
    set_reader(false);
    close(fd);
  }
  if (!is_pipe) {
    close(listener);
    unlink(target);
  }
  pthread_mutex_lock(&state_lock);
  drained = true;
  pthread_cond_broadcast(&state_changed);
  pthread_mutex_unlock(&state_lock);
  return NULL;
}

static bool fail(const char *what) {
  fprintf(stderr, "monitored: %s: %s: %s\n", target, what, strerror(errno));
  return false;
}

bool monitored_open(const char *path) {
  target = strdup(path);
  ring = malloc(RING_BYTES);
  if (target == NULL || ring == NULL) {
    return fail("no memory");
  }
  struct stat info;
  is_pipe = stat(target, &info) == 0 && S_ISFIFO(info.st_mode);
  if (!is_pipe) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(target) >= sizeof address.sun_path) {
      errno = ENAMETOOLONG;
      return fail("no socket");
    }
    strcpy(address.sun_path, target);
    if (stat(target, &info) == 0 && S_ISSOCK(info.st_mode)) {
      unlink(target);
    }
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 5) < 0) {
      return fail("no socket");
    }
  }
  pthread_t thread;
  errno = pthread_create(&thread, NULL, run, NULL);
  if (errno != 0) {
    return fail("no thread");
  }
  pthread_detach(thread);
  return true;
}

void monitored_await_reader(void) {
  pthread_mutex_lock(&state_lock);
  while (!reader_there) {
    pthread_cond_wait(&state_changed, &state_lock);
  }
  pthread_mutex_unlock(&state_lock);
}

void monitored_close(void) {
  pthread_mutex_lock(&log_lock);
  closing = true;
  settle(true);
  pthread_mutex_unlock(&log_lock);
  pthread_mutex_lock(&state_lock);
  while (!drained) {
    pthread_cond_wait(&state_changed, &state_lock);
  }
  pthread_mutex_unlock(&state_lock);
}
