/*
 * Start and end of the server, and its clients: one thread accepts them, one
 * thread each serves them, and the keeper of pause.h does what only one
 * thread may do.
 */
#ifndef GHCDBG_SERVER_H
#define GHCDBG_SERVER_H

#include <pthread.h>
#include <stdbool.h>

#include "connection.h"

/* Starts a server that lasts as long as the program and that the program's own
 * start and stop leave alone: on the path, NULL for none, and where
 * GHC_DEBUG_TCP says. */
void ghcdbg_server_start_by_environment(const char *path);

/* Ends the server, whoever started it. */
void ghcdbg_server_stop(void);

/* Must clients be left, because the server ends and the program is not
 * paused? */
bool ghcdbg_server_must_end(void);

/* In a frozen copy, in which this module's threads are not. */
void ghcdbg_server_copied(void);

/* Starts a thread that receives no signals: all are for the program's own
 * threads. 0, or why not. */
int ghcdbg_server_create_thread(pthread_t *thread, bool detached, void *(*run)(void *),
                                void *with);

/* How many clients are connected. */
unsigned ghcdbg_server_clients(void);

/* Notes that a client has shown its token. */
void ghcdbg_server_authorize(struct ghcdbg_connection *c);

/* Is `token`, so long, that of this server? Takes the same time whatever it
 * is. */
bool ghcdbg_server_is_token(const void *token, size_t length);

/* Has a client from which nothing came since then been idle for too long? */
bool ghcdbg_server_is_idle_since(uint64_t heard);

/* Serves the complete requests among what was read. */
void ghcdbg_server_serve_requests(struct ghcdbg_connection *c);

#endif
