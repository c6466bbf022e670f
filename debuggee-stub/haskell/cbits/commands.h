/*
 * What each command does. Used by the client's thread.
 */
#ifndef GHCDBG_COMMANDS_H
#define GHCDBG_COMMANDS_H

#include "connection.h"
#include "request.h"

/* Executes a request and sends its response, if it has one by now. */
void ghcdbg_command(struct ghcdbg_connection *c, const struct ghcdbg_request *q);

/* Sends an empty BAD_COMMAND response. */
void ghcdbg_command_bad(struct ghcdbg_connection *c);

/* Tells the client that the program is paused, if it asked to be told. */
void ghcdbg_command_answer_polls(struct ghcdbg_connection *c);

#endif
