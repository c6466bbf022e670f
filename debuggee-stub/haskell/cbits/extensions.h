/*
 * The commands of docs/protocol-extensions.md. Used by clients' threads.
 */
#ifndef GHCDBG_EXTENSIONS_H
#define GHCDBG_EXTENSIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "pause.h"
#include "request.h"
#include "response.h"

static inline bool ghcdbg_is_extension(uint32_t command) {
  return command >= GHCDBG_HELLO && command < GHCDBG_EXTENSIONS_END;
}

bool ghcdbg_extension_needs_pause(uint32_t command);

/* Executes a well-formed extension command and answers it. */
void ghcdbg_extension(struct ghcdbg_response *r, const struct ghcdbg_request *q);

/* Answers a PAUSE2. */
void ghcdbg_extension_paused(struct ghcdbg_connection *c,
                             const struct ghcdbg_pause_answer *answer);

#endif
