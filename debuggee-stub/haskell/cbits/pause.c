#define _GNU_SOURCE
#include "pause.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "capability.h"
#include "clock.h"
#include "connection.h"
#include "copy.h"
#include "ghc_debuggee.h"
#include "memory.h"
#include "rts.h"
#include "server.h"
#include "snapshot.h"
#include "watch.h"

enum { SLICE_MILLIS = 50, WATCH_MILLIS = 250, SNAPSHOT_WAIT_MILLIS = 1000 };

enum kind { PAUSE, ROOTS, ACT, SNAPSHOT };

/* What another thread wants of the keeper; lies on that thread's stack. */
struct call {
  enum kind kind;
  struct ghcdbg_connection *client; /* NULL: the program */
  const struct ghcdbg_pause_wish *wish;
  struct ghcdbg_pause_answer *answer;
  struct ghcdbg_addresses {
    uint64_t *address;
    size_t count, capacity;
    bool failed;
  } threads, others;
  void (*act)(void *); /* ACT */
  void *user;          /* ACT */
  const char *path;    /* SNAPSHOT */
  uint64_t give_up;    /* time, 0 = never */
  bool abandoned;      /* guarded by lock: nobody wants it any more */
  bool done;           /* guarded by lock */
  struct call *next;   /* guarded by lock */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; /* used with lock, by the monotonic clock */
static pthread_t keeper;

/* All guarded by lock. */
static bool possible; /* the keeper runs */
static bool stopping; /* it is to end */
static enum { RUNNING, STOPPING, PAUSED } state;
static bool ending;      /* the pause is to end as soon as nobody holds */
static enum ghcdbg_end why;
static unsigned holders;
static uint64_t number;  /* of the present or last pause */
static uint64_t began, ended, deadline; /* times; a deadline of 0 = none */
static uint64_t owner;   /* number of the connection that controls the pause, 0 = nobody */
static char owner_name[GHCDBG_NAME_MAX];
static bool programs;    /* the program made the pause */
static unsigned readers; /* clients that have read in the pause */
static enum ghcdbg_end last_end;
static bool program_waits; /* a thread of the program wants a pause */
static uint64_t pauses_ended;
static struct call *calls;

static PauseToken *token; /* keeper only */
static bool copy;         /* this process is a frozen copy */

static __thread bool holding;

bool ghcdbg_is_copy(void) { return copy; }
bool ghcdbg_holding(void) { return holding || copy; }
uint64_t ghcdbg_pause_number(void) { return number; }

bool ghcdbg_paused(void) {
  if (copy) {
    return true;
  }
  pthread_mutex_lock(&lock);
  const bool paused = state == PAUSED && !ending;
  pthread_mutex_unlock(&lock);
  return paused;
}

static void count_reader(struct ghcdbg_connection *c) {
  if (c != NULL && c->read_in != number) {
    c->read_in = number;
    readers++;
  }
}

bool ghcdbg_hold(struct ghcdbg_connection *c) {
  if (copy) {
    return true;
  }
  pthread_mutex_lock(&lock);
  const bool held = state == PAUSED && !ending;
  if (held) {
    holders++;
    holding = true;
    count_reader(c);
  }
  pthread_mutex_unlock(&lock);
  return held;
}

void ghcdbg_unhold(void) {
  if (copy || !holding) {
    return;
  }
  pthread_mutex_lock(&lock);
  holding = false;
  holders--;
  if (ending && holders == 0) {
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
}

/* The functions from here on that end in _locked want the lock held. */

static void wait_locked(uint64_t until) {
  if (until == 0) {
    pthread_cond_wait(&changed, &lock);
  } else {
    const struct timespec time = ghcdbg_timespec(until);
    pthread_cond_timedwait(&changed, &lock, &time);
  }
}

static void end_locked(enum ghcdbg_end reason) {
  if (state == PAUSED && !ending) {
    ending = true;
    why = reason;
    pthread_cond_broadcast(&changed);
  }
}

/* --- The keeper ------------------------------------------------------------ */

static bool wanted(void *user) {
  struct call *call = user;
  pthread_mutex_lock(&lock);
  const bool give_up = call->abandoned || (call->kind == PAUSE && call->client == NULL && !program_waits) ||
                       (call->give_up != 0 && ghcdbg_now() >= call->give_up);
  pthread_mutex_unlock(&lock);
  return !give_up;
}

static void resume_rts(void) {
  ghcdbg_blocks_forget();
  rts_resume(token);
  token = NULL;
}

static void finish_ending_locked(void) {
  pthread_mutex_unlock(&lock);
  resume_rts();
  pthread_mutex_lock(&lock);
  state = RUNNING;
  ending = false;
  last_end = why;
  ended = ghcdbg_now();
  owner = 0;
  readers = 0;
  programs = program_waits = false;
  pauses_ended++;
  pthread_cond_broadcast(&changed);
}

/* Stops the program. Unlocks meanwhile. */
static bool stop_locked(struct call *call) {
  state = STOPPING;
  pthread_mutex_unlock(&lock);
  const bool stoppable = ghcdbg_reach_safe_points(wanted, call, call->answer->reason,
                                                  sizeof call->answer->reason);
  if (stoppable) {
    token = rts_pause();
  }
  pthread_mutex_lock(&lock);
  if (!stoppable) {
    state = RUNNING;
    pthread_cond_broadcast(&changed);
  }
  return stoppable;
}

static void paused_locked(uint64_t budget) {
  state = PAUSED;
  number++;
  began = ghcdbg_now();
  deadline = budget == 0 ? 0 : began + budget;
  readers = 0;
  pthread_cond_broadcast(&changed);
}

static void take_locked(struct ghcdbg_connection *c) {
  owner = c->id;
  programs = false;
  ghcdbg_connection_describe(c, owner_name, sizeof owner_name);
  count_reader(c);
}

/* The program is stopped, for nobody else to see. */
static void fork_locked(struct call *call) {
  struct ghcdbg_pause_answer *a = call->answer;
  const uint64_t stopped = ghcdbg_now();
  const int pid = ghcdbg_copy_fork(call->client, a);
  if (pid == 0) {
    copy = true;
    number++;
    began = stopped;
    deadline = call->wish->budget == 0 ? 0 : stopped + call->wish->budget;
    pthread_mutex_unlock(&lock);
    a->outcome = GHCDBG_DONE;
    a->mode = GHCDBG_MODE_FORK;
    a->number = number;
    ghcdbg_copy_serve(call->client, a, deadline);
  }
  if (pid < 0 && call->wish->mode == GHCDBG_MODE_FORK_OR_HOLD) {
    paused_locked(call->wish->budget);
    take_locked(call->client);
    a->outcome = GHCDBG_DONE;
    a->number = number;
    return;
  }
  pthread_mutex_unlock(&lock);
  resume_rts();
  pthread_mutex_lock(&lock);
  state = RUNNING;
  pthread_cond_broadcast(&changed);
  if (pid > 0) {
    number++;
    began = stopped;
    ended = ghcdbg_now();
    last_end = GHCDBG_BY_RESUME;
    a->outcome = GHCDBG_DONE;
    a->mode = GHCDBG_MODE_FORK;
    a->resume_nanos = ended - stopped;
    a->number = number;
    ghcdbg_copy_started(a);
  }
}

static void pause_locked(struct call *call) {
  struct ghcdbg_pause_answer *a = call->answer;
  if (state == PAUSED) {
    if (owner == call->client->id || owner == 0) {
      take_locked(call->client);
      a->outcome = GHCDBG_IS_PAUSED;
    } else {
      a->outcome = GHCDBG_IS_BUSY;
    }
    return;
  }
  const uint64_t asked = ghcdbg_now();
  if (call->wish->collect) {
    pthread_mutex_unlock(&lock);
    const bool stoppable = ghcdbg_reach_safe_points(wanted, call, a->reason, sizeof a->reason);
    if (stoppable) {
      performMajorGC();
    }
    pthread_mutex_lock(&lock);
    if (!stoppable) {
      a->outcome = GHCDBG_TOOK_TOO_LONG;
      return;
    }
  }
  if (!stop_locked(call)) {
    a->outcome = GHCDBG_TOOK_TOO_LONG;
    return;
  }
  a->stop_nanos = ghcdbg_now() - asked;
  if (call->abandoned) {
    paused_locked(0);
    end_locked(GHCDBG_CLIENT_GONE);
    a->outcome = GHCDBG_TOOK_TOO_LONG;
  } else if (call->wish->mode != GHCDBG_MODE_HOLD) {
    fork_locked(call);
  } else {
    paused_locked(call->wish->budget);
    take_locked(call->client);
    a->outcome = GHCDBG_DONE;
    a->number = number;
  }
}

static void add_address(struct ghcdbg_addresses *to, const void *pointer) {
  if (to->count == to->capacity) {
    const size_t capacity = to->capacity == 0 ? 1024 : 2 * to->capacity;
    uint64_t *bigger = realloc(to->address, capacity * sizeof *bigger);
    if (bigger == NULL) {
      to->failed = true;
      return;
    }
    to->address = bigger;
    to->capacity = capacity;
  }
  to->address[to->count++] = (uint64_t)(uintptr_t)pointer;
}

static void add_thread(void *user, StgTSO *thread) {
  add_address(&((struct call *)user)->threads, thread);
}

static void add_other(void *user, StgClosure *root) {
  add_address(&((struct call *)user)->others, root);
}

/* The caller holds: the pause cannot end before it has its answer. */
static void list_roots(struct call *call) {
  rts_listThreads(add_thread, call);
  rts_listMiscRoots(add_other, call);
}

static void act_locked(struct call *call) {
  struct ghcdbg_pause_answer *a = call->answer;
  if (state == PAUSED) {
    a->outcome = GHCDBG_IS_PAUSED;
    return;
  }
  pthread_mutex_unlock(&lock);
  const uint64_t began_at = ghcdbg_now();
  const bool stoppable = ghcdbg_reach_safe_points(wanted, call, a->reason, sizeof a->reason);
  if (stoppable) {
    call->act(call->user);
  }
  a->stop_nanos = ghcdbg_now() - began_at;
  a->outcome = stoppable ? GHCDBG_DONE : GHCDBG_TOOK_TOO_LONG;
  pthread_mutex_lock(&lock);
}

/* Nobody else sees the program stopped. */
static void snapshot_locked(struct call *call) {
  struct ghcdbg_pause_answer *a = call->answer;
  a->outcome = GHCDBG_TOOK_TOO_LONG;
  if (!stop_locked(call)) {
    return;
  }
  pthread_mutex_unlock(&lock);
  const uint64_t stopped = ghcdbg_now();
  holding = true;
  ghcdbg_memory_forget();
  const bool written = ghcdbg_snapshot_write(call->path, a->reason, sizeof a->reason);
  holding = false;
  resume_rts();
  a->outcome = written ? GHCDBG_DONE : GHCDBG_WENT_WRONG;
  a->stop_nanos = ghcdbg_now() - stopped;
  pthread_mutex_lock(&lock);
  state = RUNNING;
  pthread_cond_broadcast(&changed);
}

static void tell_of_snapshot(const char *path, const struct ghcdbg_pause_answer *a) {
  if (a->outcome == GHCDBG_DONE) {
    fprintf(stderr, "ghc-debuggee: wrote %s; the program stood still for %llu ms\n", path,
            (unsigned long long)(a->stop_nanos / GHCDBG_MILLI));
  } else {
    fprintf(stderr, "ghc-debuggee: could not write %s: %s\n", path, a->reason);
  }
}

static void watch_locked(void) {
  char path[PATH_MAX];
  if (ghcdbg_watch_due(path, sizeof path)) {
    struct ghcdbg_pause_answer answer = {0};
    struct call call = {.kind = SNAPSHOT, .answer = &answer, .path = path,
                        .give_up = ghcdbg_now() + SNAPSHOT_WAIT_MILLIS * (uint64_t)GHCDBG_MILLI};
    snapshot_locked(&call);
    tell_of_snapshot(path, &answer);
    if (answer.outcome != GHCDBG_DONE) {
      ghcdbg_watch_failed();
    }
  }
}

static void run_locked(struct call *call) {
  switch (call->kind) {
    case PAUSE:
      pause_locked(call);
      break;
    case ROOTS:
      pthread_mutex_unlock(&lock);
      list_roots(call);
      pthread_mutex_lock(&lock);
      break;
    case ACT:
      act_locked(call);
      break;
    case SNAPSHOT:
      snapshot_locked(call);
      break;
  }
  call->done = true;
  pthread_cond_broadcast(&changed);
}

/* Pauses because the program itself wants it. */
static void pause_for_program_locked(void) {
  struct ghcdbg_pause_answer answer = {0};
  struct call call = {.answer = &answer};
  if (stop_locked(&call)) {
    paused_locked(0);
    programs = true;
    if (!program_waits) {
      end_locked(GHCDBG_BY_PROGRAM);
    }
  }
}

/* While a pause is about to end, only those that hold are served; a snapshot of
 * its own the program writes outside of pauses. */
static struct call *next_call_locked(void) {
  for (struct call **at = &calls; *at != NULL; at = &(*at)->next) {
    struct call *call = *at;
    if (call->kind == ROOTS || (!ending && (call->kind != SNAPSHOT || state != PAUSED))) {
      *at = call->next;
      return call;
    }
  }
  return NULL;
}

static void *keep(void *unused) {
  (void)unused;
  const bool begun = ghcdbg_memory_thread_begin();
  pthread_mutex_lock(&lock);
  while (begun) {
    struct call *call;
    if (state == PAUSED && deadline != 0 && ghcdbg_now() >= deadline) {
      end_locked(GHCDBG_BUDGET_SPENT);
    }
    if ((call = next_call_locked()) != NULL) {
      run_locked(call);
    } else if (ending && holders == 0) {
      finish_ending_locked();
    } else if (state == RUNNING && program_waits) {
      pause_for_program_locked();
    } else if (stopping && state == RUNNING) {
      break;
    } else if (state == RUNNING && ghcdbg_watch_armed()) {
      watch_locked();
      wait_locked(ghcdbg_now() + WATCH_MILLIS * (uint64_t)GHCDBG_MILLI);
    } else {
      wait_locked(state == PAUSED && !ending ? deadline : 0);
    }
  }
  possible = false;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  if (begun) {
    ghcdbg_memory_thread_end();
  }
  hs_thread_done();
  return NULL;
}

static void init_changed(void) {
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&changed, &monotonic);
  pthread_condattr_destroy(&monotonic);
}

int ghcdbg_pause_begin(void) {
  static bool initialised;
  if (!initialised) {
    init_changed();
    initialised = true;
  }
  stopping = program_waits = false;
  possible = true;
  const int error = ghcdbg_server_create_thread(&keeper, false, keep, NULL);
  possible = error == 0;
  return error;
}

void ghcdbg_pause_end(void) {
  pthread_mutex_lock(&lock);
  stopping = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(keeper, NULL);
}

void ghcdbg_pause_forked(void) {
  pthread_mutex_init(&lock, NULL);
  init_changed();
  possible = ending = program_waits = holding = false;
  state = RUNNING;
  holders = readers = 0;
  owner = 0;
  calls = NULL;
  token = NULL;
}

/* --- Other threads --------------------------------------------------------- */

/* Takes a call back that the keeper has not begun with. */
static bool withdraw_locked(struct call *call) {
  for (struct call **at = &calls; *at != NULL; at = &(*at)->next) {
    if (*at == call) {
      *at = call->next;
      return true;
    }
  }
  return false;
}

/* Has the keeper do it. A client that goes away meanwhile does not want it
 * any more. */
static void have_done_locked(struct call *call) {
  if (!possible) {
    call->answer->outcome = GHCDBG_TOOK_TOO_LONG;
    return;
  }
  struct call **end = &calls;
  while (*end != NULL) {
    end = &(*end)->next;
  }
  *end = call;
  pthread_cond_broadcast(&changed);
  while (!call->done) {
    wait_locked(ghcdbg_now() + SLICE_MILLIS * (uint64_t)GHCDBG_MILLI);
    if (call->client != NULL && !call->done && !call->abandoned) {
      call->abandoned = ghcdbg_connection_is_gone(call->client) || stopping;
    }
    const bool late = !possible || (call->give_up != 0 && ghcdbg_now() >= call->give_up);
    if (!call->done && (late || call->abandoned) && withdraw_locked(call)) {
      const bool others = call->kind == PAUSE && state == PAUSED;
      call->answer->outcome = others ? GHCDBG_IS_BUSY : GHCDBG_TOOK_TOO_LONG;
      snprintf(call->answer->reason, sizeof call->answer->reason,
               "the program is still being stopped for somebody else");
      return;
    }
  }
}

void ghcdbg_pause_ask(struct ghcdbg_connection *c, const struct ghcdbg_pause_wish *wish,
                      struct ghcdbg_pause_answer *answer) {
  *answer = (struct ghcdbg_pause_answer){.mode = GHCDBG_MODE_HOLD};
  const uint64_t give_up = wish->wait == 0 ? 0 : ghcdbg_now() + wish->wait;
  pthread_mutex_lock(&lock);
  for (;;) {
    struct call call = {
        .kind = PAUSE, .client = c, .wish = wish, .answer = answer, .give_up = give_up};
    answer->reason[0] = 0;
    have_done_locked(&call);
    if (answer->outcome != GHCDBG_IS_BUSY) {
      break;
    }
    snprintf(answer->reason, sizeof answer->reason, "%s controls the pause", owner_name);
    if (!wish->wait_for_turn || ghcdbg_connection_is_gone(c) || stopping ||
        (give_up != 0 && ghcdbg_now() >= give_up)) {
      break;
    }
    const uint64_t slice = ghcdbg_now() + SLICE_MILLIS * (uint64_t)GHCDBG_MILLI;
    wait_locked(give_up != 0 && give_up < slice ? give_up : slice);
  }
  pthread_mutex_unlock(&lock);
}

void ghcdbg_pause_act(struct ghcdbg_connection *c, void (*act)(void *), void *user, uint64_t wait,
                      struct ghcdbg_pause_answer *answer) {
  *answer = (struct ghcdbg_pause_answer){.mode = GHCDBG_MODE_HOLD};
  struct call call = {.kind = ACT, .client = c, .answer = answer, .act = act, .user = user,
                      .give_up = wait == 0 ? 0 : ghcdbg_now() + wait};
  pthread_mutex_lock(&lock);
  have_done_locked(&call);
  pthread_mutex_unlock(&lock);
}

uint64_t *ghcdbg_list_roots(size_t *threads, size_t *others) {
  struct ghcdbg_pause_answer answer = {0};
  struct call call = {.kind = ROOTS, .answer = &answer};
  if (copy || pthread_equal(pthread_self(), keeper)) {
    list_roots(&call);
  } else {
    pthread_mutex_lock(&lock);
    have_done_locked(&call);
    pthread_mutex_unlock(&lock);
  }
  *threads = call.threads.count;
  *others = call.others.count;
  const size_t all = call.threads.count + call.others.count;
  uint64_t *both = call.threads.failed || call.others.failed
                       ? NULL
                       : realloc(call.threads.address, (all + 1) * sizeof *both);
  if (both == NULL) {
    free(call.threads.address);
  } else if (call.others.count > 0) {
    memcpy(both + call.threads.count, call.others.address,
           call.others.count * sizeof *both);
  }
  free(call.others.address);
  return both;
}

/* May this client end or change the pause? */
static enum ghcdbg_outcome right_locked(const struct ghcdbg_connection *c) {
  if (state != PAUSED || ending) {
    return GHCDBG_WENT_WRONG;
  }
  return owner == 0 || owner == c->id ? GHCDBG_DONE : GHCDBG_IS_BUSY;
}

enum ghcdbg_outcome ghcdbg_pause_resume(struct ghcdbg_connection *c) {
  pthread_mutex_lock(&lock);
  const enum ghcdbg_outcome right = right_locked(c);
  if (right == GHCDBG_DONE) {
    end_locked(GHCDBG_BY_RESUME);
    const uint64_t before = pauses_ended;
    while (pauses_ended == before) {
      wait_locked(0);
    }
  }
  pthread_mutex_unlock(&lock);
  return right;
}

enum ghcdbg_outcome ghcdbg_pause_renew(struct ghcdbg_connection *c, uint64_t budget) {
  pthread_mutex_lock(&lock);
  const enum ghcdbg_outcome right = right_locked(c);
  if (right == GHCDBG_DONE) {
    deadline = budget == 0 ? 0 : ghcdbg_now() + budget;
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
  return right;
}

enum ghcdbg_outcome ghcdbg_pause_control(struct ghcdbg_connection *c, bool take) {
  pthread_mutex_lock(&lock);
  const enum ghcdbg_outcome right = right_locked(c);
  if (right == GHCDBG_DONE) {
    if (take) {
      take_locked(c);
    } else {
      owner = 0;
      count_reader(c);
      pthread_cond_broadcast(&changed);
    }
  }
  pthread_mutex_unlock(&lock);
  return right;
}

void ghcdbg_pause_leave(struct ghcdbg_connection *c) {
  pthread_mutex_lock(&lock);
  if (state == PAUSED && c->read_in == number) {
    readers--;
    if (owner == c->id || (owner == 0 && readers == 0)) {
      end_locked(GHCDBG_CLIENT_GONE);
    }
  }
  c->read_in = 0;
  pthread_mutex_unlock(&lock);
}

void ghcdbg_pause_describe(const struct ghcdbg_connection *c, struct ghcdbg_pause_state *out) {
  *out = (struct ghcdbg_pause_state){.state = GHCDBG_RUNNING, .control = GHCDBG_NOBODYS};
  pthread_mutex_lock(&lock);
  const uint64_t now = ghcdbg_now();
  const bool paused = copy || state == PAUSED; /* one that is to end has not yet */
  out->last_end = last_end;
  out->number = number;
  out->nanos = number == 0 ? 0 : (paused ? now : ended) - began;
  out->nanos_left = !paused || (deadline == 0 && !ending) ? UINT64_MAX
                    : ending || deadline <= now           ? 0
                                                          : deadline - now;
  if (copy) {
    out->state = GHCDBG_FROZEN;
    out->control = GHCDBG_YOURS;
  } else if (paused) {
    out->state = GHCDBG_PAUSED;
    out->control = owner == c->id ? GHCDBG_YOURS
                   : owner != 0   ? GHCDBG_ANOTHERS
                   : programs     ? GHCDBG_PROGRAMS
                                  : GHCDBG_NOBODYS;
  } else if (state == STOPPING) {
    out->state = GHCDBG_STOPPING;
  }
  if (paused && owner != 0) {
    memcpy(out->owner, owner_name, sizeof out->owner);
  }
  pthread_mutex_unlock(&lock);
}

void ghcdbg_pause_wake(void) {
  pthread_mutex_lock(&lock);
  if (possible) {
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
}

/* --- The program ----------------------------------------------------------- */

bool ghc_debuggee_pause(void) {
  pthread_mutex_lock(&lock);
  const bool served = possible && !ghcdbg_pausing_deadlocks();
  if (served) {
    const uint64_t before = pauses_ended;
    program_waits = true;
    pthread_cond_broadcast(&changed);
    while (possible && pauses_ended == before && program_waits) {
      wait_locked(0);
    }
  }
  pthread_mutex_unlock(&lock);
  return served;
}

void ghc_debuggee_resume(void) {
  pthread_mutex_lock(&lock);
  if (possible) {
    program_waits = false;
    end_locked(GHCDBG_BY_PROGRAM);
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
}

bool ghc_debuggee_snapshot(const char *path) {
  struct ghcdbg_pause_answer answer = {.outcome = GHCDBG_IMPOSSIBLE};
  struct call call = {.kind = SNAPSHOT, .answer = &answer, .path = path};
  if (!ghcdbg_pausing_deadlocks()) {
    pthread_mutex_lock(&lock);
    have_done_locked(&call);
    pthread_mutex_unlock(&lock);
  }
  if (answer.outcome != GHCDBG_DONE) {
    if (answer.reason[0] == 0) {
      snprintf(answer.reason, sizeof answer.reason, "no server runs, or the program cannot be paused");
    }
    tell_of_snapshot(path, &answer);
  }
  return answer.outcome == GHCDBG_DONE;
}
