/* Sites from one stream of random numbers, on all threads. */
#include "workloads/scene/stage/stage.h"

#include "sim/host/signals.h"

#include <omp.h>
#include <stdlib.h>

enum {
    STRETCH = 4096,      /* numbers of the stream */
    MOST_A_THREAD = 32,  /* stretches at a time */
    NUMBERS_A_SITE = 12, /* a guess, for the first of them */
};

/* What was made of the attempts that begin in [begin, begin + STRETCH), if one begins at `begin`. */
typedef struct stretch {
    uint64_t begin, end; /* end: where the attempt after the last one begins */
    uint64_t *at;        /* [attempts] where they begin */
    uint32_t *before;    /* [attempts] sites of those before */
    uint32_t attempts;
    fs_sites sites;
} stretch;

typedef struct scattering {
    fs_attempt attempt;
    const void *self;
    fs_rng rng; /* where the next true attempt begins */
    uint32_t cells;
    fs_sites *out;
} scattering;

static void create_stretch(stretch *s) {
    s->at = fs_malloc(STRETCH * sizeof *s->at);
    s->before = fs_malloc(STRETCH * sizeof *s->before);
    s->sites = fs_sites_create(STRETCH);
}

static void free_stretch(stretch *s) {
    free(s->at);
    free(s->before);
    fs_sites_free(&s->sites);
}

static void make_stretch(const scattering *c, stretch *s, uint64_t begin) {
    fs_rng rng = {.key = c->rng.key, .counter = begin};
    s->begin = begin;
    s->attempts = s->sites.count = 0;
    while (rng.counter < begin + STRETCH && !fs_interrupted()) {
        s->at[s->attempts] = rng.counter;
        s->before[s->attempts++] = s->sites.count;
        c->attempt(c->self, &rng, &s->sites);
    }
    s->end = rng.counter;
}

/* The attempt that begins at `at`; s->attempts if none does. */
static uint32_t find_attempt(const stretch *s, uint64_t at) {
    uint32_t lo = 0, hi = s->attempts;
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (s->at[middle] < at)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < s->attempts && s->at[lo] == at ? lo : s->attempts;
}

/* True attempts up to the end of the stretch: by themselves until one begins where one of the stretch does. */
static void join(scattering *c, const stretch *s) {
    while (c->rng.counter < s->begin + STRETCH && c->out->count < c->cells && !fs_interrupted()) {
        const uint32_t found = find_attempt(s, c->rng.counter);
        if (found < s->attempts) {
            const uint32_t first = s->before[found], made = s->sites.count - first,
                           room = c->cells - c->out->count;
            fs_sites_append(c->out, &s->sites, first, made < room ? made : room);
            c->rng.counter = s->end;
            return;
        }
        c->attempt(c->self, &c->rng, c->out);
    }
}

/* Stretches that are likely to be needed yet. */
static int wanted(const scattering *c, int most, uint64_t first, uint32_t before) {
    const double made = c->out->count - before,
                 numbers = made > 0 ? (double)(c->rng.counter - first) / made : NUMBERS_A_SITE;
    const double stretches = (c->cells - c->out->count) * numbers / STRETCH + 1;
    return stretches < most ? (int)stretches : most;
}

static void scatter_on(scattering *c, int threads, fs_progress *progress) {
    const int most = threads * MOST_A_THREAD;
    const uint64_t first = c->rng.counter;
    const uint32_t before = c->out->count;
    stretch *all = fs_calloc((size_t)most, sizeof *all);
    for (int i = 0; i < most; i++)
        create_stretch(&all[i]);
    while (c->out->count < c->cells && !fs_interrupted()) {
        const int count = wanted(c, most, first, before);
        const uint64_t begin = c->rng.counter;
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < count; i++)
            make_stretch(c, &all[i], begin + (uint64_t)i * STRETCH);
        for (int i = 0; i < count; i++)
            join(c, &all[i]);
        if (progress != NULL)
            fs_progress_update(progress, c->out->count);
    }
    for (int i = 0; i < most; i++)
        free_stretch(&all[i]);
    free(all);
}

void fs_scatter(fs_attempt attempt, const void *self, fs_rng rng, uint32_t cells, fs_sites *out,
                fs_progress *progress) {
    scattering c = {.attempt = attempt, .self = self, .rng = rng, .cells = cells, .out = out};
    const int threads = omp_get_max_threads();
    if (threads > 1)
        scatter_on(&c, threads, progress);
    while (out->count < cells && !fs_interrupted()) {
        attempt(self, &c.rng, out);
        if (progress != NULL)
            fs_progress_update(progress, out->count);
    }
}
