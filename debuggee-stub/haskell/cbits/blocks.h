/*
 * The groups of blocks that make up the heap. Used in a hold only.
 */
#ifndef GHCDBG_BLOCKS_H
#define GHCDBG_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ghcdbg_group {
  uint64_t start;
  uint64_t length; /* bytes */
  uint64_t used;   /* of them, from the start on; nothing alive is beyond */
  uint16_t flags;
  uint16_t generation;
};

/* All groups of the RTS's block lists and of compact regions, each once, by
 * rising address. Found at the first use in a pause. NULL if memory is
 * short. */
const struct ghcdbg_group *ghcdbg_blocks(size_t *count);

/* The listed group that holds the address, NULL if none does or without a
 * hold. All of its bytes can be read as long as the hold lasts. */
const struct ghcdbg_group *ghcdbg_blocks_find(uint64_t address);

/* Copies `length` bytes: directly out of a listed group, in the guarded way
 * from anywhere else. False if any of them cannot be read. */
bool ghcdbg_heap_read(uint64_t address, void *into, size_t length);

/* The group that holds the address, listed or not (cost-centre stacks lie
 * in blocks that no list names). If it is not listed, its bytes must be
 * read in the guarded way. */
bool ghcdbg_blocks_describe(uint64_t address, struct ghcdbg_group *out);

/* To be called when a pause ends, by the keeper. */
void ghcdbg_blocks_forget(void);

#endif
