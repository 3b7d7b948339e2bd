/* Sentences are computed: each is left out where it would have nothing to say. */
#include "workloads/foam/findings_words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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
    add(f, "; tracers did in %s", PERCENT(w->source->figures->pace_tracer));
    if (b->overlay->routers > 0)
        add(f, ", routers in %s", PERCENT(w->source->figures->pace_router));
    add(f, ", the generator in %s.", PERCENT(w->source->figures->pace_generator));
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
    consider(&best, l, FS_RUNG_FREE_ROUTERS,
             "faster routers (workload.kernels.router=hardware) or more of them (a wider overlay)");
    consider(&best, l, FS_RUNG_FREE_HOST, "rarer host visits (workload.repeat)");
    if (w->source->figures->static_cycles > 0)
        consider(&best, l, FS_RUNG_FREE_EXCHANGE,
                 "an exchange that moves only rays (machine.exchange.mode=dynamic)");
    if (best.gain < worth_saying) {
        fs_finding *f = begin(w, "next");
        add(f, "No single change of those tried would gain 1 %%; all of them together would gain %s%s.",
            l->waited ? "about " : "",
            l->waited ? PERCENT(l->rung[FS_RUNG_ALL].gain_percent / 100)
                      : AT_MOST(l->rung[FS_RUNG_ALL].gain_percent));
        figure(f, "all_percent", l->rung[FS_RUNG_ALL].gain_percent);
        return;
    }
    fs_finding *f = begin(w, "next");
    const bool estimate = strcmp(l->rung[best.rung].kind, "estimate") == 0;
    add(f, "%s: %s, which would gain %s %s",
        w->source->figures->dropped > 0 ? "Once no ray is lost, worth trying" : "Worth trying first",
        best.text, estimate ? "about" : "at most", PERCENT(best.gain / 100));
    if (best.rung != FS_RUNG_FREE_ROUTERS && w->source->books->overlay->routers > 0)
        add(f, "; free routers would gain %s", AT_MOST(l->rung[FS_RUNG_FREE_ROUTERS].gain_percent));
    if (best.rung != FS_RUNG_REPLICATED && l->replicas.count > 0)
        add(f, "; %s would gain about %s", more->detail, PERCENT(more->gain_percent / 100));
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

/* The lane that turned most rays away; lanes: none did. */
static uint32_t fullest_lane(const fs_foam_books *b, uint64_t *away) {
    uint32_t best = b->overlay->lane_count;
    *away = 0;
    for (uint32_t l = 0; l < b->overlay->lane_count; l++) {
        const uint64_t turned = fs_foam_books_lane(b, FS_PART_ALL, l).turned_away;
        if (turned > *away) {
            *away = turned;
            best = l;
        }
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
        add(o,
            "Rays wait at full lanes: one was turned away %" PRIu64 " %s, in %s of the cases by a lane to %s",
            f->spilled, plural(f->spilled, "time", "times"),
            PERCENT(f->spilled > 0 ? (double)away / (double)f->spilled : 1),
            name_level(w->source->books->overlay, level, name));
        figure(o, "level", level);
        uint64_t most;
        const fs_overlay *overlay = w->source->books->overlay;
        const uint32_t lane = fullest_lane(w->source->books, &most);
        if (lane < overlay->lane_count) {
            add(o, "; the lane from tile %" PRIu32 " to tile %" PRIu32 " did so in %s",
                overlay->lanes[lane].src, overlay->lanes[lane].dst,
                PERCENT(f->spilled > 0 ? (double)most / (double)f->spilled : 1));
            figure(o, "lane", lane);
        }
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
    const bool slices = f->decoupled_calls > 0; /* a decoupled run has no iterations, only slices of time */
    add(o, "The last 1 %% of the rays took %" PRIu64 " of %" PRIu64 " %s and %s of the time",
        c->last_percent_iterations, f->iterations, slices ? "slices" : "iterations", PERCENT(time));
    if (c->drain_iterations > 0)
        add(o, "; the generator had made its last ray %" PRIu64 " %s before the end", c->drain_iterations,
            slices ? plural(c->drain_iterations, "slice", "slices")
                   : plural(c->drain_iterations, "iteration", "iterations"));
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
    if (source->figures->decoupled_calls > 0) {
        fs_findings_decoupled(&w);
    } else {
        find_pace(&w);
        find_time(&w);
        find_next(&w);
        find_waiting(&w);
    }
    find_drain(&w);
    find_imbalance(&w);
    find_sram(&w);
}
