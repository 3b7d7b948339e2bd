/* Sentences are computed: each is left out where it would have nothing to say. */
#include "workloads/foam/findings.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHORT = 160, PERCENT_BYTES = 16 };

typedef struct writer {
    const fs_findings_source *source;
    fs_findings *out;
} writer;

/* ---- words ---- */

/* "81 %", "0.3 %", "under 0.1 %". */
static const char *percent(double share, char text[PERCENT_BYTES]) {
    const double p = 100.0 * share;
    if (p > 0 && p < 0.05)
        return "under 0.1 %";
    snprintf(text, PERCENT_BYTES, p > 0 && p < 1 ? "%.1f %%" : "%.0f %%", p);
    return text;
}
/* "at most 3 %", "less than 0.1 %". */
static const char *at_most(double share, char text[2 * PERCENT_BYTES]) {
    char number[PERCENT_BYTES];
    const char *p = percent(share, number);
    if (p != number)
        return "less than 0.1 %";
    snprintf(text, 2 * PERCENT_BYTES, share > 0 ? "at most %s" : "nothing", p);
    return text;
}
#define AT_MOST(percentage) at_most((percentage) / 100, (char[2 * PERCENT_BYTES]){0})
#define PERCENT(share)      percent(share, (char[PERCENT_BYTES]){0})

static const char *plural(uint64_t count, const char *one, const char *many) {
    return count == 1 ? one : many;
}

/* "tile 412, the tracer of shard 284 (the camera's)", "tile 1364, a router of level 5". */
static const char *name_tile(const fs_foam_books *b, uint32_t tile, char text[SHORT]) {
    const fs_overlay *o = b->overlay;
    const uint32_t shard = o->shard_of_tile[tile];
    switch ((fs_role)o->role[tile]) {
    case FS_ROLE_TRACER: {
        const bool camera = shard != UINT32_MAX && shard == o->shard_of_tile[b->camera_tile];
        const bool several = shard != UINT32_MAX && o->owner_start[shard + 1] - o->owner_start[shard] > 1;
        snprintf(text, SHORT, "tile %" PRIu32 ", %s tracer of shard %" PRIu32 "%s", tile,
                 several ? "a" : "the", shard, camera ? " (the camera's)" : "");
        break;
    }
    case FS_ROLE_ROUTER:
        snprintf(text, SHORT, "tile %" PRIu32 ", a router of level %u", tile, o->level[tile]);
        break;
    case FS_ROLE_GENERATOR:
        snprintf(text, SHORT, "tile %" PRIu32 ", the generator", tile);
        break;
    default:
        snprintf(text, SHORT, "tile %" PRIu32, tile);
    }
    return text;
}

/* "the tracers", "the routers of level 2", "the generator". */
static const char *name_level(const fs_overlay *o, uint32_t level, char text[SHORT]) {
    if (level == 0)
        return "the tracers";
    if (level > o->levels)
        return "the generator";
    snprintf(text, SHORT, o->levels == 1 ? "the routers" : "the routers of level %" PRIu32, level);
    return text;
}

static fs_finding *begin(writer *w, const char *key) {
    FS_ASSERT(w->out->count < FS_FINDINGS_MOST, "more findings than places");
    fs_finding *f = &w->out->finding[w->out->count++];
    *f = (fs_finding){.key = key};
    return f;
}

static void add(fs_finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(fs_finding *f, const char *format, ...) {
    size_t used = strlen(f->text);
    va_list args;
    va_start(args, format);
    vsnprintf(f->text + used, sizeof f->text - used, format, args);
    va_end(args);
}

static void figure(fs_finding *f, const char *name, double value) {
    FS_ASSERT(f->figures < FS_FINDING_FIGURES, "more figures than places");
    f->figure[f->figures].name = name;
    f->figure[f->figures++].value = value;
}

/* ---- the findings ---- */

static void find_loss(writer *w) {
    const fs_foam_figures *f = w->source->figures;
    if (f->complete && f->dropped == 0)
        return;
    fs_finding *o = begin(w, "loss");
    if (f->dropped > 0)
        add(o,
            "%" PRIu64 " of %" PRIu64
            " rays were lost because the generator's ring was full: larger lanes or "
            "smaller batches (workload.batching.per_batch) would keep them",
            f->dropped, f->generated);
    else
        add(o, "The run is not complete");
    add(o, "; %s of the first frame's pixels are written.", PERCENT(f->coverage));
    figure(o, "dropped", (double)f->dropped);
    figure(o, "coverage", f->coverage);
}

/* The part in which the tile that paces most does so most densely. */
static fs_part part_of_pace(const fs_foam_books *b, uint32_t tile, double *share) {
    fs_part best = FS_PART_ALL;
    *share = 0;
    for (fs_part p = FS_PART_INJECTION; p < FS_PARTS; p++) {
        uint64_t begin_at, end, paced = 0;
        fs_foam_books_part(b, p, &begin_at, &end);
        for (uint64_t k = begin_at; k < end; k++)
            paced += b->note[k].times.pace_tile == tile;
        if (end > begin_at && (double)paced > *share * (double)(end - begin_at)) {
            *share = (double)paced / (double)(end - begin_at);
            best = p;
        }
    }
    return best;
}

static void find_pace(writer *w) {
    const fs_foam_books *b = w->source->books;
    const fs_congestion_figures *c = &w->source->figures->congestion;
    const uint32_t tile = (uint32_t)c->hottest_tile;
    char name[SHORT];
    double share;
    const fs_part part = part_of_pace(b, tile, &share);
    fs_finding *f = begin(w, "pace");
    add(f, "In %s of the iterations %s set the pace", PERCENT(c->hottest_share), name_tile(b, tile, name));
    if (part != FS_PART_ALL && share > c->hottest_share)
        add(f, ", most often in the %s part (%s)", fs_part_names[part], PERCENT(share));
    add(f, "; tracers did in %s, routers in %s, the generator in %s.",
        PERCENT(w->source->figures->pace_tracer), PERCENT(w->source->figures->pace_router),
        PERCENT(w->source->figures->pace_generator));
    figure(f, "tile", (double)tile);
    figure(f, "shard", c->hottest_shard);
    figure(f, "share", c->hottest_share);
    figure(f, "tracer", w->source->figures->pace_tracer);
    figure(f, "router", w->source->figures->pace_router);
    figure(f, "generator", w->source->figures->pace_generator);
}

static void find_time(writer *w) {
    const fs_foam_figures *f = w->source->figures;
    const double all = (double)f->cycles;
    if (f->cycles == 0)
        return;
    fs_finding *o = begin(w, "time");
    const double compute = (double)f->cycles_compute / all, exchange = (double)f->cycles_exchange / all,
                 sync = (double)f->cycles_sync / all, host = (double)f->cycles_host / all;
    add(o, "Compute takes %s of the time, the exchange %s, barriers %s and host visits %s.", PERCENT(compute),
        PERCENT(exchange), PERCENT(sync), PERCENT(host));
    figure(o, "compute", compute);
    figure(o, "exchange", exchange);
    figure(o, "sync", sync);
    figure(o, "host", host);
}

/* Something that a parameter can change, and the most (or about what) it would gain, in per cent. */
typedef struct choice {
    double gain;
    fs_rung_id rung;
    char text[2 * FS_RUNG_TEXT + 4];
} choice;

static void consider(choice *best, const fs_ladder *l, fs_rung_id rung, const char *text) {
    if (l->rung[rung].gain_percent <= best->gain)
        return;
    best->gain = l->rung[rung].gain_percent;
    best->rung = rung;
    snprintf(best->text, sizeof best->text, "%s", text);
}

static void find_next(writer *w) {
    const fs_ladder *l = w->source->ladder;
    const double worth_saying = 1.0; /* per cent */
    char replicated[2 * FS_RUNG_TEXT + 4];
    choice best = {.gain = 0};
    const fs_rung *more = &l->rung[FS_RUNG_REPLICATED];
    snprintf(replicated, sizeof replicated, "%s (%s)", more->detail, more->sets);
    consider(&best, l, FS_RUNG_REPLICATED, replicated);
    if (w->source->figures->dropped == 0) /* what a lost ray would cost is not known */
        consider(&best, l, FS_RUNG_INFINITE_BUFFERS, "larger lanes (the buffers of the overlay section)");
    consider(&best, l, FS_RUNG_FREE_ROUTERS, "faster routers (workload.kernels.router=hardware)");
    consider(&best, l, FS_RUNG_FREE_HOST, "rarer host visits (workload.repeat)");
    if (w->source->figures->static_cycles > 0)
        consider(&best, l, FS_RUNG_FREE_EXCHANGE,
                 "an exchange that moves only rays (machine.exchange.mode=dynamic)");
    if (best.gain < worth_saying) {
        fs_finding *f = begin(w, "next");
        add(f, "No single change of those tried would gain 1 %%; all of them together would gain %s.",
            AT_MOST(l->rung[FS_RUNG_ALL].gain_percent));
        figure(f, "all_percent", l->rung[FS_RUNG_ALL].gain_percent);
        return;
    }
    fs_finding *f = begin(w, "next");
    const bool estimate = strcmp(l->rung[best.rung].kind, "estimate") == 0;
    add(f, "Worth trying first: %s, which would gain %s %s", best.text, estimate ? "about" : "at most",
        PERCENT(best.gain / 100));
    if (best.rung != FS_RUNG_FREE_ROUTERS)
        add(f, "; free routers would gain %s", AT_MOST(l->rung[FS_RUNG_FREE_ROUTERS].gain_percent));
    if (best.rung != FS_RUNG_REPLICATED && l->replicas.count > 0)
        add(f, "; %s about %s", more->detail, PERCENT(more->gain_percent / 100));
    add(f, ".");
    figure(f, "gain_percent", best.gain);
    figure(f, "free_routers_percent", l->rung[FS_RUNG_FREE_ROUTERS].gain_percent);
    figure(f, "replicated_percent", more->gain_percent);
}

/* The level with most of something; FS_MAX_LEVELS: there is none of it. */
static uint32_t most_turned_away(const fs_congestion *c) {
    uint32_t best = FS_MAX_LEVELS;
    uint64_t most = 0;
    for (uint32_t l = 0; l < c->levels; l++)
        if (c->level[FS_PART_ALL][l].turned_away > most) {
            most = c->level[FS_PART_ALL][l].turned_away;
            best = l;
        }
    return best;
}

static void find_waiting(writer *w) {
    const fs_foam_figures *f = w->source->figures;
    const fs_congestion *c = w->source->congestion;
    const uint32_t level = most_turned_away(c);
    char name[SHORT];
    fs_finding *o = begin(w, "waiting");
    figure(o, "spilled", (double)f->spilled);
    figure(o, "ring_peak", (double)f->congestion.ring_peak);
    figure(o, "waiting_mean", f->waiting_mean);
    figure(o, "peak_fill", f->congestion.peak_fill);
    if (!w->source->ladder->waited) {
        add(o,
            "No ray waited: no lane turned one away and the generator's ring stayed empty; the fullest lane "
            "held %s of its capacity.",
            PERCENT(f->congestion.peak_fill));
        return;
    }
    if (level < FS_MAX_LEVELS) {
        const uint64_t away = c->level[FS_PART_ALL][level].turned_away;
        add(o, "Rays wait at full lanes: %" PRIu64 " %s turned away, %s of them by the lanes to %s",
            f->spilled, plural(f->spilled, "was", "were"),
            PERCENT(f->spilled > 0 ? (double)away / (double)f->spilled : 1),
            name_level(w->source->books->overlay, level, name));
        figure(o, "level", level);
    } else {
        add(o, "No router's lane turned a ray away, but rays wait in the generator's ring");
    }
    if (f->congestion.ring_peak > 0)
        add(o, "; the generator's ring held up to %" PRIu64 " %s", f->congestion.ring_peak,
            plural(f->congestion.ring_peak, "ray", "rays"));
    if (isfinite(f->waiting_mean))
        add(o, "; a ray waits %.1f iterations on average, 99 %% of the rays at most %" PRIu64,
            f->waiting_mean, f->congestion.waiting.p99);
    add(o, ".");
}

static void find_drain(writer *w) {
    const fs_foam_figures *f = w->source->figures;
    const fs_congestion_figures *c = &f->congestion;
    if (c->last_percent_iterations == 0 || f->iterations == 0 || f->cycles == 0)
        return;
    const double time = (double)c->last_percent_cycles / (double)f->cycles;
    fs_finding *o = begin(w, "drain");
    add(o, "The last 1 %% of the rays took %" PRIu64 " of %" PRIu64 " iterations and %s of the time",
        c->last_percent_iterations, f->iterations, PERCENT(time));
    if (c->drain_iterations > 0)
        add(o, "; the generator had made its last ray %" PRIu64 " %s before the end", c->drain_iterations,
            plural(c->drain_iterations, "iteration", "iterations"));
    add(o, ".");
    figure(o, "iterations", (double)c->last_percent_iterations);
    figure(o, "share_of_iterations", (double)c->last_percent_iterations / (double)f->iterations);
    figure(o, "share_of_time", time);
    figure(o, "drain_iterations", (double)c->drain_iterations);
}

static void find_imbalance(writer *w) {
    const fs_congestion_figures *c = &w->source->figures->congestion;
    const fs_rung *even = &w->source->ladder->rung[FS_RUNG_BALANCED_TRACERS];
    if (!isfinite(c->imbalance_tracers) || w->source->books->overlay->tracers < 2)
        return;
    fs_finding *f = begin(w, "imbalance");
    add(f,
        "The busiest tracer computes %.1f times as long as the mean one (Gini coefficient %.2f); the same "
        "work spread evenly over all tracers would gain %s.",
        c->imbalance_tracers, c->gini_tracers, AT_MOST(even->gain_percent));
    figure(f, "imbalance", c->imbalance_tracers);
    figure(f, "gini", c->gini_tracers);
    figure(f, "balanced_percent", even->gain_percent);
}

static void find_sram(writer *w) {
    static const char *const key[FS_ROLE_COUNT] = {"", "tracer_bytes", "router_bytes", "generator_bytes"};
    const fs_overlay *o = w->source->books->overlay;
    uint64_t most[FS_ROLE_COUNT] = {0};
    uint32_t tile[FS_ROLE_COUNT] = {0};
    for (uint32_t t = 0; t < o->tiles; t++) {
        const uint64_t bytes = fs_ledger_used(w->source->layout->ledger, t);
        if (bytes > most[o->role[t]]) {
            most[o->role[t]] = bytes;
            tile[o->role[t]] = t;
        }
    }
    fs_finding *f = begin(w, "sram");
    const char *before = "Of its SRAM ";
    for (int role = FS_ROLE_TRACER; role < FS_ROLE_COUNT; role++)
        if (most[role] > 0 && w->source->sram > 0) {
            add(f, "%sthe %s%s (tile %" PRIu32 ") uses %s", before,
                role == FS_ROLE_GENERATOR ? "" : "fullest ", fs_role_names[role], tile[role],
                PERCENT((double)most[role] / (double)w->source->sram));
            figure(f, key[role], (double)most[role]);
            before = ", ";
        }
    if (o->spares == 0)
        add(f, "; no tile is spare.");
    else
        add(f, "; %" PRIu32 " of %" PRIu32 " tiles %s spare.", o->spares, o->tiles,
            plural(o->spares, "is", "are"));
    figure(f, "spare_tiles", o->spares);
}

void fs_findings_make(const fs_findings_source *source, fs_findings *out) {
    *out = (fs_findings){0};
    writer w = {.source = source, .out = out};
    if (source->books->iterations == 0)
        return;
    find_loss(&w);
    find_pace(&w);
    find_time(&w);
    find_next(&w);
    find_waiting(&w);
    find_drain(&w);
    find_imbalance(&w);
    find_sram(&w);
}
