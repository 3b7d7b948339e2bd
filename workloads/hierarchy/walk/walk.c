/* All rays, shared by threads. */
#include "sim/base/alloc.h"
#include "sim/base/host.h"
#include "sim/host/signals.h"
#include "workloads/hierarchy/walk/ways.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024 }; /* rays that a thread takes at a time */

const char *const fs_unit_walk_stops[] = {"first", "nearest", NULL};

/* Eight lanes pay where nodes, or lists of triangles, fill them. */
static const fs_unit_walk_ways *ways_of(bool plain, uint32_t width) {
    enum { WIDE = 8 };
    return plain || width < WIDE || !fs_host_has_avx2() ? &fs_unit_walk_plain : &fs_unit_walk_avx2;
}

/* ---- the engine's way ---- */

/* How far all threads are. */
typedef struct fs_unit_walk_watch {
    const fs_unit_walk_rules *rules;
    atomic_bool over;
    atomic_uint_least64_t requests, rays;
} fs_unit_walk_watch;

bool fs_unit_walk_over(const fs_unit_walk_desk *d) {
    fs_unit_walk_watch *watch = d->watch;
    const fs_unit_walk_rules *r = watch->rules;
    if (fs_interrupted() || (r->most_held > 0 && d->queue.count > r->most_held) ||
        (r->most_requests > 0 && d->requests > r->most_requests))
        watch->over = true;
    return watch->over;
}

/* A block is done; the rays of it count, and the main thread shows them. */
static void look(fs_unit_walk_watch *watch, const fs_unit_walk_desk *d, uint32_t rays) {
    const uint64_t requests = atomic_fetch_add(&watch->requests, d->requests) + d->requests,
                   done = atomic_fetch_add(&watch->rays, rays) + rays;
    if (fs_interrupted() || (watch->rules->most_requests > 0 && requests > watch->rules->most_requests))
        watch->over = true;
    if (watch->rules->progress != NULL && omp_get_thread_num() == 0)
        fs_progress_update(watch->rules->progress, done);
}

typedef struct block {
    fs_unit_walk_request *request; /* heap */
    size_t requests;
} block;

static fs_unit_walk_desk desk_of(fs_unit_walk_watch *watch) {
    const uint32_t queue = watch->rules->queue, room = queue == 0 ? BLOCK : queue;
    fs_unit_walk_desk d = {.queue = {.room = room, .capacity = queue == 0 ? UINT32_MAX : queue},
                           .watch = watch};
    d.queue.entry = fs_calloc((size_t)room + FS_UNIT_WALK_QUEUE_PAD, sizeof *d.queue.entry);
    return d;
}

/* Rays [first, last) of a block; requests of each are counted in out->first[ray + 1]. */
static block walk_block(const fs_hierarchy *tree, const fs_unit_walk_ray *ray,
                        const fs_unit_walk_rules *rules, fs_unit_walk_desk *d, uint32_t first, uint32_t last,
                        fs_unit_walks *out) {
    const fs_unit_walk_ways *ways = ways_of(rules->plain, tree->width);
    d->requests = 0;
    for (uint32_t r = first; r < last && !d->watch->over; r++) {
        const size_t before = d->requests;
        ways->walk(tree, &ray[r], rules, d, &out->end[r]);
        out->first[r + 1] = d->requests - before;
    }
    look(d->watch, d, last - first);
    block b = {.requests = d->requests, .request = fs_malloc((d->requests + 1) * sizeof *b.request)};
    if (d->request != NULL)
        memcpy(b.request, d->request, d->requests * sizeof *b.request);
    return b;
}

/* Requests of all blocks, one after the other. */
static void join(block *done, uint32_t blocks, fs_unit_walks *out) {
    for (uint32_t r = 0; r < out->rays; r++)
        out->first[r + 1] += out->first[r];
    out->request = fs_malloc((out->first[out->rays] + 1) * sizeof *out->request);
#pragma omp parallel for schedule(static)
    for (uint32_t b = 0; b < blocks; b++) {
        memcpy(out->request + out->first[b * BLOCK], done[b].request,
               done[b].requests * sizeof *done[b].request);
        free(done[b].request);
        done[b].request = NULL;
    }
}

bool fs_unit_walk_all(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t rays,
                      const fs_unit_walk_rules *rules, fs_unit_walks *out) {
    const uint32_t blocks = rays / BLOCK + 1;
    fs_unit_walk_watch watch = {.rules = rules};
    block *done = fs_calloc(blocks, sizeof *done);
    *out = (fs_unit_walks){.rays = rays,
                           .first = fs_calloc((size_t)rays + 1, sizeof *out->first),
                           .end = fs_calloc((size_t)rays + 1, sizeof *out->end)};
#pragma omp parallel
    {
        fs_unit_walk_desk d = desk_of(&watch);
#pragma omp for schedule(dynamic)
        for (uint32_t b = 0; b < blocks; b++) {
            const uint32_t first = b * BLOCK, last = rays - first < BLOCK ? rays : first + BLOCK;
            if (!watch.over)
                done[b] = walk_block(tree, ray, rules, &d, first, last, out);
        }
        free(d.queue.entry);
        free(d.request);
    }
    if (!watch.over)
        join(done, blocks, out);
    for (uint32_t b = 0; b < blocks; b++)
        free(done[b].request);
    free(done);
    if (watch.over)
        fs_unit_walks_free(out);
    return !watch.over;
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
    const fs_unit_walk_ways *ways = ways_of(plain, tree->width);
    uint64_t nodes = 0, leaves = 0;
#pragma omp parallel reduction(+ : nodes, leaves)
    {
        uint32_t *stack = fs_malloc(((size_t)tree->depth + 1) * tree->width * sizeof *stack);
#pragma omp for schedule(dynamic, 64)
        for (uint32_t r = 0; r < rays; r++) {
            fs_unit_walk_visits one = {0};
            if (fs_interrupted())
                continue;
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
    const fs_unit_walk_ways *ways = ways_of(plain, FS_REFERENCE_LEAF);
#pragma omp parallel for schedule(dynamic, 64)
    for (uint32_t r = 0; r < rays; r++)
        if (!fs_interrupted())
            ways->brute(tree, &ray[r], &hit[r]);
}
