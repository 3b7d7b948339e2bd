/* Private to the traffic: its state, for work (travel.c) and grants (grants.c). */
#pragma once

#include "workloads/treelets/traffic/travel.h"

#define NO_TILE UINT32_MAX

/* A line of the cache. It has a copy of its piece, which lies anywhere in a large list. */
typedef struct ray {
    uint32_t path;
    uint32_t goal;   /* tile that it asks for, or has just come to; NO_TILE: neither */
    uint64_t piece;  /* that it is at */
    uint32_t pieces; /* of its path, from that one on */
    uint32_t done;   /* units of its piece */
    fs_piece at;
} __attribute__((aligned(64))) ray;

typedef struct ray_list {
    uint32_t head, tail, count;
} ray_list;

/* Lists of rays on a tile. Threads work on different tiles. */
typedef struct tile_rays {
    ray_list queue;        /* to be worked on */
    ray_list out;          /* ask for another tile */
    ray_list ended;        /* in this step */
    uint32_t transit;      /* of `out`: arrived in the step before on their way to another tile */
    uint64_t units, moves; /* over the run */
} __attribute__((aligned(64))) tile_rays;

/* A ray that asks for a hop. */
typedef struct request {
    uint32_t ray, src, dst;
    bool granted;
} request;

struct fs_travel {
    const fs_itineraries *its;
    const fs_placement *placement;
    fs_travel_params params;
    uint32_t tiles, tiles_of_chip;
    ray *rays;      /* [window * tiles of the placement] */
    uint32_t *next; /* [rays] in the list that each is in */
    uint32_t room;
    ray_list spare;
    tile_rays *tile; /* [tiles] */
    uint32_t *active, active_count;
    uint32_t (*rows)[FS_TRAVEL_EVENTS]; /* [tiles * workers] */
    uint64_t next_path, stride;
    uint64_t ended_now;
    uint32_t deepest_now;
    /* Grants: requests in their order, and by tile asked for */
    request *asked; /* [rays] */
    uint32_t asked_count;
    uint32_t *to_start;             /* [tiles + 1] requests by their tile: to[to_start[t]] ... */
    uint32_t *to;                   /* [rays] numbers of requests */
    uint32_t *kept;                 /* [tiles] of them, granted so far: the first ones */
    uint32_t *leaving;              /* [tiles] granted departures */
    uint32_t *stack, *queued;       /* [tiles] tiles to look at; whether one is in it */
    fs_travel_move *moves, *sorted; /* [rays] */
    uint32_t move_count;
    fs_travel_totals totals;
};

static inline void list_push(uint32_t *next, ray_list *list, uint32_t r) {
    if (list->count++ == 0)
        list->head = r;
    else
        next[list->tail] = r;
    list->tail = r;
}

static inline uint32_t list_pop(const uint32_t *next, ray_list *list) {
    const uint32_t r = list->head;
    list->head = next[r];
    list->count--;
    return r;
}

/* All of `more` behind the list; `more` is empty afterwards. */
static inline void list_join(uint32_t *next, ray_list *list, ray_list *more) {
    if (more->count == 0)
        return;
    if (list->count == 0)
        list->head = more->head;
    else
        next[list->tail] = more->head;
    list->tail = more->tail;
    list->count += more->count;
    more->count = 0;
}

static inline uint32_t rays_on(const tile_rays *t) {
    return t->queue.count + t->out.count;
}

/* Asks for the moves of all tiles, grants and makes them (grants.c). */
void fs_travel_grant(fs_travel *travel);
