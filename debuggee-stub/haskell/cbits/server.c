#define _GNU_SOURCE
#include "server.h"

#include <errno.h>
#include <limits.h>
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

#include "clock.h"
#include "commands.h"
#include "copy.h"
#include "eventlog.h"
#include "figures.h"
#include "ghc_debuggee.h"
#include "listener.h"
#include "memory.h"
#include "pause.h"
#include "request.h"
#include "rts.h"
#include "saved.h"
#include "text.h"
#include "watch.h"

enum {
  DEFAULT_STALL_SECONDS = 10,
  FULL_MILLIS = 100,
  POLL_MILLIS = 10, /* how soon a client that sent POLL is answered */
  CLIENTS_MAX = 32,
  STRANGERS_MAX = 8,
  STRANGER_SECONDS = 10, /* to show a token */
  LISTENERS_MAX = 3,
  TOKEN_MAX = 256,
  STACK_BYTES = 1 << 20
};

static pthread_mutex_t lifecycle = PTHREAD_MUTEX_INITIALIZER;
static bool started;         /* guarded by lifecycle */
static pthread_t acceptor;   /* guarded by lifecycle; valid if started */
static bool fork_handled;    /* guarded by lifecycle */
static bool by_environment;  /* guarded by lifecycle: the program is not to start another */

static atomic_bool stopping;
static int stop_fd = -1; /* readable for ever once the server is to end; constant before */

static struct ghcdbg_listener listeners[LISTENERS_MAX]; /* constant while the server runs */
static unsigned listening;

static pthread_mutex_t clients_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t client_left = PTHREAD_COND_INITIALIZER; /* used with clients_lock */
static unsigned clients;          /* guarded by clients_lock */
static unsigned strangers;        /* of them, have not shown a token; guarded by clients_lock */
static uint64_t clients_accepted; /* guarded by clients_lock */

static const char WARNED[] = ""; /* the reason, when it has been told */

static unsigned idle_seconds; /* constant while the server runs; 0 = any time */
static char token[TOKEN_MAX];
static size_t token_length;

bool ghcdbg_server_must_end(void) {
  return atomic_load(&stopping) && (ghcdbg_is_copy() || !ghcdbg_paused());
}

unsigned ghcdbg_server_clients(void) {
  pthread_mutex_lock(&clients_lock);
  const unsigned n = clients;
  pthread_mutex_unlock(&clients_lock);
  return n;
}

void ghcdbg_server_copied(void) { pthread_mutex_init(&clients_lock, NULL); }

void ghcdbg_server_authorize(struct ghcdbg_connection *c) {
  if (!c->authorized) {
    c->authorized = true;
    pthread_mutex_lock(&clients_lock);
    strangers--;
    pthread_mutex_unlock(&clients_lock);
  }
}

bool ghcdbg_server_is_token(const void *given, size_t length) {
  const uint8_t *bytes = given;
  unsigned different = length != token_length;
  for (size_t i = 0; i < TOKEN_MAX; i++) {
    different |= (uint8_t)token[i] ^ (i < length ? bytes[i] : 0U);
  }
  return different == 0 && token_length > 0;
}

bool ghcdbg_server_is_idle_since(uint64_t heard) {
  return idle_seconds > 0 && ghcdbg_now() - heard >= idle_seconds * GHCDBG_SECOND;
}

/* --- A client's thread ----------------------------------------------------- */

void ghcdbg_server_serve_requests(struct ghcdbg_connection *c) {
  uint32_t length;
  while (!c->lost && !c->resumed && !ghcdbg_server_must_end()) {
    const size_t unread = c->end - c->start;
    const uint8_t *bytes = c->input + c->start;
    struct ghcdbg_request request;
    const enum ghcdbg_framing framing = ghcdbg_request_frame(bytes, unread, &length);
    if (framing == GHCDBG_FRAME_PARTIAL) {
      ghcdbg_connection_reserve(
          c, GHCDBG_LENGTH_FIELD + (unread < GHCDBG_LENGTH_FIELD ? 0 : (size_t)length));
      return;
    }
    /* The bytes stay until the next ones are read. */
    ghcdbg_connection_consume(c, GHCDBG_LENGTH_FIELD + (uint64_t)length);
    if (framing == GHCDBG_FRAME_COMPLETE) {
      ghcdbg_request_parse(bytes + GHCDBG_LENGTH_FIELD, length, &request);
      ghcdbg_command(c, &request);
    } else {
      ghcdbg_command_bad(c);
      c->lost = c->lost || framing == GHCDBG_FRAME_BROKEN;
    }
  }
}

/* Until the client must have said something, -1 = any time. */
static int patience_millis(const struct ghcdbg_connection *c) {
  if (!c->authorized) {
    const uint64_t now = ghcdbg_now(), end = c->since + STRANGER_SECONDS * GHCDBG_SECOND;
    return now >= end ? 0 : (int)((end - now) / GHCDBG_MILLI) + 1;
  }
  return idle_seconds > 0 ? (int)idle_seconds * 1000 : -1;
}

/* Sleeps until the client wants something, and serves it. */
static void wait_and_serve(struct ghcdbg_connection *c) {
  struct pollfd watched[] = {{.fd = c->fd, .events = POLLIN}, {.fd = stop_fd, .events = POLLIN}};
  /* One that is to end, but waits for the end of a pause, must not be woken for ever. */
  const nfds_t n = atomic_load(&stopping) ? 1 : 2;
  const int millis = c->polls > 0 || n == 1 ? POLL_MILLIS : patience_millis(c);
  const int ready = poll(watched, n, millis);
  if ((ready == 0 && c->polls == 0 && n == 2) || (!c->authorized && millis == 0)) {
    c->lost = true; /* idle for too long */
    return;
  }
  if (c->polls > 0 && ghcdbg_paused()) {
    ghcdbg_command_answer_polls(c);
  }
  if (ready > 0 && watched[0].revents != 0) {
    ghcdbg_connection_fill(c);
    ghcdbg_server_serve_requests(c);
  }
}

static void count_out(bool stranger) {
  pthread_mutex_lock(&clients_lock);
  clients--;
  strangers -= stranger;
  pthread_cond_broadcast(&client_left);
  pthread_mutex_unlock(&clients_lock);
}

static void *serve_client(void *connection) {
  struct ghcdbg_connection *c = connection;
  if (ghcdbg_memory_thread_begin()) {
    while (!c->lost && !ghcdbg_server_must_end()) {
      wait_and_serve(c);
    }
    ghcdbg_memory_thread_end();
  }
  const bool stranger = !c->authorized;
  ghcdbg_pause_leave(c);
  ghcdbg_connection_close(c);
  free(c);
  hs_thread_done();
  count_out(stranger);
  return NULL;
}

/* --- The acceptor ---------------------------------------------------------- */

int ghcdbg_server_create_thread(pthread_t *thread, bool detached, void *(*run)(void *),
                                void *with) {
  sigset_t all, before;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  pthread_attr_setdetachstate(&attributes,
                              detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(thread, &attributes, run, with);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return error;
}

static void welcome(int fd, const struct ghcdbg_peer *peer) {
  pthread_t thread;
  struct ghcdbg_connection *c = malloc(sizeof *c);
  if (c == NULL) {
    close(fd);
    return;
  }
  if (!ghcdbg_connection_open(c, fd)) {
    free(c);
    return;
  }
  c->pid = peer->pid;
  c->since = ghcdbg_now();
  c->local = c->authorized = peer->local;
  pthread_mutex_lock(&clients_lock);
  clients++;
  strangers += !c->authorized;
  c->id = ++clients_accepted;
  pthread_mutex_unlock(&clients_lock);
  if (ghcdbg_server_create_thread(&thread, true, serve_client, c) != 0) {
    count_out(!c->authorized);
    ghcdbg_connection_close(c);
    free(c);
  }
}

static void accept_client(const struct ghcdbg_listener *listener) {
  struct ghcdbg_peer peer;
  const int fd = ghcdbg_listener_accept(listener, &peer);
  if (fd >= 0) {
    welcome(fd, &peer);
  } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
    poll(NULL, 0, FULL_MILLIS); /* it would be tried without rest */
  }
}

/* How full it is: for anybody, and for those that have to show a token, which take no place from
 * the others. */
static void count_full(bool *for_all, bool *for_strangers) {
  pthread_mutex_lock(&clients_lock);
  *for_all = clients - strangers >= CLIENTS_MAX;
  *for_strangers = *for_all || strangers >= STRANGERS_MAX;
  pthread_mutex_unlock(&clients_lock);
}

/* Goes on until the end of a pause that the end of the server waits for: who
 * is to resume may not have come yet. */
static void *accept_clients(void *unused) {
  (void)unused;
  struct pollfd watched[1 + LISTENERS_MAX] = {{.fd = stop_fd, .events = POLLIN}};
  while (!ghcdbg_server_must_end()) {
    bool full, full_for_strangers; /* more wait in the queue */
    const bool last = atomic_load(&stopping);
    count_full(&full, &full_for_strangers);
    for (unsigned i = 0; i < listening; i++) {
      const bool wait = listeners[i].local ? full : full_for_strangers;
      watched[1 + i] = (struct pollfd){.fd = wait ? -1 : listeners[i].fd, .events = POLLIN};
    }
    watched[0].fd = last ? -1 : stop_fd;
    if (poll(watched, 1 + listening, full_for_strangers || last ? FULL_MILLIS : -1) <= 0) {
      continue;
    }
    for (unsigned i = 0; i < listening; i++) {
      if (watched[1 + i].revents != 0) {
        accept_client(&listeners[i]);
      }
    }
  }
  return NULL;
}

/* --- Start and end --------------------------------------------------------- */

static void close_listeners(void) {
  for (unsigned i = 0; i < listening; i++) {
    ghcdbg_listener_close(&listeners[i]);
  }
  listening = 0;
}

/* A forked child has no server and must not hold what belongs to its
 * parent's. */
static void forked(void) {
  if (ghcdbg_copy_forking()) {
    return;
  }
  ghcdbg_forget_pending_sync();
  pthread_mutex_init(&lifecycle, NULL);
  pthread_mutex_init(&clients_lock, NULL);
  ghcdbg_pause_forked();
  ghcdbg_copy_forked();
  ghcdbg_log_forked();
  ghcdbg_watch_forked();
  (void)ghcdbg_memory_forked();
  ghcdbg_memory_exit();
  if (!started) {
    return;
  }
  started = false;
  for (unsigned i = 0; i < listening; i++) {
    close(listeners[i].fd);
  }
  listening = 0;
  clients = strangers = 0;
  close(stop_fd);
  stop_fd = -1;
}

static unsigned seconds(const char *variable, unsigned standard) {
  const char *text = getenv(variable);
  const bool is_given = text != NULL && text[0] != 0;
  const long given = is_given ? parse_number(text, 1, INT_MAX / 1000) : (long)standard;
  if (given < 0) {
    fprintf(stderr, "ghc-debuggee: %s is %s; expected a whole number of seconds, 1 or more: it is "
                    "not heeded\n", variable, text);
  }
  return given < 0 ? standard : (unsigned)given;
}

/* Children of the program are not to have it. */
static void take_token(void) {
  const char *given = getenv("GHC_DEBUG_TOKEN");
  const size_t length = given == NULL ? 0 : strlen(given);
  if (length >= TOKEN_MAX) {
    fprintf(stderr, "ghc-debuggee: GHC_DEBUG_TOKEN has %zu bytes; it can have %d at most\n", length,
            TOKEN_MAX - 1);
  } else if (length > 0) {
    token_length = length;
    memcpy(token, given, length);
  }
  unsetenv("GHC_DEBUG_TOKEN");
}

/* Releases what the threads use. */
static void release(void) {
  close(stop_fd);
  stop_fd = -1;
  ghcdbg_memory_exit();
}

static const char *start_threads(void) {
  atomic_store(&stopping, false);
  ghcdbg_log_begin();
  int error = ghcdbg_pause_begin();
  if (error == 0) {
    error = ghcdbg_server_create_thread(&acceptor, false, accept_clients, NULL);
    if (error != 0) {
      ghcdbg_pause_end();
    }
  }
  return error == 0 ? NULL : strerror(error);
}

/* What makes it impossible, whatever the address. */
static const char *obstacle(void) {
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
  return NULL;
}

/* HOST:PORT, [HOST]:PORT or PORT alone, which means the loopback addresses. */
static const char *listen_to(const char *address, struct ghcdbg_listener *l, unsigned max,
                             unsigned *opened) {
  char host[64] = "";
  const char *colon = strrchr(address, ':');
  if (colon != NULL) {
    const bool brackets = address[0] == '[' && colon > address && colon[-1] == ']';
    const char *from = address + brackets;
    const size_t length = (size_t)(colon - brackets - from);
    if (length >= sizeof host) {
      return "the host is no numeric address";
    }
    memcpy(host, from, length);
  }
  const long port = parse_number(colon == NULL ? address : colon + 1, 1, UINT16_MAX);
  return ghcdbg_listener_open_tcp(l, max, opened, host, port < 0 ? 0 : (unsigned)port);
}

/* Besides what the program asked for, or instead of it. Warns itself, and says
 * if there was anything to be done. */
static bool listen_by_environment(void) {
  const char *address = getenv("GHC_DEBUG_TCP");
  if (address == NULL || address[0] == 0) {
    return false;
  }
  unsigned opened = 0;
  const char *reason = token_length == 0
                           ? "TCP needs a token in GHC_DEBUG_TOKEN"
                           : listen_to(address, &listeners[listening],
                                       LISTENERS_MAX - listening, &opened);
  if (reason != NULL) {
    fprintf(stderr, "ghc-debuggee: not listening on %s: %s\n", address, reason);
  }
  listening += opened;
  unsetenv("GHC_DEBUG_TCP");
  return true;
}

/* What the program asks for, if anything. */
static const char *listen_for(const char *path, const char *host, unsigned port) {
  if (path != NULL) {
    const char *reason = ghcdbg_listener_open(&listeners[0], path);
    listening = reason == NULL;
    return reason;
  }
  if (host == NULL) {
    return NULL;
  }
  if (token_length == 0) {
    return "TCP needs a token in GHC_DEBUG_TOKEN";
  }
  return ghcdbg_listener_open_tcp(listeners, LISTENERS_MAX, &listening, host, port);
}

static void warn(const char *path, const char *host, unsigned port, const char *reason) {
  if (host != NULL) {
    fprintf(stderr, "ghc-debuggee: not listening on %s port %u: %s\n", host, port, reason);
  } else {
    fprintf(stderr, "ghc-debuggee: not listening%s%s: %s\n", path == NULL ? "" : " on ",
            path == NULL ? "" : path, reason);
  }
}

static const char *start(const char *path, const char *host, unsigned port) {
  take_token();
  const char *reason = obstacle();
  if (reason != NULL) {
    return reason;
  }
  if (!ghcdbg_memory_init()) {
    return "memory cannot be read in a guarded way";
  }
  stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (stop_fd < 0) {
    reason = strerror(errno);
    ghcdbg_memory_exit();
    return reason;
  }
  listening = 0;
  reason = listen_for(path, host, port);
  const bool asked_to_listen = listen_by_environment(), asked_to_watch = ghcdbg_watch_by_environment();
  if (listening == 0 && !ghcdbg_watch_armed()) {
    reason = reason != NULL ? reason
             : asked_to_listen || asked_to_watch
                 ? WARNED
                 : "there is no address to listen on";
  } else if (reason != NULL) {
    warn(path, host, port, reason); /* there is something else to do */
    reason = NULL;
  }
  if (reason == NULL) {
    ghcdbg_figures_note_collections(&rtsConfig);
    if (!fork_handled) {
      fork_handled = pthread_atfork(NULL, NULL, forked) == 0;
    }
    ghcdbg_stall_seconds = seconds("GHC_DEBUG_STALL_SECONDS", DEFAULT_STALL_SECONDS);
    idle_seconds = seconds("GHC_DEBUG_IDLE_SECONDS", 0);
    reason = start_threads();
  }
  if (reason != NULL) {
    close_listeners();
    release();
  }
  started = reason == NULL;
  return reason;
}

static bool start_or_warn(const char *path, const char *host, unsigned port) {
  pthread_mutex_lock(&lifecycle);
  const bool runs = started && by_environment;
  const char *reason = runs ? NULL : start(path, host, port);
  pthread_mutex_unlock(&lifecycle);
  if (reason == WARNED) {
    return false;
  }
  if (reason != NULL) {
    warn(path, host, port, reason);
  } else if (!runs && ghcdbg_pausing_deadlocks()) {
    fprintf(stderr, "ghc-debuggee: this GHC's RTS cannot be paused with --nonmoving-gc; "
                    "PAUSE will be refused\n");
  }
  return reason == NULL && !runs;
}

bool ghc_debuggee_start(const char *path) { return start_or_warn(path, NULL, 0); }

bool ghc_debuggee_start_tcp(const char *host, unsigned port) {
  return start_or_warn(NULL, host, port);
}

void ghcdbg_server_start_by_environment(const char *path) {
  const bool runs = start_or_warn(path, NULL, 0);
  pthread_mutex_lock(&lifecycle);
  by_environment = runs;
  pthread_mutex_unlock(&lifecycle);
}

void ghc_debuggee_stop(void) {
  pthread_mutex_lock(&lifecycle);
  const bool mine = !by_environment;
  pthread_mutex_unlock(&lifecycle);
  if (mine) {
    ghcdbg_server_stop();
  }
}

void ghcdbg_server_stop(void) {
  pthread_mutex_lock(&lifecycle);
  if (started) {
    const uint64_t one = 1;
    ghcdbg_log_end();
    atomic_store(&stopping, true);
    (void)!write(stop_fd, &one, sizeof one);
    ghcdbg_pause_end();
    pthread_join(acceptor, NULL);
    pthread_mutex_lock(&clients_lock);
    while (clients > 0) {
      pthread_cond_wait(&client_left, &clients_lock);
    }
    pthread_mutex_unlock(&clients_lock);
    close_listeners();
    release();
    ghcdbg_saved_drop();
    started = false;
  }
  pthread_mutex_unlock(&lifecycle);
}
