#define _GNU_SOURCE
#include "server.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "commands.h"
#include "connection.h"
#include "ghc_debuggee.h"
#include "listener.h"
#include "memory.h"
#include "pause.h"
#include "request.h"
#include "rts.h"
#include "saved.h"

enum { DEFAULT_STALL_SECONDS = 30, OUT_OF_DESCRIPTORS_MILLIS = 100 };

static pthread_mutex_t lifecycle = PTHREAD_MUTEX_INITIALIZER;
static bool started;     /* guarded by lifecycle */
static pthread_t thread; /* guarded by lifecycle; valid if started */
static bool fork_handled; /* guarded by lifecycle */

static atomic_bool stopping;
static int wake_fd = -1; /* constant while the thread runs */

static struct ghcdbg_listener listener = {.fd = -1};     /* the thread's while it runs */
static struct ghcdbg_connection connection = {.fd = -1}; /* the thread's */

void ghcdbg_server_wake(void) {
  const uint64_t one = 1;
  (void)!write(wake_fd, &one, sizeof one);
}

bool ghcdbg_server_must_end(void) { return atomic_load(&stopping) && !ghcdbg_paused(); }

static void serve_requests(struct ghcdbg_connection *c) {
  uint32_t length;
  while (!c->lost && !ghcdbg_server_must_end()) {
    const size_t unread = c->end - c->start;
    const uint8_t *bytes = c->input + c->start;
    struct ghcdbg_request request;
    switch (ghcdbg_request_frame(bytes, unread, &length)) {
      case GHCDBG_FRAME_PARTIAL:
        ghcdbg_connection_reserve(
            c, GHCDBG_LENGTH_FIELD + (unread < GHCDBG_LENGTH_FIELD ? 0 : (size_t)length));
        return;
      case GHCDBG_FRAME_COMPLETE:
        ghcdbg_request_parse(bytes + GHCDBG_LENGTH_FIELD, length, &request);
        ghcdbg_command(c, &request);
        break;
      case GHCDBG_FRAME_TOO_LONG:
        ghcdbg_command_bad(c);
        break;
      case GHCDBG_FRAME_BROKEN:
        ghcdbg_command_bad(c);
        c->lost = true;
        return;
    }
    ghcdbg_connection_consume(c, GHCDBG_LENGTH_FIELD + (uint64_t)length);
  }
}

/* A program must not stay paused for a client that is gone. A client that
 * only looked who is there, however, does not end a pause that the program
 * made itself. */
static void drop_client(void) {
  const bool attended = connection.attends;
  ghcdbg_connection_close(&connection);
  if (attended && ghcdbg_paused()) {
    ghcdbg_resume();
  }
}

static void accept_client(void) {
  const int fd = ghcdbg_listener_accept(&listener);
  if (fd >= 0) {
    ghcdbg_connection_open(&connection, fd);
  } else if (errno == EMFILE || errno == ENFILE) {
    poll(NULL, 0, OUT_OF_DESCRIPTORS_MILLIS); /* it would be tried without rest */
  }
}

static void serve_program(void) {
  if (ghcdbg_pause_serve_program() && connection.fd >= 0) {
    ghcdbg_command_answer_polls(&connection);
  }
  if (!ghcdbg_paused()) {
    connection.attends = false;
  }
}

/* Sleeps until the client or the program wants something; serves the client. */
static void wait_and_serve(void) {
  const bool connected = connection.fd >= 0;
  struct pollfd watched[] = {{.fd = wake_fd, .events = POLLIN},
                             {.fd = connected ? connection.fd : listener.fd, .events = POLLIN}};
  if (poll(watched, 2, -1) < 0) {
    return;
  }
  uint64_t wakes;
  if (watched[0].revents != 0) {
    (void)!read(wake_fd, &wakes, sizeof wakes);
  }
  if (watched[1].revents == 0) {
    return;
  }
  if (connected) {
    ghcdbg_connection_fill(&connection);
    serve_requests(&connection);
  } else {
    accept_client();
  }
}

static void *run(void *unused) {
  (void)unused;
  while (!ghcdbg_server_must_end()) {
    serve_program();
    if (connection.lost) {
      drop_client();
    }
    if (!ghcdbg_server_must_end()) {
      wait_and_serve();
    }
  }
  if (connection.fd >= 0) {
    ghcdbg_connection_close(&connection);
  }
  ghcdbg_listener_close(&listener);
  ghcdbg_pause_end();
  hs_thread_done();
  return NULL;
}

/* A forked child has no server thread and must not hold what belongs to its
 * parent's. */
static void forked(void) {
  pthread_mutex_init(&lifecycle, NULL);
  ghcdbg_pause_forked();
  ghcdbg_saved_forked();
  ghcdbg_memory_exit();
  if (!started) {
    return;
  }
  started = false;
  close(listener.fd);
  close(connection.fd);
  close(wake_fd);
  listener.fd = connection.fd = wake_fd = -1;
}

static void read_stall_limit(void) {
  const char *text = getenv("GHC_DEBUG_STALL_SECONDS");
  const int seconds = text == NULL ? 0 : atoi(text);
  ghcdbg_stall_seconds = seconds > 0 ? (unsigned)seconds : DEFAULT_STALL_SECONDS;
}

/* All signals are for the program's own threads. */
static int create_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(&thread, NULL, run, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

/* Releases what both threads use. */
static void release(void) {
  close(wake_fd);
  wake_fd = -1;
  ghcdbg_memory_exit();
}

static const char *start(const char *path) {
  if (started) {
    return "it is started already";
  }
  if (!rts_isThreaded()) {
    return "the program is not linked with -threaded";
  }
#if defined(PROFILING)
  if (!rts_isProfiled()) {
#else
  if (rts_isProfiled()) {
#endif
    return "the library and the program are not compiled in the same way (profiling)";
  }
  if (!ghcdbg_memory_init()) {
    return "memory cannot be read in a guarded way";
  }
  wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_fd < 0) {
    const char *reason = strerror(errno);
    ghcdbg_memory_exit();
    return reason;
  }
  const char *reason = ghcdbg_listener_open(&listener, path);
  if (reason != NULL) {
    release();
    return reason;
  }
  if (!fork_handled) {
    fork_handled = pthread_atfork(NULL, NULL, forked) == 0;
  }
  read_stall_limit();
  atomic_store(&stopping, false);
  ghcdbg_pause_begin();
  const int error = create_thread();
  if (error != 0) {
    ghcdbg_pause_end();
    ghcdbg_listener_close(&listener);
    release();
    return strerror(error);
  }
  started = true;
  return NULL;
}

bool ghc_debuggee_start(const char *path) {
  pthread_mutex_lock(&lifecycle);
  const char *reason = start(path);
  pthread_mutex_unlock(&lifecycle);
  if (reason != NULL) {
    fprintf(stderr, "ghc-debuggee: not listening on %s: %s\n", path, reason);
  } else if (ghcdbg_pausing_deadlocks()) {
    fprintf(stderr, "ghc-debuggee: this GHC's RTS cannot be paused with --nonmoving-gc; "
                    "PAUSE will be refused\n");
  }
  return reason == NULL;
}

void ghc_debuggee_stop(void) {
  pthread_mutex_lock(&lifecycle);
  if (started) {
    atomic_store(&stopping, true);
    ghcdbg_server_wake();
    pthread_join(thread, NULL);
    release();
    ghcdbg_saved_drop();
    started = false;
  }
  pthread_mutex_unlock(&lifecycle);
}
