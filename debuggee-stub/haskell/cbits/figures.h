/*
 * Figures of the RTS and of the process.
 */
#ifndef GHCDBG_FIGURES_H
#define GHCDBG_FIGURES_H

#include "response.h"
#include "rts.h"

/* Has the RTS tell of each collection how much it left. NULL: nothing to be told by. */
void ghcdbg_figures_note_collections(RtsConfig *config);

/* Bytes alive after the last collection, in older generations as of theirs. Any thread. */
uint64_t ghcdbg_live_bytes(void);

/* Resident bytes of this process, 0 if not known. */
uint64_t ghcdbg_resident_bytes(void);

/* Bytes that the system, and the limits of containers and other control
 * groups, can still give; UINT64_MAX if not known. */
uint64_t ghcdbg_available_bytes(void);

/* When this process started, microseconds since 1970; 0 if not known. */
uint64_t ghcdbg_start_micros(void);

/* Appends what RTS_FIGURES answers. */
void ghcdbg_figures(struct ghcdbg_response *r);

#endif
