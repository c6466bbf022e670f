/*
 * The server thread: waits for clients and for the program, and is the only
 * thread that pauses, looks around and resumes.
 */
#ifndef GHCDBG_SERVER_H
#define GHCDBG_SERVER_H

#include <stdbool.h>

/* Makes the server thread look at what other threads want. Any thread. */
void ghcdbg_server_wake(void);

/* Must the server thread come to its end as soon as the program is not
 * paused, and is it not? Server thread only. */
bool ghcdbg_server_must_end(void);

#endif
