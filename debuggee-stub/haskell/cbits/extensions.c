#include "extensions.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "clock.h"
#include "commands.h"
#include "contents.h"
#include "copy.h"
#include "costcentre.h"
#include "eventlog.h"
#include "figures.h"
#include "infotables.h"
#include "memory.h"
#include "reachable.h"
#include "roots.h"
#include "rts.h"
#include "saved.h"
#include "server.h"

enum {
  VERSION = 1,
  CAN_PAUSE = 48,
  CAN_FORK = 49,
  WAY_THREADED = 1,
  WAY_PROFILED = 2,
  WAY_DYNAMIC = 4,
  WAY_DEBUG = 8,
  HAS_IPE = 1,
  NONMOVING = 2,
  IS_COPY = 4,
  HAS_STATISTICS = 8
};

static const char library[] = "ghc-debuggee 0.1.0";
static const uint8_t magic[] = {0x8f, 'G', 'H', 'C', 'D', 'B', 'G', 'X'};

static const uint16_t served[] = {
    GHCDBG_HELLO,          GHCDBG_AUTH,       GHCDBG_STATE,       GHCDBG_PAUSE2,
    GHCDBG_RENEW,          GHCDBG_CONTROL,    GHCDBG_GC,          GHCDBG_RTS_FIGURES,
    GHCDBG_BLOCK_LIST,     GHCDBG_COMPACT,    GHCDBG_READ_MEMORY, GHCDBG_REACHABLE,
    GHCDBG_BLOCK_CONTENTS, GHCDBG_INFO_TABLES2, GHCDBG_ROOTS2,    GHCDBG_WEAKS,
    GHCDBG_THREADS,        GHCDBG_SAVED2,     GHCDBG_MEMORY_PROBE, GHCDBG_LOG_STATE,
    GHCDBG_LOG_START,      GHCDBG_LOG_STOP,   GHCDBG_LOG_FLUSH,    GHCDBG_LOG_CLASSES,
    GHCDBG_HEAP_PROFILE,
};

bool ghcdbg_extension_needs_pause(uint32_t command) {
  switch (command) {
    case GHCDBG_RENEW:
    case GHCDBG_CONTROL:
    case GHCDBG_BLOCK_LIST:
    case GHCDBG_BLOCK_CONTENTS:
    case GHCDBG_REACHABLE:
    case GHCDBG_COMPACT:
    case GHCDBG_ROOTS2:
    case GHCDBG_WEAKS:
    case GHCDBG_THREADS:
      return true;
    default:
      return false;
  }
}

static uint64_t capability_bits(void) {
  uint64_t bits = 0;
  for (size_t i = 0; i < sizeof served / sizeof *served; i++) {
    bits |= UINT64_C(1) << (served[i] - GHCDBG_HELLO);
  }
  if (!ghcdbg_pausing_deadlocks()) {
    bits |= UINT64_C(1) << CAN_PAUSE | UINT64_C(1) << CAN_FORK;
  }
  return bits;
}

static uint8_t way(void) {
  return (uint8_t)((rts_isThreaded() ? WAY_THREADED : 0) | (rts_isProfiled() ? WAY_PROFILED : 0) |
                   (rts_isDynamic() ? WAY_DYNAMIC : 0) | (rts_isDebugged() ? WAY_DEBUG : 0));
}

static uint8_t flags(void) {
  ghcdbg_rts_lock();
  const bool ipe = ghcdbg_has_ipe();
  ghcdbg_rts_unlock();
  return (uint8_t)((ipe ? HAS_IPE : 0) |
                   (RtsFlags.GcFlags.useNonmoving ? NONMOVING : 0) |
                   (ghcdbg_is_copy() ? IS_COPY : 0) |
                   (getRTSStatsEnabled() ? HAS_STATISTICS : 0));
}

/* The program may replace and free these at any moment (System.Environment.withArgs). */
static void append_text_at(struct ghcdbg_response *r, const void *at) {
  uint32_t length;
  ghcdbg_response_text(r, ghcdbg_memory_string((uint64_t)(uintptr_t)at, &length));
}

static void append_command_line(struct ghcdbg_response *r) {
  int count = 0;
  char **arguments = NULL, *argument;
  getProgArgv(&count, &arguments);
  append_text_at(r, prog_name);
  ghcdbg_response_be32(r, count > 0 ? (uint32_t)count - 1 : 0);
  for (int i = 1; i < count; i++) {
    if (!ghcdbg_memory_read((uint64_t)(uintptr_t)&arguments[i], &argument, sizeof argument)) {
      argument = NULL;
    }
    append_text_at(r, argument);
  }
}

static void hello(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  struct ghcdbg_connection *c = r->to;
  const size_t length = q->text_length < sizeof c->name ? q->text_length : sizeof c->name - 1;
  for (size_t i = 0; i < length; i++) {
    c->name[i] = q->text[i] < ' ' || q->text[i] == 0x7f ? '?' : (char)q->text[i];
  }
  c->name[length] = 0;
  const uint8_t bytes[] = {ghcdbg_profiling_mode(), 1 /* tables next to code */, way(), flags()};
  ghcdbg_response_copy(r, magic, sizeof magic);
  ghcdbg_response_be32(r, VERSION);
  ghcdbg_response_native64(r, capability_bits());
  ghcdbg_response_be32(r, sizeof(StgWord));
  ghcdbg_response_be32(r, __GLASGOW_HASKELL__);
  ghcdbg_response_be32(r, __GLASGOW_HASKELL_PATCHLEVEL1__);
  ghcdbg_response_copy(r, bytes, sizeof bytes);
  ghcdbg_response_be32(r, (uint32_t)getpid());
  ghcdbg_response_be32(r, getNumCapabilities());
  ghcdbg_response_be32(r, RtsFlags.GcFlags.generations);
  ghcdbg_response_native64(r, ghcdbg_start_micros());
  ghcdbg_response_native64(r, c->id);
  ghcdbg_response_text(r, library);
  append_command_line(r);
  ghcdbg_figures(r);
  ghcdbg_response_finish(r);
}

static void state(struct ghcdbg_response *r) {
  static const uint8_t states[] = {[GHCDBG_RUNNING] = 0, [GHCDBG_PAUSED] = 1,
                                   [GHCDBG_STOPPING] = 2, [GHCDBG_FROZEN] = 3};
  struct ghcdbg_pause_state s;
  ghcdbg_pause_describe(r->to, &s);
  const uint8_t bytes[] = {states[s.state], (uint8_t)s.control};
  ghcdbg_response_copy(r, bytes, sizeof bytes);
  ghcdbg_response_be16(r, (uint16_t)s.last_end);
  ghcdbg_response_be32(r, ghcdbg_server_clients());
  ghcdbg_response_native64(r, s.number);
  ghcdbg_response_native64(r, s.nanos);
  ghcdbg_response_native64(r, s.nanos_left);
  ghcdbg_response_text(r, s.owner);
  ghcdbg_response_finish(r);
}

static uint64_t nanos(uint32_t millis) { return millis * (uint64_t)GHCDBG_MILLI; }

static void refuse(struct ghcdbg_response *r, enum ghcdbg_outcome outcome, const char *reason) {
  switch (outcome) {
    case GHCDBG_IS_PAUSED:
      ghcdbg_response_fail(r, GHCDBG_ALREADY_PAUSED, "the program is paused");
      break;
    case GHCDBG_IS_BUSY:
      ghcdbg_response_fail(r, GHCDBG_BUSY, reason);
      break;
    case GHCDBG_TOOK_TOO_LONG:
      ghcdbg_response_fail(r, GHCDBG_TIMED_OUT, reason);
      break;
    case GHCDBG_IMPOSSIBLE:
      ghcdbg_response_fail(r, GHCDBG_REFUSED, reason);
      break;
    default:
      ghcdbg_response_fail(r, GHCDBG_FAILED, reason);
  }
}

/* A copy comes to need memory of its own as the program writes to what it
 * shares with it. */
static const char *warning(char *text, size_t size) {
  const uint64_t resident = ghcdbg_resident_bytes(), available = ghcdbg_available_bytes();
  if (resident <= available) {
    return "";
  }
  snprintf(text, size,
           "memory may become short: the copy can come to need %llu MiB, and %llu MiB are available",
           (unsigned long long)(resident >> 20), (unsigned long long)(available >> 20));
  return text;
}

void ghcdbg_extension_paused(struct ghcdbg_connection *c,
                             const struct ghcdbg_pause_answer *answer) {
  struct ghcdbg_response *r = c->response;
  const uint8_t mode[] = {answer->mode, 0, 0, 0};
  ghcdbg_response_begin(r, c);
  if (answer->outcome != GHCDBG_DONE) {
    refuse(r, answer->outcome, answer->reason);
    return;
  }
  ghcdbg_response_copy(r, mode, sizeof mode);
  ghcdbg_response_be32(r, (uint32_t)(answer->pid == 0 ? getpid() : answer->pid));
  ghcdbg_response_native64(r, answer->number);
  ghcdbg_response_native64(r, answer->stop_nanos);
  ghcdbg_response_native64(r, answer->resume_nanos);
  const bool fork = answer->mode == GHCDBG_MODE_FORK;
  char text[GHCDBG_REASON_MAX];
  ghcdbg_response_native64(r, fork ? answer->fork_nanos : 0);
  ghcdbg_response_text(r, fork ? warning(text, sizeof text) : answer->reason);
  ghcdbg_response_finish(r);
}

/* A frozen copy refuses what only the program can do; false in the program. */
static bool refused_as_copy(struct ghcdbg_response *r) {
  if (!ghcdbg_is_copy()) {
    return false;
  }
  ghcdbg_response_fail(r, GHCDBG_REFUSED, "this is a frozen copy of the program");
  return true;
}

static void pause_program(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  struct ghcdbg_connection *c = r->to;
  struct ghcdbg_pause_answer answer;
  const struct ghcdbg_pause_wish wish = {.mode = q->mode,
                                         .collect = q->collect,
                                         .wait_for_turn = true,
                                         .budget = nanos(q->budget_millis),
                                         .wait = nanos(q->wait_millis)};
  if (refused_as_copy(r)) {
    return;
  }
  if (ghcdbg_pausing_deadlocks()) {
    ghcdbg_response_fail(r, GHCDBG_REFUSED,
                         "this GHC's RTS cannot be paused with --nonmoving-gc: it would deadlock");
  } else if (q->mode > GHCDBG_MODE_FORK_OR_HOLD) {
    ghcdbg_response_fail(r, GHCDBG_BAD_COMMAND, "there is no such mode");
  } else {
    ghcdbg_pause_ask(c, &wish, &answer);
    if (answer.outcome == GHCDBG_DONE && answer.mode == GHCDBG_MODE_FORK) {
      ghcdbg_copy_wait(c, &answer); /* which has answered */
    } else {
      ghcdbg_command_answer_polls(c);
      ghcdbg_extension_paused(c, &answer);
    }
  }
}

static void collect_major(void *unused) {
  (void)unused;
  performMajorGC();
}

static void collect_minor(void *unused) {
  (void)unused;
  performGC();
}

static void collect(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  struct ghcdbg_pause_answer answer;
  if (refused_as_copy(r)) {
    return;
  }
  ghcdbg_pause_act(r->to, q->mode != 0 ? collect_major : collect_minor, NULL,
                   nanos(q->wait_millis), &answer);
  if (answer.outcome != GHCDBG_DONE) {
    refuse(r, answer.outcome, answer.reason);
    return;
  }
  ghcdbg_response_native64(r, answer.stop_nanos);
  ghcdbg_response_finish(r);
}

static void control(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  if (q->command == GHCDBG_CONTROL && refused_as_copy(r)) {
    return;
  }
  if (ghcdbg_is_copy()) {
    ghcdbg_copy_renew(nanos(q->budget_millis));
    ghcdbg_response_finish(r);
    return;
  }
  const enum ghcdbg_outcome outcome = q->command == GHCDBG_RENEW
                                          ? ghcdbg_pause_renew(r->to, nanos(q->budget_millis))
                                          : ghcdbg_pause_control(r->to, q->mode != 0);
  switch (outcome) {
    case GHCDBG_DONE:
      ghcdbg_response_finish(r);
      break;
    case GHCDBG_IS_BUSY:
      ghcdbg_response_fail(r, GHCDBG_BUSY, "another client controls the pause");
      break;
    default:
      ghcdbg_response_fail(r, GHCDBG_NOT_PAUSED, NULL);
  }
}

static void log_state(struct ghcdbg_response *r) {
  struct ghcdbg_log_state s;
  ghcdbg_log_describe(&s);
  const uint8_t bytes[] = {(uint8_t)s.to, (uint8_t)(s.switchable | s.heap_profiles << 1), 0, 0};
  ghcdbg_response_copy(r, bytes, sizeof bytes);
  ghcdbg_response_be32(r, s.classes);
  ghcdbg_response_native64(r, s.sent);
  ghcdbg_response_native64(r, s.dropped);
  ghcdbg_response_text(r, s.target);
  ghcdbg_response_finish(r);
}

/* A file is the program's user's: who comes over TCP may not be that user. */
static void log_start(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  struct ghcdbg_pause_answer answer = {.outcome = GHCDBG_DONE};
  const struct ghcdbg_log_wish wish = {
      .classes = q->classes_on, .take_over = q->take_over, .wait = nanos(q->wait_millis)};
  char path[PATH_MAX];
  if (q->mode == 0) {
    ghcdbg_log_to_client(r, &wish, &answer);
  } else if (!r->to->local) {
    answer.outcome = GHCDBG_IMPOSSIBLE;
    snprintf(answer.reason, sizeof answer.reason, "files are written for local clients only");
  } else if (q->text_length == 0 || q->text_length >= sizeof path ||
             memchr(q->text, 0, q->text_length) != NULL) {
    ghcdbg_response_fail(r, GHCDBG_BAD_COMMAND, "that is no path");
    return;
  } else {
    memcpy(path, q->text, q->text_length);
    path[q->text_length] = 0;
    ghcdbg_log_to_file(r->to, path, -1, &wish, &answer);
  }
  if (answer.outcome == GHCDBG_DONE) {
    ghcdbg_response_finish(r);
  } else {
    refuse(r, answer.outcome, answer.reason);
  }
}

static void log_command(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  struct ghcdbg_pause_answer answer = {.outcome = GHCDBG_DONE};
  const uint64_t wait = nanos(q->wait_millis);
  if (refused_as_copy(r)) {
    return;
  }
  switch (q->command) {
    case GHCDBG_LOG_STATE:
      log_state(r);
      return;
    case GHCDBG_LOG_START:
      log_start(r, q);
      return;
    case GHCDBG_LOG_STOP:
      ghcdbg_log_stop(r->to, wait, &answer);
      break;
    case GHCDBG_LOG_FLUSH:
      ghcdbg_log_flush(r->to, wait, &answer);
      break;
    case GHCDBG_LOG_CLASSES:
      ghcdbg_log_classes(q->classes_on, q->classes_off, &answer);
      break;
    default:
      if (q->mode > GHCDBG_PROFILE_CENSUS) {
        ghcdbg_response_fail(r, GHCDBG_BAD_COMMAND, "there is no such mode");
        return;
      }
      ghcdbg_log_profile(r->to, (enum ghcdbg_heap_profile)q->mode, wait, &answer);
  }
  if (answer.outcome == GHCDBG_DONE) {
    ghcdbg_response_finish(r);
  } else {
    refuse(r, answer.outcome, answer.reason);
  }
}

/* Where a process may be read by its ancestors only, the client is allowed to,
 * too. */
static int allow_to_read(const struct ghcdbg_connection *c) {
  if (c->pid == 0) {
    return ESRCH;
  }
  return prctl(PR_SET_PTRACER, c->pid, 0, 0, 0) == 0 ? 0 : errno;
}

static void memory_probe(struct ghcdbg_response *r) {
  struct ghcdbg_connection *c = r->to;
  if (getrandom(c->probe, sizeof c->probe, GRND_NONBLOCK) < 0) {
    const uint64_t now = ghcdbg_now();
    memcpy(c->probe, &now, sizeof now);
  }
  ghcdbg_response_be32(r, (uint32_t)getpid());
  ghcdbg_response_native64(r, (uint64_t)(uintptr_t)c->probe);
  ghcdbg_response_copy(r, c->probe, sizeof c->probe);
  ghcdbg_response_be32(r, (uint32_t)allow_to_read(c));
  ghcdbg_response_finish(r);
}

static void finish(struct ghcdbg_response *r, bool enough_memory) {
  if (enough_memory) {
    ghcdbg_response_finish(r);
  } else {
    ghcdbg_response_fail(r, GHCDBG_FAILED, "the program's memory is short");
  }
}

void ghcdbg_extension(struct ghcdbg_response *r, const struct ghcdbg_request *q) {
  switch (q->command) {
    case GHCDBG_HELLO:
      hello(r, q);
      break;
    case GHCDBG_AUTH:
      ghcdbg_response_finish(r);
      break;
    case GHCDBG_STATE:
      state(r);
      break;
    case GHCDBG_PAUSE2:
      pause_program(r, q);
      break;
    case GHCDBG_RENEW:
    case GHCDBG_CONTROL:
      control(r, q);
      break;
    case GHCDBG_GC:
      collect(r, q);
      break;
    case GHCDBG_RTS_FIGURES:
      ghcdbg_figures(r);
      ghcdbg_response_finish(r);
      break;
    case GHCDBG_READ_MEMORY:
      ghcdbg_read_ranges(r, q);
      ghcdbg_response_finish(r);
      break;
    case GHCDBG_INFO_TABLES2:
      ghcdbg_info_tables(r, q);
      ghcdbg_response_finish(r);
      break;
    case GHCDBG_WEAKS:
      ghcdbg_weak_pointers(r);
      ghcdbg_response_finish(r);
      break;
    case GHCDBG_SAVED2:
      ghcdbg_saved_named(r);
      ghcdbg_response_finish(r);
      break;
    case GHCDBG_MEMORY_PROBE:
      memory_probe(r);
      break;
    case GHCDBG_LOG_STATE:
    case GHCDBG_LOG_START:
    case GHCDBG_LOG_STOP:
    case GHCDBG_LOG_FLUSH:
    case GHCDBG_LOG_CLASSES:
    case GHCDBG_HEAP_PROFILE:
      log_command(r, q);
      break;
    case GHCDBG_ROOTS2:
      finish(r, ghcdbg_roots(r));
      break;
    case GHCDBG_THREADS:
      finish(r, ghcdbg_threads(r));
      break;
    case GHCDBG_BLOCK_LIST:
      finish(r, ghcdbg_block_list(r));
      break;
    case GHCDBG_BLOCK_CONTENTS:
      finish(r, ghcdbg_block_contents(r, q));
      break;
    case GHCDBG_COMPACT:
      finish(r, ghcdbg_compact_regions(r, q));
      break;
    case GHCDBG_REACHABLE:
      finish(r, ghcdbg_reachable(r, q));
      break;
    default:
      ghcdbg_response_fail(r, GHCDBG_BAD_COMMAND, NULL);
  }
}
