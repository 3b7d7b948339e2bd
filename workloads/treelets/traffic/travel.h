/* Traffic: who holds which ray in which superstep, in units of work (docs/design/treelets.md, Traffic). Knows
 * no price.
 *
 *     fs_travel *t = fs_travel_create(&its, &placement, &params, arena);
 *     for (bool more = true; more;) {
 *         fs_travel_work(t);
 *         more = fs_travel_move_on(t);
 *         use(fs_travel_step_of(t));
 *     }
 *
 * The same bits for any number of threads. Nothing is allocated in a step.
 */
#pragma once

#include "workloads/treelets/place/place.h"

/* What a worker counts in a step: the events of pieces, then those of traffic. */
typedef enum fs_travel_event {
    FS_TRAVEL_CAMERA = FS_PIECE_EVENTS,
    FS_TRAVEL_HIT,
    FS_TRAVEL_SPECULAR, /* of the hits */
    FS_TRAVEL_REFRACTIVE,
    FS_TRAVEL_EMISSION,
    FS_TRAVEL_ROULETTE,
    FS_TRAVEL_SEGMENT, /* shadow rays, too */
    FS_TRAVEL_ESCAPE,
    FS_TRAVEL_END,
    FS_TRAVEL_TOP,    /* nodes above the treelets, which are counted as NODE, too */
    FS_TRAVEL_TAKE,   /* rays taken from the queue */
    FS_TRAVEL_ASIDE,  /* rays put aside at the quantum's end */
    FS_TRAVEL_PACK,   /* rays made ready to leave */
    FS_TRAVEL_UNPACK, /* rays that had arrived */
    FS_TRAVEL_ROUTE,  /* rays passed on to another tile */
    FS_TRAVEL_EVENTS
} fs_travel_event;
enum { FS_TRAVEL_WORKERS = 16 }; /* of a tile, at most */

/* Next hops, where rays do not go straight to their tile: an overlay's. */
typedef struct fs_travel_ways {
    const void *self;
    /* The next tile on the way from `tile` to `goal`; *limit: rays that go that way in a step, at least 1. */
    uint32_t (*hop)(const void *self, uint32_t tile, uint32_t goal, uint32_t *limit);
} fs_travel_ways;

typedef struct fs_travel_params {
    uint32_t tiles;      /* of the machine, at least the placement's, which are the first of them */
    uint32_t workers;    /* of a tile */
    uint32_t quantum;    /* units of a worker in a step; 0: until the queue is empty */
    uint32_t window;     /* paths in flight, for each tile of the placement */
    uint32_t capacity;   /* rays that a tile holds; 0: any number */
    uint32_t slots;      /* rays of an ordered pair of tiles in a step (a rotation); 0: any number */
    bool image;          /* paths start in the order of their numbers, not scattered */
    bool home;           /* a path's shading is done on tile path mod tiles: payload home */
    fs_travel_ways ways; /* hop NULL: straight */
} fs_travel_params;

typedef struct fs_travel_move { /* of an ordered pair of tiles in a step */
    uint32_t src, dst, rays;
} fs_travel_move;

/* A step, until the next one. */
typedef struct fs_travel_step {
    uint64_t number;
    uint32_t workers;
    const uint32_t *active; /* [active_count] tiles that worked, ascending */
    uint32_t active_count;
    const uint32_t (*rows)[FS_TRAVEL_EVENTS]; /* [tiles * workers], of active tiles */
    const fs_travel_move *moves;              /* [move_count] by sender, then receiver */
    uint32_t move_count;
    uint64_t ended;     /* paths, in this step */
    uint64_t in_flight; /* paths, after it */
    uint64_t waiting;   /* rays that ask for a tile and got none */
    uint32_t deepest;   /* most rays on a tile after it */
} fs_travel_step;

/* Over all steps so far. */
typedef struct fs_travel_totals {
    uint64_t steps, started, ended;
    uint64_t hops;  /* moves from tile to tile */
    uint64_t moves; /* rays that left for a tile that they want: with ways a move is several hops */
    uint64_t arrivals;
    uint64_t refused; /* times that a ray asked for a tile and got none */
    uint64_t turned;  /* rings of full tiles that were turned */
    uint64_t units;
    uint32_t deepest, deepest_tile;
    const uint64_t *units_of; /* [tiles] */
} fs_travel_totals;

typedef struct fs_travel fs_travel;

/* Kept: its, placement, params. Memory from the arena. */
fs_travel *fs_travel_create(const fs_itineraries *its, const fs_placement *placement,
                            const fs_travel_params *params, fs_arena *arena);
/* The two halves of a step: what tiles do; moves asked for, granted and made, and new paths. move_on: false when
 * the last path has ended. */
void fs_travel_work(fs_travel *travel);
bool fs_travel_move_on(fs_travel *travel);
fs_travel_step fs_travel_step_of(const fs_travel *travel);
fs_travel_totals fs_travel_totals_of(const fs_travel *travel);
/* FS_BROKEN when a ray was lost: started = ended + in flight, moves = arrivals + under way, no tile above its
 * capacity. */
fs_status fs_travel_check(const fs_travel *travel, fs_error *err);
