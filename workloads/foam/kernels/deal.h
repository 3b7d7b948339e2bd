/* Which thread runs which tile. A thread begins with its own tiles and then takes what is left of the
 * others'. A lane that its reader wrote, too, is still in the reader's caches, so each thread gets the same
 * part of every level in each iteration: in trees, where tiles are numbered along them, a subtree. What a
 * tile does never depends on who runs it. */
#pragma once

#include "models/overlay/overlay.h"
#include "sim/base/alloc.h"

#include <stdbool.h>
#include <stdint.h>

/* A thread's part of the order; a cache line, since other threads take from it at the same time. */
typedef struct fs_deal_part {
    uint32_t next, end; /* the first place that nobody has taken; one after the last */
    uint8_t padding[56];
} fs_deal_part;
_Static_assert(sizeof(fs_deal_part) == 64, "a cache line");

typedef struct fs_deal {
    uint32_t threads;
    uint32_t *thread_of; /* [tiles] that begins with the tile */
    uint32_t *order;     /* [tiles] to be run, each thread's own ones one after another */
    fs_deal_part *part;  /* [threads] */
} fs_deal;

void fs_deal_create(fs_deal *deal, fs_arena *arena, const fs_overlay *overlay, uint32_t threads);
/* Deals the tiles of an iteration, [count] in ascending order. One thread. */
void fs_deal_tiles(fs_deal *deal, const uint32_t *tiles, uint32_t count);
/* The places of the order that `thread` is to run next: [*begin, *end). False when all are taken. Any thread
 * at a time. */
bool fs_deal_take(fs_deal *deal, uint32_t thread, uint32_t *begin, uint32_t *end);
