/*
 * Snapshots that the program writes of itself, without a client.
 */
#ifndef GHCDBG_SNAPSHOT_H
#define GHCDBG_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

/* Writes one, in the keeper, in a hold. The file is called PATH.partial until
 * it is complete. False, with the reason, if that failed. */
bool ghcdbg_snapshot_write(const char *path, char *reason, size_t size);

#endif
