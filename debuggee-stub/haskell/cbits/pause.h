/*
 * Pausing and resuming. The RTS wants rts_pause, rts_resume and the listing
 * of roots on one and the same OS thread: the keeper. Other threads ask it
 * and wait; what they do in a paused program they do in *holds*, without
 * which a pause may end at any moment.
 */
#ifndef GHCDBG_PAUSE_H
#define GHCDBG_PAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ghcdbg_connection;

enum { GHCDBG_REASON_MAX = 256, GHCDBG_NAME_MAX = 128 };

enum ghcdbg_outcome {
  GHCDBG_DONE,
  GHCDBG_IS_PAUSED,     /* by the asking client, or it took the pause over */
  GHCDBG_IS_BUSY,       /* another client controls the pause */
  GHCDBG_TOOK_TOO_LONG, /* the wait limit passed, or the client went away */
  GHCDBG_IMPOSSIBLE,
  GHCDBG_WENT_WRONG
};

enum ghcdbg_end { GHCDBG_NEVER_PAUSED, GHCDBG_BY_RESUME, GHCDBG_BUDGET_SPENT,
                  GHCDBG_CLIENT_GONE, GHCDBG_BY_PROGRAM };

enum { GHCDBG_MODE_HOLD = 0, GHCDBG_MODE_FORK = 1, GHCDBG_MODE_FORK_OR_HOLD = 2 };

struct ghcdbg_pause_wish {
  uint8_t mode;
  bool collect;       /* garbage first */
  bool wait_for_turn; /* for the end of another client's pause; else report it */
  uint64_t budget;    /* nanoseconds, 0 = none */
  uint64_t wait;      /* nanoseconds, 0 = no limit */
};

/* What became of a wish. `pid` and `channel` only of a fork, in the program;
 * the copy never returns from where it was asked for. */
struct ghcdbg_pause_answer {
  enum ghcdbg_outcome outcome;
  uint8_t mode;
  int pid;
  int channel;
  uint64_t number;
  uint64_t stop_nanos, resume_nanos, fork_nanos;
  char reason[GHCDBG_REASON_MAX];
};

struct ghcdbg_pause_state {
  enum { GHCDBG_RUNNING, GHCDBG_PAUSED, GHCDBG_STOPPING, GHCDBG_FROZEN } state;
  enum { GHCDBG_NOBODYS, GHCDBG_YOURS, GHCDBG_ANOTHERS, GHCDBG_PROGRAMS } control;
  enum ghcdbg_end last_end;
  uint64_t number, nanos, nanos_left;
  char owner[GHCDBG_NAME_MAX];
};

/* Starts and ends the keeper. The end waits for that of a pause. 0, or why
 * there is no thread. */
int ghcdbg_pause_begin(void);
void ghcdbg_pause_end(void);

/* In the child of a fork that others made. */
void ghcdbg_pause_forked(void);

/* Is there a pause, now? Any thread. */
bool ghcdbg_paused(void);

/* For a client's thread: asks for a pause, or for the end of one. */
void ghcdbg_pause_ask(struct ghcdbg_connection *c, const struct ghcdbg_pause_wish *wish,
                      struct ghcdbg_pause_answer *answer);
enum ghcdbg_outcome ghcdbg_pause_resume(struct ghcdbg_connection *c);

/* Sets what is left of the budget of the client's pause. */
enum ghcdbg_outcome ghcdbg_pause_renew(struct ghcdbg_connection *c, uint64_t budget);

/* Gives the control of the pause up, or takes it over. */
enum ghcdbg_outcome ghcdbg_pause_control(struct ghcdbg_connection *c, bool take);

/* The client is gone: ends its pause. */
void ghcdbg_pause_leave(struct ghcdbg_connection *c);

void ghcdbg_pause_describe(const struct ghcdbg_connection *c, struct ghcdbg_pause_state *out);

/* Has the keeper do something for which the RTS stops the running program for a
 * moment, as collecting garbage, after every thread has been seen to stop. The
 * client, NULL for none, can go away meanwhile; `wait` is in nanoseconds, 0 = no
 * limit. Not done while there is a pause. */
void ghcdbg_pause_act(struct ghcdbg_connection *c, void (*act)(void *), void *user, uint64_t wait,
                      struct ghcdbg_pause_answer *answer);

/* Makes the keeper look at what it is to watch for. Any thread. */
void ghcdbg_pause_wake(void);

/* Enters a hold: false if the program is not paused. The client, NULL for
 * none, counts as one that reads in the pause. Not to be held while waiting
 * for anything, above all not for a client. */
bool ghcdbg_hold(struct ghcdbg_connection *c);
void ghcdbg_unhold(void);

/* Does this thread hold? */
bool ghcdbg_holding(void);

/* The number of the present pause. In a hold only. */
uint64_t ghcdbg_pause_number(void);

/* Addresses of threads, or of stable names, what they name and stable
 * pointers, as the RTS lists them. In a hold only. To be freed; NULL if
 * memory is short. */
uint64_t *ghcdbg_list_roots(size_t *threads, size_t *others);

/* Is this process a frozen copy of the program? */
bool ghcdbg_is_copy(void);

#endif
