/* Sums and shares over itineraries. */
#include "workloads/treelets/record/statistics.h"

#include "models/overlay/load_tables.h"
#include "sim/base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { BOUNCES = FS_ITINERARIES_BOUNCES, SHADOW = BOUNCES, KINDS = BOUNCES + 1, MOST = 1 << 12 };

/* Of one thread: histograms of a ray's visits (the last place: so many or more), and sums. */
typedef struct tally {
    uint64_t rays[KINDS][MOST], visits[KINDS];
    fs_itineraries_statistics sum;
    uint64_t *visits_of, *units_of;
} tally;

/* The ray that is on its way, in one path. */
typedef struct ray {
    int kind; /* its bounce, or SHADOW; -1: none */
    uint32_t visits, bounce;
    uint32_t on; /* treelet where the path is */
    bool found;
} ray;

static void end_ray(tally *t, ray *r) {
    if (r->kind < 0)
        return;
    t->rays[r->kind][r->visits < MOST ? r->visits : MOST - 1]++;
    t->visits[r->kind] += r->visits;
    t->sum.blocked += r->kind == SHADOW && r->found;
    *r = (ray){.kind = -1, .bounce = r->bounce, .on = r->on};
}

static void visit(tally *t, const fs_piece *p, ray *r) {
    t->units_of[p->treelet] += p->units;
    if ((p->does & FS_PIECE_CONTINUES) != 0)
        return;
    const bool found = (p->does & FS_PIECE_FOUND) != 0;
    t->visits_of[p->treelet]++;
    t->sum.found += found && r->kind != SHADOW;
    t->sum.moves += r->on != p->treelet;
    r->on = p->treelet;
    r->visits++;
    r->found |= found;
}

static void anywhere(tally *t, const fs_piece *p, ray *r) {
    const uint32_t does = p->does;
    t->sum.hits += (does & FS_PIECE_HIT) != 0;
    t->sum.top_nodes += p->event[FS_PIECE_NODE];
    if ((does & (FS_PIECE_HIT | FS_PIECE_ESCAPE | FS_PIECE_SHADOW | FS_PIECE_SEGMENT | FS_PIECE_END)) == 0)
        return;
    end_ray(t, r);
    if ((does & FS_PIECE_SHADOW) != 0) {
        t->sum.shadows++;
        r->kind = SHADOW;
    }
    if ((does & FS_PIECE_SEGMENT) != 0) {
        end_ray(t, r); /* a shadow ray that visits nothing */
        t->sum.segments++;
        r->kind = r->bounce < BOUNCES ? (int)r->bounce : BOUNCES - 1;
        r->bounce++;
    }
    if ((does & FS_PIECE_END) != 0)
        end_ray(t, r);
}

static void add_path(tally *t, const fs_piece *piece, const fs_piece *end, uint32_t home) {
    ray r = {.kind = -1, .on = home};
    for (const fs_piece *p = piece; p < end; p++) {
        t->sum.units += p->units;
        t->sum.nodes += p->event[FS_PIECE_NODE];
        t->sum.deepest = p->depth > t->sum.deepest ? p->depth : t->sum.deepest;
        if (p->treelet == FS_PIECE_ANYWHERE)
            anywhere(t, p, &r);
        else
            visit(t, p, &r);
    }
}

/* ---- threads ---- */

static tally *new_tally(uint32_t treelets) {
    tally *t = fs_calloc(1, sizeof *t);
    t->visits_of = fs_calloc(treelets, sizeof *t->visits_of);
    t->units_of = fs_calloc(treelets, sizeof *t->units_of);
    return t;
}

static void free_tally(tally *t) {
    free(t->visits_of);
    free(t->units_of);
    free(t);
}

static void add_up(tally *to, const tally *t, uint32_t treelets) {
    fs_itineraries_statistics *a = &to->sum;
    const fs_itineraries_statistics *b = &t->sum;
    for (int k = 0; k < KINDS; k++) {
        to->visits[k] += t->visits[k];
        for (int v = 0; v < MOST; v++)
            to->rays[k][v] += t->rays[k][v];
    }
    for (uint32_t k = 0; k < treelets; k++) {
        to->visits_of[k] += t->visits_of[k];
        to->units_of[k] += t->units_of[k];
    }
    a->segments += b->segments;
    a->hits += b->hits;
    a->shadows += b->shadows;
    a->blocked += b->blocked;
    a->units += b->units;
    a->top_nodes += b->top_nodes;
    a->nodes += b->nodes;
    a->found += b->found;
    a->moves += b->moves;
    a->deepest = b->deepest > a->deepest ? b->deepest : a->deepest;
}

static tally *tally_of(const fs_itineraries *its) {
    tally *all = new_tally(its->treelets);
#pragma omp parallel
    {
        tally *own = new_tally(its->treelets);
#pragma omp for schedule(static)
        for (uint64_t p = 0; p < its->paths; p++)
            add_path(own, its->piece + its->first[p], its->piece + its->first[p + 1],
                     (uint32_t)(p % its->treelets));
#pragma omp critical(fs_itineraries_tallies)
        add_up(all, own, its->treelets);
        free_tally(own);
    }
    return all;
}

/* ---- shares ---- */

/* The least number of visits that at least `percent` of 100 rays do not exceed. */
static uint32_t rank(const uint64_t *rays, uint64_t count, uint64_t percent) {
    uint64_t so_far = 0;
    for (uint32_t v = 0; v < MOST; v++) {
        so_far += rays[v];
        if (so_far * 100 >= count * percent)
            return v;
    }
    return MOST;
}

static fs_itineraries_visits visits_of(const uint64_t *rays, uint64_t visits) {
    fs_itineraries_visits v = {.visits = visits, .none = rays[0]};
    for (uint32_t n = 0; n < MOST; n++)
        v.rays += rays[n];
    v.half = rank(rays, v.rays, 50);
    v.most_of_20 = rank(rays, v.rays, 95);
    v.most_of_100 = rank(rays, v.rays, 99);
    return v;
}

static void share(fs_itineraries_statistics *s) {
    uint64_t *sorted = fs_malloc(s->treelets * sizeof *sorted);
    memcpy(sorted, s->units_of, s->treelets * sizeof *sorted);
    s->gini = fs_gini(sorted, s->treelets);
    s->imbalance = fs_imbalance(sorted, s->treelets);
    free(sorted);
}

void fs_itineraries_measure(const fs_itineraries *its, fs_arena *arena, fs_itineraries_statistics *out) {
    tally *t = tally_of(its);
    uint64_t *rays = fs_calloc(MOST, sizeof *rays), visits = 0;
    *out = t->sum;
    out->paths = its->paths;
    out->treelets = its->treelets;
    out->visits_of = FS_NEW(arena, uint64_t, its->treelets);
    out->units_of = FS_NEW(arena, uint64_t, its->treelets);
    memcpy(out->visits_of, t->visits_of, its->treelets * sizeof *out->visits_of);
    memcpy(out->units_of, t->units_of, its->treelets * sizeof *out->units_of);
    for (int b = 0; b < BOUNCES; b++) {
        out->bounce[b] = visits_of(t->rays[b], t->visits[b]);
        visits += t->visits[b];
        for (int v = 0; v < MOST; v++)
            rays[v] += t->rays[b][v];
    }
    out->all = visits_of(rays, visits);
    out->shadow = visits_of(t->rays[SHADOW], t->visits[SHADOW]);
    share(out);
    free(rays);
    free_tally(t);
}

/* ---- pixels ---- */

/* The treelet that the path's first segment ends in. */
static uint16_t treelet_of(const fs_piece *p, const fs_piece *end) {
    uint16_t treelet = FS_PIECE_ANYWHERE;
    for (bool begun = false; p < end; p++) {
        if (p->treelet == FS_PIECE_ANYWHERE && begun && (p->does & (FS_PIECE_HIT | FS_PIECE_ESCAPE)) != 0)
            break;
        begun = true;
        if (p->treelet != FS_PIECE_ANYWHERE && (p->does & FS_PIECE_FOUND) != 0)
            treelet = p->treelet;
    }
    return treelet;
}

void fs_itineraries_maps(const fs_itineraries *its, uint32_t samples, uint16_t *treelet, uint32_t *visits) {
#pragma omp parallel for schedule(static)
    for (uint64_t pixel = 0; pixel < its->paths / samples; pixel++) {
        const fs_piece *p = its->piece + its->first[pixel * samples],
                       *end = its->piece + its->first[(pixel + 1) * samples];
        if (treelet != NULL)
            treelet[pixel] = treelet_of(p, its->piece + its->first[pixel * samples + 1]);
        if (visits == NULL)
            continue;
        visits[pixel] = 0;
        for (; p < end; p++)
            visits[pixel] += p->treelet != FS_PIECE_ANYWHERE && (p->does & FS_PIECE_CONTINUES) == 0;
    }
}
