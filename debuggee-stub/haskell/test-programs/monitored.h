/* Sends the eventlog of this program to whoever reads a Unix socket or a named
 * pipe. See monitored.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Listens on the socket, or writes the pipe if there is one of that name;
 * false, with a line on stderr, if that cannot be done. Call it once. */
bool monitored_open(const char *path);

/* Returns when a reader is there and its log has begun. */
void monitored_await_reader(void);

/* Logging on or off; while it is off a reader stays connected. */
void monitored_log(bool on);

/* A class of events, by its letter of +RTS -l: s, g, n, p, f or u. */
bool monitored_class(char letter, bool on);

/* Writes out what the runtime still buffers. */
void monitored_flush(void);

/* Bytes that did not fit into the ring, of all readers so far. */
uint64_t monitored_dropped(void);

/* Ends the log and waits, for some seconds at most, until it is sent. */
void monitored_close(void);
