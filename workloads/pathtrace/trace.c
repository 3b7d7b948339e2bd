/* Batches of paths, a group of tiles at a time. */
#include "workloads/pathtrace/trace.h"

#include "sim/base/alloc.h"

#include <stdlib.h>

enum { PATHS_AT_ONCE = 1 << 15 };

typedef struct group { /* rays of whole tiles, each with all drawn samples: path = ray * n + sample */
    fs_walk_key *key;
    fs_walk_path *path;
    fs_pathtrace_row *row;
    uint64_t *place; /* [rays] of a batch */
    uint64_t rays;
} group;

static uint64_t slots_of(const fs_pathtrace_tracer *t, const uint32_t *row) {
    uint64_t slots = 0;
    for (int e = 0; e < FS_WALK_EVENTS; e++)
        slots += (uint64_t)row[e] * t->slots[e];
    return slots;
}

static void add_row(uint32_t *to, const uint32_t *row) {
    for (int e = 0; e < FS_WALK_EVENTS; e++)
        to[e] += row[e];
}

static void note_path(fs_pathtrace_paths *p, const fs_walk_path *path, const uint32_t *row) {
    p->count++;
    p->segments += path->segments;
    p->hits += row[FS_WALK_HIT];
    p->ended[path->end]++;
    for (int e = 0; e < FS_WALK_EVENTS; e++)
        p->event[e] += row[e];
}

static void note_pixel(fs_pathtrace_tracer *t, uint32_t pixel, const fs_walk_path *path,
                       const uint32_t *row) {
    const uint64_t n = (uint64_t)t->params->drawn;
    float rgb[3];
    if (t->colour != NULL) {
        fs_walk_radiance(path, (float)t->params->azimuth, t->light, t->light_of, rgb);
        for (int c = 0; c < 3; c++)
            t->colour[pixel][c] += rgb[c] / (float)n;
    }
    if (t->cost != NULL) {
        t->cost[pixel].nodes += row[FS_WALK_NODE];
        t->cost[pixel].tests += row[FS_WALK_LEAF];
        t->cost[pixel].segments += path->segments;
    }
}

/* The worker of a tile that is free first, the lowest of equals. */
static uint32_t first_free(const uint64_t *busy, uint32_t workers) {
    uint32_t first = 0;
    for (uint32_t w = 1; w < workers; w++)
        if (busy[w] < busy[first])
            first = w;
    return first;
}

/* Rays [from, to) of the group, of one tile, to its workers. */
static void deal_tile(const fs_pathtrace_tracer *t, const group *g, uint64_t from, uint64_t to,
                      fs_pathtrace_row *rows) {
    const fs_pathtrace_layout *l = t->layout;
    const uint64_t n = (uint64_t)t->params->drawn, all = (uint64_t)l->render_tiles * l->workers,
                   first = g->place[from] / l->rays * l->workers;
    uint64_t *busy = fs_calloc(l->workers * n, sizeof *busy);
    for (uint64_t r = from; r < to; r++) {
        const uint32_t fixed = (uint32_t)(g->place[r] % l->rays % l->workers);
        uint64_t whole = 0;
        for (uint64_t s = 0; t->looped && s < n; s++)
            whole += slots_of(t, g->row[r * n + s]);
        const uint32_t looped = first_free(busy, l->workers);
        for (uint64_t s = 0; s < n; s++) {
            const uint32_t *row = g->row[r * n + s];
            uint32_t w = fixed;
            if (t->params->sharing == FS_PATHTRACE_QUEUE) {
                uint64_t *at = t->looped ? busy : busy + s * l->workers;
                w = t->looped ? looped : first_free(at, l->workers);
                at[w] += t->looped ? (s == 0 ? whole : 0) : slots_of(t, row);
            }
            add_row(rows[s * all + first + w], row);
        }
    }
    free(busy);
}

/* Rays [from, ...) of the group whose pixels follow each other. */
static uint64_t run_of_pixels(const group *g, uint64_t n, uint64_t from) {
    uint64_t to = from + 1;
    while (to < g->rays && g->key[to * n].pixel == g->key[(to - 1) * n].pixel + 1)
        to++;
    return to - from;
}

/* Takes the counts that are known, and keeps them where they are wanted. */
static void move_counts(const fs_pathtrace_tracer *t, const group *g, uint64_t n) {
    for (uint64_t r = 0, run; r < g->rays && (t->walked != NULL || t->kept != NULL); r += run) {
        run = run_of_pixels(g, n, r);
        if (t->walked != NULL)
            fs_walk_counts_rows(t->walked, g->key[r * n].pixel * n, run * n, g->row + r * n);
        if (t->kept != NULL)
            fs_walk_counts_keep(t->kept, g->key[r * n].pixel * n, run * n, g->row + r * n);
    }
}

static void deal_group(const fs_pathtrace_tracer *t, const group *g, fs_pathtrace_row *rows) {
    for (uint64_t from = 0, to; from < g->rays; from = to) {
        const uint64_t tile = g->place[from] / t->layout->rays;
        for (to = from; to < g->rays && g->place[to] / t->layout->rays == tile;)
            to++;
        deal_tile(t, g, from, to, rows);
    }
}

static void walk_group(fs_pathtrace_tracer *t, const group *g, fs_pathtrace_row *rows) {
    const uint64_t n = (uint64_t)t->params->drawn;
    if (t->walked == NULL)
        fs_walk_paths(t->scene, &t->walk, g->key, g->rays * n, g->path, g->row);
    move_counts(t, g, n);
    deal_group(t, g, rows);
    for (uint64_t i = 0; t->walked == NULL && i < g->rays * n; i++) {
        note_path(&t->paths, &g->path[i], g->row[i]);
        note_pixel(t, g->key[i].pixel, &g->path[i], g->row[i]);
    }
}

void fs_pathtrace_trace(fs_pathtrace_tracer *tracer, uint64_t batch, fs_pathtrace_row *rows) {
    const fs_pathtrace_layout *l = tracer->layout;
    const uint64_t n = (uint64_t)tracer->params->drawn, of_a_tile = l->rays * n,
                   tiles = of_a_tile >= PATHS_AT_ONCE ? 1 : PATHS_AT_ONCE / of_a_tile, room = tiles * l->rays;
    group g = {.key = fs_calloc(room * n, sizeof *g.key),
               .path = fs_calloc(room * n, sizeof *g.path),
               .row = fs_calloc(room * n, sizeof *g.row),
               .place = fs_calloc(room, sizeof *g.place)};
    for (uint64_t place = 0; place < l->batch; place++) {
        const uint64_t pixel = fs_pathtrace_pixel(l, tracer->params->dealing, batch, place);
        if (pixel != UINT64_MAX) {
            for (uint64_t s = 0; s < n; s++)
                g.key[g.rays * n + s] = (fs_walk_key){.pixel = (uint32_t)pixel, .sample = (uint32_t)s};
            g.place[g.rays++] = place;
        }
        if ((place + 1) % room == 0 || place + 1 == l->batch) {
            walk_group(tracer, &g, rows);
            g.rays = 0;
        }
    }
    free(g.key);
    free(g.path);
    free(g.row);
    free(g.place);
}
