/* All rays, shared by threads. */
#include "workloads/hierarchy/walk/core.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024 }; /* rays that a thread takes at a time */

const char *const fs_unit_walk_stops[] = {"first", "nearest", NULL};

static const fs_unit_walk_ways *ways_of(bool plain) {
    const fs_unit_walk_ways *vectors = plain ? NULL : fs_unit_walk_avx2();
    return vectors != NULL ? vectors : &fs_unit_walk_plain;
}

/* ---- the engine's way ---- */

typedef struct block {
    fs_unit_walk_request *request; /* heap */
    size_t requests;
} block;

static fs_unit_walk_desk desk_of(const fs_unit_walk_rules *rules) {
    const uint32_t room = rules->queue == 0 ? BLOCK : rules->queue;
    fs_unit_walk_desk d = {
        .queue = {.room = room, .capacity = rules->queue == 0 ? UINT32_MAX : rules->queue}};
    d.queue.entry = fs_calloc((size_t)room + FS_UNIT_WALK_QUEUE_PAD, sizeof *d.queue.entry);
    return d;
}

/* Rays [first, last) of a block; requests of each are counted in out->first[ray + 1]. */
static block walk_block(const fs_hierarchy *tree, const fs_unit_walk_ray *ray,
                        const fs_unit_walk_rules *rules, fs_unit_walk_desk *d, uint32_t first, uint32_t last,
                        fs_unit_walks *out) {
    const fs_unit_walk_ways *ways = ways_of(rules->plain);
    d->requests = 0;
    for (uint32_t r = first; r < last; r++) {
        const size_t before = d->requests;
        ways->walk(tree, &ray[r], rules->stop, d, &out->end[r]);
        out->first[r + 1] = d->requests - before;
    }
    block b = {.requests = d->requests, .request = fs_malloc((d->requests + 1) * sizeof *b.request)};
    if (d->request != NULL)
        memcpy(b.request, d->request, d->requests * sizeof *b.request);
    return b;
}

void fs_unit_walk_all(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t rays,
                      const fs_unit_walk_rules *rules, fs_unit_walks *out) {
    const uint32_t blocks = rays / BLOCK + 1;
    block *done = fs_calloc(blocks, sizeof *done);
    *out = (fs_unit_walks){.rays = rays,
                           .first = fs_calloc((size_t)rays + 1, sizeof *out->first),
                           .end = fs_calloc((size_t)rays + 1, sizeof *out->end)};
#pragma omp parallel
    {
        fs_unit_walk_desk d = desk_of(rules);
#pragma omp for schedule(dynamic)
        for (uint32_t b = 0; b < blocks; b++) {
            const uint32_t first = b * BLOCK, last = rays - first < BLOCK ? rays : first + BLOCK;
            done[b] = walk_block(tree, ray, rules, &d, first, last, out);
        }
        free(d.queue.entry);
        free(d.request);
    }
    for (uint32_t r = 0; r < rays; r++)
        out->first[r + 1] += out->first[r];
    out->request = fs_malloc((out->first[rays] + 1) * sizeof *out->request);
#pragma omp parallel for schedule(static)
    for (uint32_t b = 0; b < blocks; b++) {
        memcpy(out->request + out->first[b * BLOCK], done[b].request,
               done[b].requests * sizeof *done[b].request);
        free(done[b].request);
    }
    free(done);
}

void fs_unit_walks_free(fs_unit_walks *walks) {
    free(walks->first);
    free(walks->request);
    free(walks->end);
    *walks = (fs_unit_walks){0};
}

/* ---- the processor's way ---- */

void fs_unit_walk_depth_first(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t rays,
                              bool plain, fs_unit_walk_hit *hit, fs_unit_walk_visits *visits) {
    const fs_unit_walk_ways *ways = ways_of(plain);
    uint64_t nodes = 0, leaves = 0;
#pragma omp parallel reduction(+ : nodes, leaves)
    {
        uint32_t *stack = fs_malloc(((size_t)tree->depth + 1) * tree->width * sizeof *stack);
#pragma omp for schedule(dynamic, 64)
        for (uint32_t r = 0; r < rays; r++) {
            fs_unit_walk_visits one = {0};
            ways->depth_first(tree, &ray[r], stack, &hit[r], &one);
            nodes += one.nodes;
            leaves += one.leaves;
        }
        free(stack);
    }
    *visits = (fs_unit_walk_visits){nodes, leaves};
}

void fs_unit_walk_brute(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t rays, bool plain,
                        fs_unit_walk_hit *hit) {
    const fs_unit_walk_ways *ways = ways_of(plain);
#pragma omp parallel for schedule(dynamic, 64)
    for (uint32_t r = 0; r < rays; r++)
        ways->brute(tree, &ray[r], &hit[r]);
}
