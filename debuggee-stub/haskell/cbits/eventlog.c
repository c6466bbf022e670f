#define _GNU_SOURCE
#include "eventlog.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
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
  WAITING_BYTES = 16 << 20,
  STARTING_BYTES = 1 << 30,
  PIECE_BYTES = 1 << 16,
  LOOK_MILLIS = 50,
  STARTING_LOOK_MILLIS = 5,
  FLUSH_MILLIS = 500,
  FLUSH_WAIT_MILLIS = 200,
  PROGRAM_WAIT_MILLIS = 5000,
  END_MILLIS = 2000,
  END_STOP_MILLIS = 1000,
  END_WRITERS_MILLIS = 4 * LOOK_MILLIS
};

/* Not in a public header: symbols of the static RTS; changing them takes effect
 * at once. Missing where the RTS is a shared library. */
extern bool TRACE_sched __attribute__((weak)), TRACE_gc __attribute__((weak)),
    TRACE_nonmoving_gc __attribute__((weak)), TRACE_spark_sampled __attribute__((weak)),
    TRACE_spark_full __attribute__((weak)), TRACE_user __attribute__((weak)),
    TRACE_cap __attribute__((weak));
void traceThreadLabel_(Capability *cap, StgTSO *tso, char *label, size_t length)
    __attribute__((weak));

enum queue_state {
  CLOSED,   /* nobody takes anything out, and what comes is thrown away */
  OPEN,     /* likewise: the RTS has not begun with this log */
  STARTING, /* it says what is at the start of every log: STARTING_BYTES at most */
  RUNNING,
  ENDED /* no more will come */
};

/* Part of the log, as the RTS wrote it. */
struct part {
  struct part *next;
  size_t start, length;
  uint8_t bytes[];
};

/* What the RTS has written and nobody has taken out. Taken inside of its locks. */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  enum queue_state state;
  uint64_t number; /* of the log */
  struct part *first, *last;
  size_t used;
  size_t of_start; /* of these bytes */
  bool given_up; /* what is left is not waited for */
  uint64_t sent, dropped;
} queue; /* guarded by queue_lock */

/* Taken outside of them. */
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  bool possible;         /* a server runs, and is not about to end */
  enum ghcdbg_log_to to; /* of our own log: not RTS */
  uint64_t number;
  int fd;               /* FILE */
  bool replaces;        /* FILE: what is in it goes when the log begins */
  uint32_t switched_on; /* classes that were off before */
  char target[512];
} ours = {.to = GHCDBG_LOG_NOWHERE, .fd = -1}; /* guarded by log_lock */
static atomic_bool last_was_ours; /* the RTS's present log has our writer; set by the keeper */

/* --- The queue ------------------------------------------------------------- */

static void append_locked(const void *bytes, size_t length) {
  const bool starting = queue.state == STARTING;
  const size_t room = starting ? STARTING_BYTES - queue.of_start
                               : WAITING_BYTES - (queue.used - queue.of_start);
  struct part *part = length > room ? NULL : malloc(sizeof *part + length);
  if (part == NULL) {
    queue.dropped += length;
    return;
  }
  *part = (struct part){.length = length};
  memcpy(part->bytes, bytes, length);
  if (queue.first == NULL) {
    queue.first = part;
  } else {
    queue.last->next = part;
  }
  queue.last = part;
  queue.used += length;
  queue.of_start += starting ? length : 0;
}

static bool put(void *bytes, size_t length) {
  pthread_mutex_lock(&queue_lock);
  if (queue.state == STARTING || queue.state == RUNNING) {
    append_locked(bytes, length);
  }
  pthread_mutex_unlock(&queue_lock);
  return true;
}

static const EventLogWriter writer = {.writeEventLog = put};

static void open_queue(uint64_t number) {
  pthread_mutex_lock(&queue_lock);
  memset(&queue, 0, sizeof queue);
  queue.state = OPEN;
  queue.number = number;
  pthread_mutex_unlock(&queue_lock);
}

/* False in another state: others end it, or open it for another log. */
static bool move_on(enum queue_state from, enum queue_state to) {
  pthread_mutex_lock(&queue_lock);
  const bool moved = queue.state == from;
  if (moved) {
    queue.state = to;
  }
  pthread_mutex_unlock(&queue_lock);
  return moved;
}

static bool is_beginning(void) {
  pthread_mutex_lock(&queue_lock);
  const bool beginning = queue.state == OPEN || queue.state == STARTING;
  pthread_mutex_unlock(&queue_lock);
  return beginning;
}

static void end_queue(void) {
  pthread_mutex_lock(&queue_lock);
  if (queue.state != CLOSED) {
    queue.state = ENDED;
  }
  pthread_mutex_unlock(&queue_lock);
}

/* What is still in it will not be waited for. */
static void give_up_queue(void) {
  pthread_mutex_lock(&queue_lock);
  queue.given_up = true;
  pthread_mutex_unlock(&queue_lock);
}

static bool is_given_up(void) {
  pthread_mutex_lock(&queue_lock);
  const bool given_up = queue.given_up;
  pthread_mutex_unlock(&queue_lock);
  return given_up;
}

static bool is_cut_short(void) {
  pthread_mutex_lock(&queue_lock);
  const bool cut_short = queue.given_up && queue.used > 0;
  pthread_mutex_unlock(&queue_lock);
  return cut_short;
}

static void close_queue(void) {
  pthread_mutex_lock(&queue_lock);
  struct part *part = queue.first;
  queue.dropped += queue.used;
  queue.first = queue.last = NULL;
  queue.used = queue.of_start = 0;
  queue.state = CLOSED;
  pthread_mutex_unlock(&queue_lock);
  while (part != NULL) {
    struct part *next = part->next;
    free(part);
    part = next;
  }
}

/* Moves as much as there is and fits from the queue's first part. */
static size_t take_part_locked(uint8_t *into, size_t room) {
  struct part *part = queue.first;
  const size_t size = part->length < room ? part->length : room;
  memcpy(into, part->bytes + part->start, size);
  part->start += size;
  part->length -= size;
  if (part->length == 0) {
    queue.first = part->next;
    free(part);
  }
  return size;
}

/* Takes out what is there. False when that is nothing and no more will come. Of a
 * log that is only starting no less than `size`: who has got any of it may rely on
 * events being logged, which they are not yet when the RTS writes the header. */
static bool take(uint8_t *into, size_t size, size_t *taken) {
  *taken = 0;
  pthread_mutex_lock(&queue_lock);
  const bool ready = !queue.given_up && (queue.state != STARTING || queue.used >= size);
  while (ready && *taken < size && queue.first != NULL) {
    *taken += take_part_locked(into + *taken, size - *taken);
  }
  queue.used -= *taken;
  queue.of_start -= *taken < queue.of_start ? *taken : queue.of_start;
  queue.sent += *taken;
  const bool goes_on = *taken > 0 || (queue.state != ENDED && !queue.given_up);
  pthread_mutex_unlock(&queue_lock);
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

static void switch_classes(uint32_t on, uint32_t off) {
  for (unsigned bit = 0; class_switch(bit) != NULL; bit++) {
    if ((on | off) >> bit & 1) {
      *class_switch(bit) = (off >> bit & 1) == 0;
    }
  }
}

void ghcdbg_log_classes(uint32_t on, uint32_t off, struct ghcdbg_pause_answer *answer) {
  *answer = (struct ghcdbg_pause_answer){.outcome = GHCDBG_DONE};
  if (class_switch(0) != NULL) {
    switch_classes(on, off);
  } else if ((on | off) != 0) {
    answer->outcome = GHCDBG_IMPOSSIBLE;
    snprintf(answer->reason, sizeof answer->reason,
             "the RTS is a shared library, which hides the switches of classes");
  }
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
  if (!is_beginning()) {
    return;
  }
  if (eventLogStatus() == EVENTLOG_RUNNING) {
    if (!s->take_over && !last_was_ours && !RtsFlags.TraceFlags.nullWriter) {
      s->in_the_way = true;
      return;
    }
    endEventLogging();
  }
  last_was_ours = move_on(OPEN, STARTING);
  s->begun = last_was_ours && startEventLogging(&writer);
  last_was_ours = s->begun;
  if (s->begun) {
    name_threads();
    flushEventLog(NULL);
  }
  move_on(STARTING, s->begun ? RUNNING : ENDED);
}

/* Here, so that no other log begins between the RTS's end of one and ours. A log
 * that is still to begin is not meant. */
static void stop(void *stopped) {
  if (eventLogStatus() == EVENTLOG_RUNNING) {
    endEventLogging();
  }
  last_was_ours = false;
  move_on(RUNNING, ENDED);
  pthread_mutex_lock(&queue_lock);
  *(uint64_t *)stopped = queue.state == ENDED ? queue.number : 0;
  pthread_mutex_unlock(&queue_lock);
}

static void stop_ours(void *unused) {
  (void)unused;
  uint64_t number;
  if (last_was_ours) {
    stop(&number);
  }
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
  const bool is_free = ours.possible && ours.to == GHCDBG_LOG_NOWHERE;
  if (is_free) {
    ours.to = to;
    ours.number++;
    snprintf(ours.target, sizeof ours.target, "%s", target);
    open_queue(ours.number);
  } else if (!ours.possible) {
    *answer = (struct ghcdbg_pause_answer){.outcome = GHCDBG_IMPOSSIBLE};
    snprintf(answer->reason, sizeof answer->reason, "no server runs, or it is about to end");
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
  close_queue();
  pthread_mutex_lock(&log_lock);
  switch_classes(0, ours.switched_on);
  if (ours.fd >= 0) {
    close(ours.fd);
  }
  ours.fd = -1;
  ours.switched_on = 0;
  ours.to = GHCDBG_LOG_NOWHERE;
  pthread_mutex_unlock(&log_lock);
}

/* Meanwhile another thread takes out what the RTS says first. */
static bool begin(struct ghcdbg_connection *c, const struct ghcdbg_log_wish *wish,
                  struct ghcdbg_pause_answer *answer) {
  struct start s = {.take_over = wish->take_over};
  pthread_mutex_lock(&log_lock);
  ours.switched_on = class_switch(0) == NULL ? 0 : wish->classes & ~classes_on();
  switch_classes(ours.switched_on, 0);
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

/* Ends the RTS's part of our log. A pause can prevent that: then nothing more is
 * taken out, and the next log replaces this one. */
static void end_for_good(void) {
  struct ghcdbg_pause_answer answer;
  if (last_was_ours) {
    act(NULL, stop_ours, NULL, PROGRAM_WAIT_MILLIS * (uint64_t)GHCDBG_MILLI, &answer);
  }
  end_queue();
}

/* Is this log, of a file, still to be written to its end? */
static bool is_written(uint64_t number) {
  pthread_mutex_lock(&log_lock);
  const bool written = ours.to == GHCDBG_LOG_FILE && ours.number == number;
  pthread_mutex_unlock(&log_lock);
  return written;
}

static enum ghcdbg_log_to goes_to(void) {
  pthread_mutex_lock(&log_lock);
  const enum ghcdbg_log_to to = ours.to;
  pthread_mutex_unlock(&log_lock);
  return to;
}

void ghcdbg_log_stop(struct ghcdbg_connection *c, uint64_t wait,
                     struct ghcdbg_pause_answer *answer) {
  uint64_t stopped = 0;
  act(c, stop, &stopped, wait, answer);
  while (stopped != 0 && is_written(stopped) && !is_given_up() &&
         (c == NULL || !ghcdbg_connection_is_gone(c))) {
    poll(NULL, 0, 1);
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
  if (out->to == GHCDBG_LOG_NOWHERE && eventLogStatus() == EVENTLOG_RUNNING && !last_was_ours &&
      !RtsFlags.TraceFlags.nullWriter) {
    out->to = GHCDBG_LOG_RTS;
  }
  pthread_mutex_lock(&queue_lock);
  out->sent = queue.sent;
  out->dropped = queue.dropped;
  pthread_mutex_unlock(&queue_lock);
}

/* --- Those who take it out ------------------------------------------------- */

static void flush_when_due(uint64_t *due) {
  if (ghcdbg_now() >= *due) {
    struct ghcdbg_pause_answer answer;
    ghcdbg_log_flush(NULL, FLUSH_WAIT_MILLIS * (uint64_t)GHCDBG_MILLI, &answer);
    *due = ghcdbg_now() + FLUSH_MILLIS * (uint64_t)GHCDBG_MILLI;
  }
}

/* Until more may have come. */
static void rest(void) { poll(NULL, 0, is_beginning() ? STARTING_LOOK_MILLIS : LOOK_MILLIS); }

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
    if (length > 0 && is_given_up()) {
      errno = ECANCELED;
      return false;
    }
    if (give_up_at != 0 && now >= give_up_at) {
      errno = ETIMEDOUT;
      return false;
    }
  }
  return true;
}

static void tell_of_end(int error) {
  fprintf(stderr, "ghc-debuggee: the eventlog to %s ends: %s\n", ours.target,
          error == ETIMEDOUT   ? "its reader takes nothing"
          : error == ECANCELED ? "its reader does not take it while the program ends"
                               : strerror(error));
}

/* A file that is there is replaced only by a log that has begun. */
static bool clear_file(void) {
  struct stat info;
  const bool is_file = ours.replaces && fstat(ours.fd, &info) == 0 && S_ISREG(info.st_mode);
  return !is_file || ftruncate(ours.fd, 0) == 0;
}

static void *pump(void *unused) {
  (void)unused;
  uint8_t *piece = malloc(PIECE_BYTES);
  uint64_t due = ghcdbg_now();
  size_t size;
  bool written = piece != NULL, cleared = false;
  while (written && take(piece, PIECE_BYTES, &size)) {
    if (size > 0 && !cleared) {
      cleared = written = clear_file();
    }
    written = written && write_all(ours.fd, piece, size);
    if (written && size < PIECE_BYTES) {
      rest();
      if (!is_beginning()) {
        flush_when_due(&due);
      }
    }
  }
  if (!written || is_cut_short()) {
    tell_of_end(written ? ECANCELED : errno);
    end_for_good();
  }
  free(piece);
  give_up();
  return NULL;
}

/* A FIFO must have a reader already. `created`: it was not there. */
static int open_target(const char *path, int descriptor, bool *created) {
  *created = false;
  if (path == NULL) {
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  }
  const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  const int fd = open(path, flags);
  if (fd >= 0 || errno != ENOENT) {
    return fd;
  }
  *created = true;
  return open(path, flags | O_CREAT, S_IRUSR | S_IWUSR);
}

static void remove_created(const char *path) {
  struct stat at_path, opened;
  if (lstat(path, &at_path) == 0 && fstat(ours.fd, &opened) == 0 &&
      at_path.st_dev == opened.st_dev && at_path.st_ino == opened.st_ino) {
    unlink(path);
  }
}

void ghcdbg_log_to_file(struct ghcdbg_connection *c, const char *path, int descriptor,
                        const struct ghcdbg_log_wish *wish, struct ghcdbg_pause_answer *answer) {
  char name[32];
  *answer = (struct ghcdbg_pause_answer){.outcome = GHCDBG_DONE};
  snprintf(name, sizeof name, "descriptor %d", descriptor);
  if (!reserve(GHCDBG_LOG_FILE, path == NULL ? name : path, answer)) {
    return;
  }
  bool created;
  pthread_t thread;
  const uint64_t number = ours.number;
  ours.fd = open_target(path, descriptor, &created);
  ours.replaces = path != NULL;
  const int error = ours.fd < 0 ? errno : ghcdbg_server_create_thread(&thread, true, pump, NULL);
  if (error != 0) {
    answer->outcome = GHCDBG_WENT_WRONG;
    snprintf(answer->reason, sizeof answer->reason, "%.150s: %s", ours.target,
             error == ENXIO ? "nobody reads from this pipe" : strerror(error));
    if (ours.fd >= 0 && created) {
      remove_created(path);
    }
    give_up();
  } else if (!begin(c, wish, answer)) {
    if (created) {
      remove_created(path);
    }
    end_queue();
    while (is_written(number)) {
      poll(NULL, 0, 1);
    }
  }
}

/* Has the client said something, or gone? */
static bool interrupted(const struct ghcdbg_connection *c, int millis) {
  struct pollfd client = {.fd = c->fd, .events = POLLIN};
  return c->end > c->start || poll(&client, 1, millis) > 0;
}

/* False if the RTS may still be writing it. */
static bool send_log(struct ghcdbg_response *r) {
  uint64_t due = ghcdbg_now();
  size_t size = 0;
  bool ended = false;
  while (!r->to->lost && take(r->to->scratch, PIECE_BYTES, &size)) {
    ghcdbg_response_copy(r, r->to->scratch, size);
    if (size < PIECE_BYTES) {
      ghcdbg_response_send(r);
    }
    if (is_beginning()) {
      if (size < PIECE_BYTES) {
        rest();
      }
    } else if (!ended && interrupted(r->to, size < PIECE_BYTES ? LOOK_MILLIS : 0)) {
      end_for_good();
      ended = true;
    } else if (!ended) {
      flush_when_due(&due);
    }
  }
  r->to->lost |= is_cut_short();
  return ended;
}

struct beginning {
  struct ghcdbg_connection *c;
  const struct ghcdbg_log_wish *wish;
  struct ghcdbg_pause_answer *answer;
  bool begun;
};

static void *begin_for_client(void *user) {
  struct beginning *b = user;
  b->begun = begin(b->c, b->wish, b->answer);
  if (!b->begun) {
    end_queue();
  }
  return NULL;
}

bool ghcdbg_log_to_client(struct ghcdbg_response *r, const struct ghcdbg_log_wish *wish,
                          struct ghcdbg_pause_answer *answer) {
  *answer = (struct ghcdbg_pause_answer){.outcome = GHCDBG_DONE};
  if (!reserve(GHCDBG_LOG_CLIENT, "", answer)) {
    return false;
  }
  struct beginning b = {.c = r->to, .wish = wish, .answer = answer};
  pthread_t thread;
  const int error = ghcdbg_server_create_thread(&thread, false, begin_for_client, &b);
  if (error == 0) {
    const bool ended = send_log(r);
    pthread_join(thread, NULL);
    if (!ended) {
      end_for_good();
    }
  } else {
    answer->outcome = GHCDBG_WENT_WRONG;
    snprintf(answer->reason, sizeof answer->reason, "%s", strerror(error));
  }
  give_up();
  return b.begun;
}

void ghcdbg_log_begin(void) {
  pthread_mutex_lock(&log_lock);
  ours.possible = true;
  pthread_mutex_unlock(&log_lock);
}

static uint64_t after(unsigned millis) {
  return ghcdbg_now() + millis * (uint64_t)GHCDBG_MILLI;
}

static void await_end(uint64_t until) {
  while (goes_to() != GHCDBG_LOG_NOWHERE && ghcdbg_now() < until) {
    poll(NULL, 0, 1);
  }
}

void ghcdbg_log_end(void) {
  struct ghcdbg_pause_answer answer;
  uint64_t until, stopped;
  pthread_mutex_lock(&log_lock);
  ours.possible = false;
  pthread_mutex_unlock(&log_lock);
  if (goes_to() == GHCDBG_LOG_NOWHERE) {
    return;
  }
  do { /* the end of the program waits for that of a pause */
    until = after(END_MILLIS);
    act(NULL, stop, &stopped, END_STOP_MILLIS * (uint64_t)GHCDBG_MILLI, &answer);
  } while (answer.outcome == GHCDBG_IS_PAUSED && poll(NULL, 0, LOOK_MILLIS) == 0);
  end_queue();
  await_end(until);
  give_up_queue();
  if (goes_to() == GHCDBG_LOG_FILE) { /* a client is sent nothing more from now on */
    await_end(after(END_WRITERS_MILLIS));
  }
}

void ghcdbg_log_forked(void) {
  pthread_mutex_init(&queue_lock, NULL);
  pthread_mutex_init(&log_lock, NULL);
  memset(&queue, 0, sizeof queue);
  ours.possible = false;
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

bool ghc_debuggee_log_classes(uint32_t on, uint32_t off) {
  struct ghcdbg_pause_answer answer;
  ghcdbg_log_classes(on, off, &answer);
  return say(&answer);
}

bool ghc_debuggee_heap_profile(unsigned what) {
  struct ghcdbg_pause_answer answer;
  ghcdbg_log_profile(NULL, (enum ghcdbg_heap_profile)what, program_wait, &answer);
  return say(&answer);
}
