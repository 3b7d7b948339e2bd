/* State of the naive model, shared by its two files: naive_foam.c (run, exchange, host) and naive_kernels.c. */
#pragma once

#include "tests/support/foam/naive_foam.h"

typedef struct fs_naive_ray {
    /* the payload */
    uint32_t pixel;
    fs_ray_state state;
    uint32_t tracer;      /* wanted */
    uint32_t shard, cell; /* that of the tracer; the cell is a place */
    bool finished;
    /* the ray's own diary */
    uint32_t frame, born;
    uint32_t tracer_visits, router_visits, delivery_hops, misrouted;
    uint32_t shortest;
    bool was_spilled; /* by its last transfer */
    uint32_t visits,
        ring_waiting; /* of any kind; iterations spent in the ring: together what alive must be */
} fs_naive_ray;

typedef enum fs_naive_mark { FS_NAIVE_EMPTY, FS_NAIVE_CONSUMED, FS_NAIVE_RAY } fs_naive_mark;

typedef struct fs_naive_slot {
    fs_naive_mark mark;
    fs_naive_ray ray;
} fs_naive_slot;

typedef struct fs_naive_buffer {
    uint32_t capacity;   /* UINT32_MAX: as many as come */
    uint32_t room;       /* slots that there are so far; of a bounded buffer all */
    fs_naive_slot *slot; /* [room] */
} fs_naive_buffer;

typedef struct fs_naive_model {
    const fs_naive_config *config;
    fs_naive_result *result;
    uint32_t now;              /* iteration */
    fs_naive_buffer *in, *out; /* [lanes] at the lane's destination and source */
    uint64_t *turned_before;   /* [lanes] rays turned away until the previous iteration */
    uint32_t *extent_before;   /* [lanes] of the out buffer in the previous iteration */
    fs_naive_ray *ring;        /* [ring] oldest first */
    uint32_t backlog;          /* rays in it */
    uint32_t *records;         /* [tiles] in a tile's own framebuffer */
    uint32_t *record_room;     /* [tiles] */
    fs_naive_ray **record;     /* [tiles][record_room] */
    uint32_t *newest;          /* [pixels] 1 + the latest frame written to the pixel; 0: none */
    uint32_t iteration_room;   /* allocated iterations of the result */
} fs_naive_model;

/* Slots before the first empty one. */
uint32_t fs_naive_extent(const fs_naive_buffer *buffer);
/* At least so many slots, the new ones empty. */
void fs_naive_make_room(fs_naive_buffer *buffer, uint32_t slots);
uint32_t *fs_naive_count(fs_naive_model *m, uint32_t tile, uint32_t worker, const char *name);
/* A finished ray is written on `tile`: to its pixel, or to the tile's own buffer. */
void fs_naive_finish(fs_naive_model *m, uint32_t tile, const fs_naive_ray *ray);
/* True for a tracer that routes what it has traced. */
bool fs_naive_routes(const fs_overlay *overlay, uint32_t tile);
/* The tracer that a ray wants in a shard. */
uint32_t fs_naive_tracer_of(const fs_overlay *overlay, uint32_t shard, uint32_t pixel);
/* Hops from the generator (UINT32_MAX) or a tracer to a tracer. */
uint32_t fs_naive_distance(const fs_overlay *overlay, uint32_t from, uint32_t to);

void fs_naive_tracer(fs_naive_model *m, uint32_t tile);
void fs_naive_router(fs_naive_model *m, uint32_t tile);
void fs_naive_generator(fs_naive_model *m, uint32_t tile);
/* True when no later iteration than `now` generates rays. */
bool fs_naive_exhausted(const fs_naive_model *m);
