/*
 * Frozen copies: a fork of the paused program that serves one client, out of
 * the heap as it was, while the program goes on.
 */
#ifndef GHCDBG_COPY_H
#define GHCDBG_COPY_H

#include <stdint.h>

#include "connection.h"
#include "pause.h"

/* To be held around everything that takes a lock of the RTS, which a copy
 * would inherit locked. */
void ghcdbg_rts_lock(void);
void ghcdbg_rts_unlock(void);

/* Forks, in the keeper, while the program is paused. The process id; 0 in the
 * copy; -1 if that failed, with the reason in the answer. */
int ghcdbg_copy_fork(struct ghcdbg_connection *client, struct ghcdbg_pause_answer *answer);

/* In the program, which is going on: tells the copy what that took. */
void ghcdbg_copy_started(const struct ghcdbg_pause_answer *answer);

/* In the copy: answers the client's request for it, and serves it until it
 * resumes, is gone, or the time is over (0 = never). */
_Noreturn void ghcdbg_copy_serve(struct ghcdbg_connection *client,
                                 struct ghcdbg_pause_answer *answer, uint64_t deadline);

/* In the client's thread in the program: waits for the end of the copy, and
 * brings it about if the copy does not notice that the client is gone. The
 * connection goes on with what the copy has not read of it, or is lost. */
void ghcdbg_copy_wait(struct ghcdbg_connection *client, const struct ghcdbg_pause_answer *answer);

/* In the copy: ends it if its time is over; sets what is left of it, in
 * nanoseconds, 0 = no limit. */
void ghcdbg_copy_check(void);
void ghcdbg_copy_renew(uint64_t budget);

/* In the child of a fork that is no copy. */
void ghcdbg_copy_forked(void);

/* Is this thread forking a copy? Then what is to be done in the children of
 * other forks is not to be done. */
bool ghcdbg_copy_forking(void);

#endif
