#include "pause.h"

#include <pthread.h>
#include <stdint.h>

#include "blocks.h"
#include "ghc_debuggee.h"
#include "rts.h"
#include "server.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER; /* used with lock */
static bool possible;         /* guarded by lock: a server thread runs */
static bool pause_wanted;     /* guarded by lock: a thread waits for its pause */
static bool resume_wanted;    /* guarded by lock */
static uint64_t pauses_ended; /* guarded by lock */

static PauseToken *token; /* server thread only; not NULL while paused */

void ghcdbg_pause_begin(void) {
  pthread_mutex_lock(&lock);
  possible = true;
  pause_wanted = resume_wanted = false;
  pthread_mutex_unlock(&lock);
}

void ghcdbg_pause_end(void) {
  pthread_mutex_lock(&lock);
  possible = false;
  pthread_cond_broadcast(&ended);
  pthread_mutex_unlock(&lock);
}

void ghcdbg_pause_forked(void) {
  pthread_mutex_init(&lock, NULL);
  pthread_cond_init(&ended, NULL);
  possible = false;
  token = NULL;
}

bool ghcdbg_paused(void) { return token != NULL; }

void ghcdbg_pause(void) {
  token = rts_pause();
  pthread_mutex_lock(&lock);
  pause_wanted = false; /* this pause will do */
  pthread_mutex_unlock(&lock);
}

/* Lets those go on who wait for the end of a pause. */
static void release(void) {
  pthread_mutex_lock(&lock);
  pause_wanted = false;
  pauses_ended++;
  pthread_cond_broadcast(&ended);
  pthread_mutex_unlock(&lock);
}

void ghcdbg_resume(void) {
  ghcdbg_blocks_forget();
  rts_resume(token);
  token = NULL;
  release();
}

bool ghcdbg_pause_serve_program(void) {
  pthread_mutex_lock(&lock);
  const bool resume = resume_wanted;
  const bool pause = pause_wanted && !resume;
  resume_wanted = false;
  pthread_mutex_unlock(&lock);
  if (resume) {
    if (ghcdbg_paused()) {
      ghcdbg_resume();
    } else {
      release();
    }
  }
  if (!pause || ghcdbg_paused()) {
    return false;
  }
  ghcdbg_pause();
  return true;
}

bool ghc_debuggee_pause(void) {
  pthread_mutex_lock(&lock);
  const bool served = possible && !ghcdbg_pausing_deadlocks();
  if (served) {
    const uint64_t before = pauses_ended;
    pause_wanted = true;
    ghcdbg_server_wake();
    while (possible && pauses_ended == before) {
      pthread_cond_wait(&ended, &lock);
    }
  }
  pthread_mutex_unlock(&lock);
  return served;
}

void ghc_debuggee_resume(void) {
  pthread_mutex_lock(&lock);
  if (possible) {
    resume_wanted = true;
    ghcdbg_server_wake();
  }
  pthread_mutex_unlock(&lock);
}
