/*
 * Pausing and resuming. The RTS wants rts_pause, rts_resume and the listing
 * of roots on one and the same OS thread; here that is the server thread.
 * Other threads ask it and wait.
 */
#ifndef GHCDBG_PAUSE_H
#define GHCDBG_PAUSE_H

#include <stdbool.h>

/* From here on pauses can be asked for; from `end` on no longer, and those
 * that wait are released. Server thread, or before it starts. */
void ghcdbg_pause_begin(void);
void ghcdbg_pause_end(void);

/* In the child of a fork. */
void ghcdbg_pause_forked(void);

/* Server thread only. */
bool ghcdbg_paused(void);
void ghcdbg_pause(void);
void ghcdbg_resume(void);

/* Server thread only: serves what the program asked for. True if the
 * program is paused now and was not before. */
bool ghcdbg_pause_serve_program(void);

#endif
