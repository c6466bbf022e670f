#define _GNU_SOURCE
#include "eventlog.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "connection.h"
#include "ghc_debuggee.h"
#include "response.h"
#include "rts.h"
#include "server.h"

enum {
  RING_BYTES = 16 << 20,
  PIECE_BYTES = 1 << 16,
  LOOK_MILLIS = 50,
  FLUSH_MILLIS = 500,
  FLUSH_WAIT_MILLIS = 200,
  PROGRAM_WAIT_MILLIS = 5000
};

/* Not in a public header: symbols of the static RTS; changing them takes effect
 * at once. Missing where the RTS is a shared library. */
extern bool TRACE_sched __attribute__((weak)), TRACE_gc __attribute__((weak)),
    TRACE_nonmoving_gc __attribute__((weak)), TRACE_spark_sampled __attribute__((weak)),
    TRACE_spark_full __attribute__((weak)), TRACE_user __attribute__((weak)),
    TRACE_cap __attribute__((weak));
void traceThreadLabel_(Capability *cap, StgTSO *tso, char *label, size_t length)
    __attribute__((weak));

/* Taken inside of the RTS's locks. */
static pthread_mutex_t ring_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  uint8_t *bytes; /* NULL: nobody takes them out, and what comes is thrown away */
  size_t start, used;
  bool ended; /* no more will come */
  uint64_t sent, dropped;
} ring; /* guarded by ring_lock */

/* Taken outside of them. */
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  enum ghcdbg_log_to to; /* of our own log: not RTS */
  int fd;                /* FILE */
  uint32_t switched_on;  /* classes that were off before */
  char target[512];
} ours = {.to = GHCDBG_LOG_NOWHERE, .fd = -1}; /* guarded by log_lock */
static bool last_was_ours; /* the RTS's present log has our writer; keeper only */

/* --- The ring -------------------------------------------------------------- */

static bool put(void *bytes, size_t length) {
  pthread_mutex_lock(&ring_lock);
  if (ring.bytes != NULL && length <= RING_BYTES - ring.used) {
    const size_t at = (ring.start + ring.used) % RING_BYTES;
    const size_t first = length < RING_BYTES - at ? length : RING_BYTES - at;
    memcpy(ring.bytes + at, bytes, first);
    memcpy(ring.bytes, (const uint8_t *)bytes + first, length - first);
    ring.used += length;
  } else if (ring.bytes != NULL) {
    ring.dropped += length;
  }
  pthread_mutex_unlock(&ring_lock);
  return true;
}

static const EventLogWriter writer = {.writeEventLog = put};

static bool open_ring(void) {
  uint8_t *bytes = malloc(RING_BYTES);
  pthread_mutex_lock(&ring_lock);
  memset(&ring, 0, sizeof ring);
  ring.bytes = bytes;
  pthread_mutex_unlock(&ring_lock);
  return bytes != NULL;
}

static void close_ring(void) {
  pthread_mutex_lock(&ring_lock);
  free(ring.bytes);
  ring.bytes = NULL;
  ring.used = 0;
  pthread_mutex_unlock(&ring_lock);
}

static void end_ring(void) {
  pthread_mutex_lock(&ring_lock);
  ring.ended = true;
  pthread_mutex_unlock(&ring_lock);
}

/* Takes out what is there. False when that is nothing and no more will come. */
static bool take(uint8_t *into, size_t size, size_t *taken) {
  pthread_mutex_lock(&ring_lock);
  *taken = ring.used < size ? ring.used : size;
  const size_t first = *taken < RING_BYTES - ring.start ? *taken : RING_BYTES - ring.start;
  if (*taken > 0) {
    memcpy(into, ring.bytes + ring.start, first);
    memcpy(into + first, ring.bytes, *taken - first);
  }
  ring.start = (ring.start + *taken) % RING_BYTES;
  ring.used -= *taken;
  ring.sent += *taken;
  const bool goes_on = *taken > 0 || !ring.ended;
  pthread_mutex_unlock(&ring_lock);
  return goes_on;
}

/* --- Classes --------------------------------------------------------------- */

static bool *class_switch(unsigned bit) {
  switch (1u << bit) {
    case GHCDBG_LOG_SCHEDULER:
      return &TRACE_sched;
    case GHCDBG_LOG_GC:
      return &TRACE_gc;
    case GHCDBG_LOG_NONMOVING:
      return &TRACE_nonmoving_gc;
    case GHCDBG_LOG_SPARKS:
      return &TRACE_spark_sampled;
    case GHCDBG_LOG_ALL_SPARKS:
      return &TRACE_spark_full;
    case GHCDBG_LOG_USER:
      return &TRACE_user;
    case GHCDBG_LOG_CAPABILITIES:
      return &TRACE_cap;
    default:
      return NULL;
  }
}

static uint32_t classes_on(void) {
  uint32_t on = 0;
  for (unsigned bit = 0; class_switch(bit) != NULL; bit++) {
    on |= *class_switch(bit) ? 1u << bit : 0;
  }
  return on;
}

bool ghcdbg_log_switch(uint32_t on, uint32_t off) {
  if (class_switch(0) == NULL) {
    return on == 0 && off == 0;
  }
  for (unsigned bit = 0; class_switch(bit) != NULL; bit++) {
    if ((on | off) >> bit & 1) {
      *class_switch(bit) = (off >> bit & 1) == 0;
    }
  }
  return true;
}

/* --- On the keeper --------------------------------------------------------- */

static void name_thread(void *user, StgTSO *thread) {
  (void)user;
  if (thread->label != NULL) {
    traceThreadLabel_(thread->cap, thread, (char *)thread->label->payload, thread->label->bytes);
  }
}

/* A new log begins with what the RTS says at its start; the labels of threads
 * that are there already it leaves out. */
static void name_threads(void) {
  if (traceThreadLabel_ != NULL) {
    PauseToken *paused = rts_pause();
    rts_listThreads(name_thread, NULL);
    rts_resume(paused);
  }
}

/* Starting, ending and flushing stop every capability, as a pause does. */
static void act(struct ghcdbg_connection *c, void (*what)(void *), void *user, uint64_t wait,
                struct ghcdbg_pause_answer *answer) {
  if (ghcdbg_pausing_deadlocks()) {
    *answer = (struct ghcdbg_pause_answer){.outcome = GHCDBG_IMPOSSIBLE};
    snprintf(answer->reason, sizeof answer->reason,
             "this GHC's RTS cannot be stopped with --nonmoving-gc: it would deadlock");
  } else {
    ghcdbg_pause_act(c, what, user, wait, answer);
  }
}

struct start {
  bool take_over;
  bool begun;
  bool in_the_way; /* the RTS's own log */
};

static void start(void *user) {
  struct start *s = user;
  if (eventLogStatus() == EVENTLOG_RUNNING) {
    if (!s->take_over && !last_was_ours && !RtsFlags.TraceFlags.nullWriter) {
      s->in_the_way = true;
      return;
    }
    endEventLogging();
  }
  s->begun = startEventLogging(&writer);
  if (s->begun) {
    last_was_ours = true;
    name_threads();
    flushEventLog(NULL);
  }
}

static void stop(void *unused) {
  (void)unused;
  if (eventLogStatus() == EVENTLOG_RUNNING) {
    endEventLogging();
  }
  last_was_ours = false;
}

static void flush(void *unused) {
  (void)unused;
  if (eventLogStatus() == EVENTLOG_RUNNING) {
    flushEventLog(NULL);
  }
}

static void take_census(void *unused) {
  requestHeapCensus();
  performMajorGC();
  flush(unused);
}

/* --- Starting and ending --------------------------------------------------- */

/* Makes our log the one that is, until give_up. */
static bool reserve(enum ghcdbg_log_to to, const char *target,
                    struct ghcdbg_pause_answer *answer) {
  pthread_mutex_lock(&log_lock);
  const bool is_free = ours.to == GHCDBG_LOG_NOWHERE;
  if (is_free) {
    ours.to = to;
    snprintf(ours.target, sizeof ours.target, "%s", target);
  } else {
    answer->outcome = GHCDBG_IS_BUSY;
    snprintf(answer->reason, sizeof answer->reason, "the eventlog goes to %.200s already",
             ours.to == GHCDBG_LOG_CLIENT ? "another client" : ours.target);
  }
  pthread_mutex_unlock(&log_lock);
  return is_free;
}

/* The log has ended, or was none. */
static void give_up(void) {
  close_ring();
  pthread_mutex_lock(&log_lock);
  ghcdbg_log_switch(0, ours.switched_on);
  if (ours.fd >= 0) {
    close(ours.fd);
  }
  ours.fd = -1;
  ours.switched_on = 0;
  ours.to = GHCDBG_LOG_NOWHERE;
  pthread_mutex_unlock(&log_lock);
}

static bool begin(struct ghcdbg_connection *c, const struct ghcdbg_log_wish *wish,
                  struct ghcdbg_pause_answer *answer) {
  struct start s = {.take_over = wish->take_over};
  if (!open_ring()) {
    answer->outcome = GHCDBG_WENT_WRONG;
    snprintf(answer->reason, sizeof answer->reason, "the program's memory is short");
    return false;
  }
  pthread_mutex_lock(&log_lock);
  ours.switched_on = class_switch(0) == NULL ? 0 : wish->classes & ~classes_on();
  ghcdbg_log_switch(ours.switched_on, 0);
  pthread_mutex_unlock(&log_lock);
  act(c, start, &s, wish->wait, answer);
  if (answer->outcome == GHCDBG_DONE && !s.begun) {
    answer->outcome = s.in_the_way ? GHCDBG_IS_BUSY : GHCDBG_WENT_WRONG;
    snprintf(answer->reason, sizeof answer->reason, "%s",
             s.in_the_way ? "the program writes an eventlog of its own (+RTS -l)"
                          : "the RTS does not start the eventlog");
  }
  return answer->outcome == GHCDBG_DONE;
}

/* Ends the RTS's part. A pause can prevent that: then nothing more is taken
 * out, and the next log replaces this one. */
static void end_for_good(void) {
  struct ghcdbg_pause_answer answer;
  act(NULL, stop, NULL, PROGRAM_WAIT_MILLIS * (uint64_t)GHCDBG_MILLI, &answer);
  end_ring();
}

static enum ghcdbg_log_to goes_to(void) {
  pthread_mutex_lock(&log_lock);
  const enum ghcdbg_log_to to = ours.to;
  pthread_mutex_unlock(&log_lock);
  return to;
}

void ghcdbg_log_stop(struct ghcdbg_connection *c, uint64_t wait,
                     struct ghcdbg_pause_answer *answer) {
  act(c, stop, NULL, wait, answer);
  if (answer->outcome == GHCDBG_DONE) {
    end_ring();
    while (goes_to() == GHCDBG_LOG_FILE) {
      poll(NULL, 0, 1);
    }
  }
}

void ghcdbg_log_flush(struct ghcdbg_connection *c, uint64_t wait,
                      struct ghcdbg_pause_answer *answer) {
  act(c, flush, NULL, wait, answer);
}

void ghcdbg_log_profile(struct ghcdbg_connection *c, enum ghcdbg_heap_profile what, uint64_t wait,
                        struct ghcdbg_pause_answer *answer) {
  *answer = (struct ghcdbg_pause_answer){.outcome = GHCDBG_DONE};
  if (RtsFlags.ProfFlags.doHeapProfile == NO_HEAP_PROFILING) {
    answer->outcome = GHCDBG_IMPOSSIBLE;
    snprintf(answer->reason, sizeof answer->reason,
             "the program was started without heap profiles: "
             "start it with +RTS -hT --no-automatic-heap-samples");
  } else if (what == GHCDBG_PROFILE_CENSUS) {
    act(c, take_census, NULL, wait, answer);
  } else if (what == GHCDBG_PROFILE_START) {
    startHeapProfTimer();
  } else {
    stopHeapProfTimer();
  }
}

void ghcdbg_log_describe(struct ghcdbg_log_state *out) {
  *out = (struct ghcdbg_log_state){
      .switchable = class_switch(0) != NULL,
      .heap_profiles = RtsFlags.ProfFlags.doHeapProfile != NO_HEAP_PROFILING,
      .classes = class_switch(0) == NULL ? 0 : classes_on()};
  pthread_mutex_lock(&log_lock);
  out->to = ours.to;
  snprintf(out->target, sizeof out->target, "%s", ours.to == GHCDBG_LOG_FILE ? ours.target : "");
  pthread_mutex_unlock(&log_lock);
  if (out->to == GHCDBG_LOG_NOWHERE && eventLogStatus() == EVENTLOG_RUNNING &&
      !RtsFlags.TraceFlags.nullWriter) {
    out->to = GHCDBG_LOG_RTS;
  }
  pthread_mutex_lock(&ring_lock);
  out->sent = ring.sent;
  out->dropped = ring.dropped;
  pthread_mutex_unlock(&ring_lock);
}

/* --- Those who take it out ------------------------------------------------- */

static void flush_when_due(uint64_t *due) {
  if (ghcdbg_now() >= *due) {
    struct ghcdbg_pause_answer answer;
    ghcdbg_log_flush(NULL, FLUSH_WAIT_MILLIS * (uint64_t)GHCDBG_MILLI, &answer);
    *due = ghcdbg_now() + FLUSH_MILLIS * (uint64_t)GHCDBG_MILLI;
  }
}

/* Without blocking for ever where nobody reads. */
static bool write_all(int fd, const uint8_t *bytes, size_t length) {
  uint64_t give_up_at = 0;
  while (length > 0) {
    struct pollfd room = {.fd = fd, .events = POLLOUT};
    const uint64_t now = ghcdbg_now();
    give_up_at = give_up_at == 0 ? now + ghcdbg_stall_seconds * GHCDBG_SECOND : give_up_at;
    if (poll(&room, 1, LOOK_MILLIS) > 0) {
      const ssize_t written = write(fd, bytes, length < PIPE_BUF ? length : PIPE_BUF);
      if (written > 0) {
        bytes += written;
        length -= (size_t)written;
        give_up_at = 0;
      } else if (errno != EAGAIN && errno != EINTR) {
        return false;
      }
    }
    if (give_up_at != 0 && now >= give_up_at) {
      errno = ETIMEDOUT;
      return false;
    }
  }
  return true;
}

static void *pump(void *unused) {
  (void)unused;
  uint8_t *piece = malloc(PIECE_BYTES);
  uint64_t due = ghcdbg_now();
  size_t size;
  bool written = piece != NULL;
  while (written && take(piece, PIECE_BYTES, &size)) {
    written = write_all(ours.fd, piece, size);
    if (size < PIECE_BYTES) {
      poll(NULL, 0, LOOK_MILLIS);
      flush_when_due(&due);
    }
  }
  if (!written) {
    fprintf(stderr, "ghc-debuggee: the eventlog to %s ends: %s\n", ours.target, strerror(errno));
    end_for_good();
  }
  free(piece);
  give_up();
  return NULL;
}

/* A FIFO must have a reader already; any other file is written anew. */
static int open_target(const char *path, int descriptor) {
  if (path == NULL) {
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  }
  struct stat info;
  const bool fifo = stat(path, &info) == 0 && S_ISFIFO(info.st_mode);
  return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (fifo ? O_NONBLOCK : O_CREAT | O_TRUNC),
              S_IRUSR | S_IWUSR);
}

void ghcdbg_log_to_file(struct ghcdbg_connection *c, const char *path, int descriptor,
                        const struct ghcdbg_log_wish *wish, struct ghcdbg_pause_answer *answer) {
  char name[32];
  *answer = (struct ghcdbg_pause_answer){.outcome = GHCDBG_DONE};
  snprintf(name, sizeof name, "descriptor %d", descriptor);
  if (!reserve(GHCDBG_LOG_FILE, path == NULL ? name : path, answer)) {
    return;
  }
  ours.fd = open_target(path, descriptor);
  if (ours.fd < 0) {
    answer->outcome = GHCDBG_WENT_WRONG;
    snprintf(answer->reason, sizeof answer->reason, "%.150s: %s", ours.target,
             errno == ENXIO ? "nobody reads from this pipe" : strerror(errno));
    give_up();
    return;
  }
  if (!begin(c, wish, answer)) {
    give_up();
    return;
  }
  pthread_t thread;
  const int error = ghcdbg_server_create_thread(&thread, true, pump, NULL);
  if (error != 0) {
    end_for_good();
    give_up();
    answer->outcome = GHCDBG_WENT_WRONG;
    snprintf(answer->reason, sizeof answer->reason, "%s", strerror(error));
  }
}

/* Has the client said something, or gone? */
static bool interrupted(const struct ghcdbg_connection *c, int millis) {
  struct pollfd client = {.fd = c->fd, .events = POLLIN};
  return c->end > c->start || poll(&client, 1, millis) > 0;
}

static void send_log(struct ghcdbg_response *r) {
  uint64_t due = ghcdbg_now();
  size_t size = 0;
  bool ending = false;
  while (!r->to->lost && take(r->to->scratch, PIECE_BYTES, &size)) {
    ghcdbg_response_copy(r, r->to->scratch, size);
    if (size < PIECE_BYTES) {
      ghcdbg_response_send(r);
    }
    if (!ending && interrupted(r->to, size < PIECE_BYTES ? LOOK_MILLIS : 0)) {
      end_for_good();
      ending = true;
    }
    if (!ending) {
      flush_when_due(&due);
    }
  }
  if (r->to->lost && !ending) {
    end_for_good();
  }
}

bool ghcdbg_log_to_client(struct ghcdbg_response *r, const struct ghcdbg_log_wish *wish,
                          struct ghcdbg_pause_answer *answer) {
  *answer = (struct ghcdbg_pause_answer){.outcome = GHCDBG_DONE};
  if (!reserve(GHCDBG_LOG_CLIENT, "", answer)) {
    return false;
  }
  const bool begun = begin(r->to, wish, answer);
  if (begun) {
    send_log(r);
  }
  give_up();
  return begun;
}

void ghcdbg_log_end(void) {
  struct ghcdbg_pause_answer answer;
  if (goes_to() == GHCDBG_LOG_NOWHERE) {
    return;
  }
  do { /* the end of the program waits for that of a pause */
    ghcdbg_log_stop(NULL, PROGRAM_WAIT_MILLIS * (uint64_t)GHCDBG_MILLI, &answer);
  } while (answer.outcome == GHCDBG_IS_PAUSED && poll(NULL, 0, LOOK_MILLIS) == 0);
  end_ring();
  while (goes_to() != GHCDBG_LOG_NOWHERE) {
    poll(NULL, 0, 1);
  }
}

void ghcdbg_log_forked(void) {
  pthread_mutex_init(&ring_lock, NULL);
  pthread_mutex_init(&log_lock, NULL);
  ring.bytes = NULL;
  ours.to = GHCDBG_LOG_NOWHERE;
  if (ours.fd >= 0) {
    close(ours.fd);
    ours.fd = -1;
  }
}

/* --- For the program ------------------------------------------------------- */

static bool say(const struct ghcdbg_pause_answer *answer) {
  if (answer->outcome != GHCDBG_DONE) {
    fprintf(stderr, "ghc-debuggee: eventlog: %s\n",
            answer->outcome == GHCDBG_IS_PAUSED ? "the program is paused"
            : answer->reason[0] == 0            ? "no server runs"
                                                : answer->reason);
  }
  return answer->outcome == GHCDBG_DONE;
}

static const uint64_t program_wait = PROGRAM_WAIT_MILLIS * (uint64_t)GHCDBG_MILLI;

static bool log_to(const char *path, int descriptor, uint32_t classes) {
  struct ghcdbg_pause_answer answer;
  const struct ghcdbg_log_wish wish = {.classes = classes, .wait = program_wait};
  ghcdbg_log_to_file(NULL, path, descriptor, &wish, &answer);
  return say(&answer);
}

bool ghc_debuggee_log_to_file(const char *path, uint32_t classes) {
  return log_to(path, -1, classes);
}

bool ghc_debuggee_log_to_descriptor(int descriptor, uint32_t classes) {
  return log_to(NULL, descriptor, classes);
}

bool ghc_debuggee_log_stop(void) {
  struct ghcdbg_pause_answer answer;
  ghcdbg_log_stop(NULL, program_wait, &answer);
  return say(&answer);
}

bool ghc_debuggee_log_flush(void) {
  struct ghcdbg_pause_answer answer;
  ghcdbg_log_flush(NULL, program_wait, &answer);
  return say(&answer);
}

bool ghc_debuggee_log_classes(uint32_t on, uint32_t off) { return ghcdbg_log_switch(on, off); }

bool ghc_debuggee_heap_profile(unsigned what) {
  struct ghcdbg_pause_answer answer;
  ghcdbg_log_profile(NULL, (enum ghcdbg_heap_profile)what, program_wait, &answer);
  return say(&answer);
}
