#define _GNU_SOURCE
#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "extensions.h"
#include "memory.h"
#include "server.h"

enum { SLICE_MILLIS = 200, TIMES_MILLIS = 2000, KEPT_MAX = 4 };

/* What the program tells the copy when it goes on. */
struct times {
  uint64_t resume_nanos, fork_nanos;
};

/* First byte of what the copy leaves behind: it ended as its client wanted. */
enum { CLEAN = 1 };

static pthread_mutex_t rts_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool forking;
static int channel = -1;     /* in the copy: to the program */
static uint64_t time_is_over; /* in the copy */

void ghcdbg_rts_lock(void) { pthread_mutex_lock(&rts_lock); }
void ghcdbg_rts_unlock(void) { pthread_mutex_unlock(&rts_lock); }
bool ghcdbg_copy_forking(void) { return forking; }
void ghcdbg_copy_forked(void) { pthread_mutex_init(&rts_lock, NULL); }

void ghcdbg_copy_check(void) {
  if (ghcdbg_is_copy() && time_is_over != 0 && ghcdbg_now() >= time_is_over) {
    _exit(0);
  }
}

void ghcdbg_copy_renew(uint64_t budget) {
  time_is_over = budget == 0 ? 0 : ghcdbg_now() + budget;
}

/* Signals meant for the program are not for its copy. */
static void reset_signals(void) {
  struct sigaction standard = {.sa_handler = SIG_DFL}, ignored = {.sa_handler = SIG_IGN};
  for (int s = 1; s < NSIG; s++) {
    sigaction(s, s == SIGINT || s == SIGHUP || s == SIGQUIT || s == SIGTSTP || s == SIGPIPE
                     ? &ignored : &standard, NULL);
  }
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
}

static void close_range_of(unsigned first, unsigned last) {
#if defined(SYS_close_range)
  if (first <= last && syscall(SYS_close_range, first, last, 0) == 0) {
    return;
  }
#endif
  struct rlimit limit = {.rlim_cur = 1024};
  getrlimit(RLIMIT_NOFILE, &limit);
  for (unsigned fd = first; fd <= last && fd < limit.rlim_cur; fd++) {
    close((int)fd);
  }
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Whoever reads what the program writes must see its end when it comes. */
static void close_others(const struct ghcdbg_connection *client) {
  int keep[KEPT_MAX] = {client->fd, channel, -1, -1};
  ghcdbg_memory_descriptors(&keep[2], &keep[3]);
  qsort(keep, KEPT_MAX, sizeof *keep, ascending);
  unsigned from = 0;
  for (int i = 0; i < KEPT_MAX; i++) {
    if (keep[i] >= 0) {
      if ((unsigned)keep[i] > from) {
        close_range_of(from, (unsigned)keep[i] - 1);
      }
      from = (unsigned)keep[i] + 1;
    }
  }
  close_range_of(from, ~0U);
  const int nowhere = open("/dev/null", O_RDWR); /* may become 0, or none of 0 to 2 */
  for (int fd = 0; fd <= 2 && nowhere >= 0; fd++) {
    if (fd != client->fd && fd != channel && fcntl(fd, F_GETFD) < 0) {
      dup2(nowhere, fd);
    }
  }
}

static void be_first_to_die_of_hunger(void) {
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd >= 0) {
    (void)!write(fd, "1000", 4);
    close(fd);
  }
}

static void become_copy(const struct ghcdbg_connection *client, int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* the keeper's death, which the program's includes */
  if (getppid() != parent) {
    _exit(0);
  }
  reset_signals();
  if (!ghcdbg_memory_forked()) {
    _exit(0);
  }
  ghcdbg_server_copied();
  close_others(client);
  be_first_to_die_of_hunger();
}

int ghcdbg_copy_fork(struct ghcdbg_connection *client, struct ghcdbg_pause_answer *answer) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    snprintf(answer->reason, sizeof answer->reason, "no descriptors for a fork: %s",
             strerror(errno));
    answer->outcome = GHCDBG_WENT_WRONG;
    return -1;
  }
  const int parent = getpid();
  ghcdbg_rts_lock();
  forking = true;
  const uint64_t before = ghcdbg_now();
  const int pid = fork();
  const int error = errno;
  answer->fork_nanos = ghcdbg_now() - before;
  forking = false;
  ghcdbg_rts_unlock();
  if (pid == 0) {
    channel = ends[1];
    become_copy(client, parent);
    return 0;
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    snprintf(answer->reason, sizeof answer->reason, "fork: %s", strerror(error));
    answer->outcome = GHCDBG_WENT_WRONG;
    return -1;
  }
  answer->pid = pid;
  answer->channel = ends[0];
  return pid;
}

void ghcdbg_copy_started(const struct ghcdbg_pause_answer *answer) {
  const struct times times = {.resume_nanos = answer->resume_nanos,
                              .fork_nanos = answer->fork_nanos};
  (void)!send(answer->channel, &times, sizeof times, MSG_NOSIGNAL);
}

/* Hands back what was not read of the connection. */
static _Noreturn void end_copy(const struct ghcdbg_connection *client) {
  if (!client->lost && client->skip == 0) {
    const uint8_t clean = CLEAN;
    const uint8_t *from = client->input + client->start;
    size_t left = client->end - client->start;
    ssize_t sent = send(channel, &clean, sizeof clean, MSG_NOSIGNAL);
    while (left > 0 && (sent = send(channel, from, left, MSG_NOSIGNAL)) > 0) {
      from += sent;
      left -= (size_t)sent;
    }
  }
  _exit(0);
}

void ghcdbg_copy_serve(struct ghcdbg_connection *client, struct ghcdbg_pause_answer *answer,
                       uint64_t deadline) {
  struct times times;
  time_is_over = deadline;
  answer->pid = getpid();
  struct pollfd told = {.fd = channel, .events = POLLIN};
  if (poll(&told, 1, TIMES_MILLIS) > 0 &&
      recv(channel, &times, sizeof times, 0) == (ssize_t)sizeof times) {
    answer->resume_nanos = times.resume_nanos;
    answer->fork_nanos = times.fork_nanos;
  }
  ghcdbg_extension_paused(client, answer);
  ghcdbg_server_serve_requests(client);
  uint64_t heard = ghcdbg_now();
  while (!client->lost && !client->resumed) {
    ghcdbg_copy_check();
    struct pollfd p = {.fd = client->fd, .events = POLLIN};
    if (poll(&p, 1, SLICE_MILLIS) > 0) {
      ghcdbg_connection_fill(client);
      ghcdbg_server_serve_requests(client);
      heard = ghcdbg_now();
    } else {
      client->lost = ghcdbg_server_is_idle_since(heard);
    }
  }
  end_copy(client);
}

static bool keep_input(struct ghcdbg_connection *c, const uint8_t *bytes, size_t length) {
  ghcdbg_connection_reserve(c, c->end + length);
  if (c->lost) {
    return false;
  }
  memcpy(c->input + c->end, bytes, length);
  c->end += length;
  return true;
}

void ghcdbg_copy_wait(struct ghcdbg_connection *client,
                      const struct ghcdbg_pause_answer *answer) {
  bool clean = false, first = true;
  uint8_t bytes[4096];
  uint64_t patience = 0; /* until then the copy is to notice that the client is gone */
  client->start = client->end = 0;
  for (;;) {
    struct pollfd p = {.fd = answer->channel, .events = POLLIN};
    if (poll(&p, 1, SLICE_MILLIS) <= 0) {
      if (patience == 0 && ghcdbg_connection_is_gone(client)) {
        patience = ghcdbg_now() + ghcdbg_stall_seconds * GHCDBG_SECOND;
      }
      if (ghcdbg_server_must_end() || (patience != 0 && ghcdbg_now() >= patience)) {
        kill(answer->pid, SIGKILL);
      }
      continue;
    }
    const ssize_t got = recv(answer->channel, bytes, sizeof bytes, 0);
    if (got <= 0) {
      break;
    }
    if (first) {
      clean = bytes[0] == CLEAN;
    }
    if (!keep_input(client, bytes + first, (size_t)got - first)) {
      break;
    }
    first = false;
  }
  close(answer->channel);
  while (waitpid(answer->pid, NULL, 0) < 0 && errno == EINTR) {
  }
  client->lost = client->lost || !clean;
}
