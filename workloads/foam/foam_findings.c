/* Sentences are computed: each is left out where it would have nothing to say. */
#include "workloads/foam/foam_run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- the findings ---- */

static void find_loss(fs_foam_finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    if (f->complete && f->rays.dropped == 0)
        return;
    fs_finding *o = fs_finding_begin(w->out, "loss");
    if (f->rays.dropped > 0)
        fs_finding_say(o,
                       "%" PRIu64 " of %" PRIu64
                       " rays were lost because the generator's ring was full: larger lanes or "
                       "smaller batches (workload.batching.per_batch) would keep them",
                       f->rays.dropped, f->rays.generated);
    else
        fs_finding_say(o, "The run is not complete");
    fs_finding_say(o, "; %s of the first frame's pixels are written.", FS_PERCENT(f->coverage));
    FS_FINDING_FIGURES(o, {"dropped", (double)f->rays.dropped}, {"coverage", f->coverage});
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

static void find_pace(fs_foam_finder *w) {
    const fs_foam_books *b = &w->run->books;
    const fs_congestion_figures *c = &w->run->figures.congestion;
    const uint32_t tile = (uint32_t)c->hottest_tile;
    char name[FS_FOAM_NAME_TEXT];
    double share;
    const fs_part part = part_of_pace(b, tile, &share);
    fs_finding *f = fs_finding_begin(w->out, "pace");
    fs_finding_say(f, "In %s of the iterations %s set the pace", FS_PERCENT(c->hottest_share),
                   fs_foam_tile_text(b, tile, name));
    if (part != FS_PART_ALL && share > c->hottest_share)
        fs_finding_say(f, ", most often in the %s part (%s)", fs_load_part_names[part], FS_PERCENT(share));
    fs_finding_say(f, "; tracers did in %s", FS_PERCENT(w->run->figures.pace.tracer));
    if (b->overlay->routers > 0)
        fs_finding_say(f, ", routers in %s", FS_PERCENT(w->run->figures.pace.router));
    fs_finding_say(f, ", the generator in %s.", FS_PERCENT(w->run->figures.pace_generator));
    FS_FINDING_FIGURES(f, {"tile", (double)tile}, {"shard", c->hottest_shard}, {"share", c->hottest_share});
    if (part != FS_PART_ALL && share > c->hottest_share)
        fs_finding_figure(f, "share_of_part", share);
    FS_FINDING_FIGURES(f, {"tracer", w->run->figures.pace.tracer}, {"router", w->run->figures.pace.router},
                       {"generator", w->run->figures.pace_generator});
}

/* Something that a parameter can change, and the most (or about what) it would gain, in per cent. */
typedef struct choice {
    double gain;
    fs_rung_id rung;
    char text[2 * FS_RUNG_TEXT + 4];
} choice;

static void consider(choice *best, const fs_foam_ladder *l, fs_rung_id rung, const char *text) {
    if (l->rung[rung].gain_percent <= best->gain)
        return;
    best->gain = l->rung[rung].gain_percent;
    best->rung = rung;
    snprintf(best->text, sizeof best->text, "%s", text);
}

static void find_next(fs_foam_finder *w) {
    const fs_foam_ladder *l = w->run->ladder;
    const double worth_saying = 1.0; /* per cent */
    char replicated[2 * FS_RUNG_TEXT + 4];
    choice best = {.gain = 0};
    const fs_rung *more = &l->rung[FS_RUNG_REPLICATED];
    snprintf(replicated, sizeof replicated, "%s (%s)", more->detail, more->sets);
    consider(&best, l, FS_RUNG_REPLICATED, replicated);
    if (w->run->figures.rays.dropped == 0) /* what a lost ray would cost is not known */
        consider(&best, l, FS_RUNG_INFINITE_BUFFERS, "larger lanes (the buffers of the overlay section)");
    consider(&best, l, FS_RUNG_FREE_ROUTERS,
             "faster routers (workload.kernels.router=hardware) or more of them (a wider overlay)");
    consider(&best, l, FS_RUNG_FREE_HOST, "rarer host visits (workload.repeat)");
    if (w->run->figures.static_cycles > 0)
        consider(&best, l, FS_RUNG_FREE_EXCHANGE,
                 "an exchange that moves only rays (machine.exchange.mode=dynamic)");
    if (best.gain < worth_saying) {
        fs_finding *f = fs_finding_begin(w->out, "next");
        fs_finding_say(
            f, "No single change of those tried would gain 1 %%; all of them together would gain %s%s.",
            l->waited ? "about " : "",
            l->waited ? FS_PERCENT(l->rung[FS_RUNG_ALL].gain_percent / 100)
                      : FS_AT_MOST(l->rung[FS_RUNG_ALL].gain_percent));
        fs_finding_figure(f, "all_percent", l->rung[FS_RUNG_ALL].gain_percent);
        return;
    }
    fs_finding *f = fs_finding_begin(w->out, "next");
    const bool estimate = strcmp(l->rung[best.rung].kind, "estimate") == 0;
    fs_finding_say(f, "%s: %s, which would gain %s %s",
                   w->run->figures.rays.dropped > 0 ? "Once no ray is lost, worth trying"
                                                    : "Worth trying first",
                   best.text, estimate ? "about" : "at most", FS_PERCENT(best.gain / 100));
    if (best.rung != FS_RUNG_FREE_ROUTERS && w->run->overlay.routers > 0)
        fs_finding_say(f, "; free routers would gain %s",
                       FS_AT_MOST(l->rung[FS_RUNG_FREE_ROUTERS].gain_percent));
    if (best.rung != FS_RUNG_REPLICATED && l->replicas.count > 0)
        fs_finding_say(f, "; %s would gain about %s", more->detail, FS_PERCENT(more->gain_percent / 100));
    fs_finding_say(f, ".");
    FS_FINDING_FIGURES(f, {"gain_percent", best.gain},
                       {"free_routers_percent", l->rung[FS_RUNG_FREE_ROUTERS].gain_percent},
                       {"replicated_percent", more->gain_percent});
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

static void find_waiting(fs_foam_finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    const fs_congestion *c = w->run->congestion;
    const uint32_t level = most_turned_away(c);
    char name[FS_FOAM_NAME_TEXT];
    fs_finding *o = fs_finding_begin(w->out, "waiting");
    FS_FINDING_FIGURES(o, {"spilled", (double)f->rays.spilled},
                       {"ring_peak", (double)f->congestion.ring_peak}, {"waiting_mean", f->hops.waiting_mean},
                       {"peak_fill", f->congestion.peak_fill});
    if (!w->run->ladder->waited) {
        fs_finding_say(
            o,
            "No ray waited: no lane turned one away and the generator's ring stayed empty; the fullest lane "
            "held %s of its capacity.",
            FS_PERCENT(f->congestion.peak_fill));
        return;
    }
    if (level < FS_MAX_LEVELS) {
        const uint64_t away = c->level[FS_PART_ALL][level].turned_away;
        const double there = f->rays.spilled > 0 ? (double)away / (double)f->rays.spilled : 1;
        fs_finding_say(o,
                       "Rays wait at full lanes: one was turned away %" PRIu64
                       " %s, in %s of the cases by a lane to %s",
                       f->rays.spilled, fs_plural(f->rays.spilled, "time", "times"), FS_PERCENT(there),
                       fs_foam_level_text(&w->run->overlay, level, name));
        FS_FINDING_FIGURES(o, {"level", level}, {"share_of_level", there});
        uint64_t most;
        const fs_overlay *overlay = &w->run->overlay;
        const uint32_t lane = fullest_lane(&w->run->books, &most);
        if (lane < overlay->lane_count) {
            const double on_lane = f->rays.spilled > 0 ? (double)most / (double)f->rays.spilled : 1;
            fs_finding_say(o, "; the lane from tile %" PRIu32 " to tile %" PRIu32 " did so in %s",
                           overlay->lanes[lane].src, overlay->lanes[lane].dst, FS_PERCENT(on_lane));
            FS_FINDING_FIGURES(o, {"lane", lane}, {"share_of_lane", on_lane});
        }
    } else {
        fs_finding_say(o, "No router's lane turned a ray away, but rays wait in the generator's ring");
    }
    if (f->congestion.ring_peak > 0)
        fs_finding_say(o, "; the generator's ring held up to %" PRIu64 " %s", f->congestion.ring_peak,
                       fs_plural(f->congestion.ring_peak, "ray", "rays"));
    if (isfinite(f->hops.waiting_mean))
        fs_finding_say(o, "; a ray waits %.1f iterations on average, 99 %% of the rays at most %" PRIu64,
                       f->hops.waiting_mean, f->hops.waiting.p99);
    fs_finding_say(o, ".");
}

static void find_drain(fs_foam_finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    const fs_congestion_figures *c = &f->congestion;
    if (c->last_percent_iterations == 0 || f->chip.device.iterations == 0 || f->chip.device.cycles == 0)
        return;
    const double time = (double)c->last_percent_cycles / (double)f->chip.device.cycles;
    fs_finding *o = fs_finding_begin(w->out, "drain");
    const bool slices = f->decoupled_calls > 0; /* a decoupled run has no iterations, only slices of time */
    fs_finding_say(o, "The last 1 %% of the rays took %" PRIu64 " of %" PRIu64 " %s and %s of the time",
                   c->last_percent_iterations, f->chip.device.iterations, slices ? "slices" : "iterations",
                   FS_PERCENT(time));
    if (f->parts.iterations[FS_PART_DRAIN] > 0)
        fs_finding_say(o, "; the generator had made its last ray %" PRIu64 " %s before the end",
                       f->parts.iterations[FS_PART_DRAIN],
                       slices ? fs_plural(f->parts.iterations[FS_PART_DRAIN], "slice", "slices")
                              : fs_plural(f->parts.iterations[FS_PART_DRAIN], "iteration", "iterations"));
    fs_finding_say(o, ".");
    FS_FINDING_FIGURES(
        o, {"iterations", (double)c->last_percent_iterations},
        {"share_of_iterations", (double)c->last_percent_iterations / (double)f->chip.device.iterations},
        {"share_of_time", time}, {"drain_iterations", (double)f->parts.iterations[FS_PART_DRAIN]});
}

static void find_imbalance(fs_foam_finder *w) {
    const fs_congestion_figures *c = &w->run->figures.congestion;
    const fs_rung *even = &w->run->ladder->rung[FS_RUNG_BALANCED_TRACERS];
    if (!isfinite(c->imbalance_tracers) || w->run->overlay.tracers < 2)
        return;
    fs_finding *f = fs_finding_begin(w->out, "imbalance");
    fs_finding_say(
        f,
        "The busiest tracer computes %.1f times as long as the average one (Gini coefficient %.2f); the same "
        "work spread evenly over all tracers would gain %s.",
        c->imbalance_tracers, c->gini_tracers, FS_AT_MOST(even->gain_percent));
    FS_FINDING_FIGURES(f, {"imbalance", c->imbalance_tracers}, {"gini", c->gini_tracers},
                       {"balanced_percent", even->gain_percent});
}

static void find_sram(fs_foam_finder *w) {
    static const char *const key[FS_ROLE_COUNT] = {"", "tracer_bytes", "router_bytes", "generator_bytes"};
    static const char *const share_key[FS_ROLE_COUNT] = {"", "tracer_share", "router_share",
                                                         "generator_share"};
    const fs_overlay *o = &w->run->overlay;
    uint64_t most[FS_ROLE_COUNT] = {0};
    uint32_t tile[FS_ROLE_COUNT] = {0};
    for (uint32_t t = 0; t < o->tiles; t++) {
        const uint64_t bytes = fs_ledger_used(w->run->of.ledger, t);
        if (bytes > most[o->role[t]]) {
            most[o->role[t]] = bytes;
            tile[o->role[t]] = t;
        }
    }
    fs_finding *f = fs_finding_begin(w->out, "sram");
    const char *before = "Of its SRAM ";
    for (int role = FS_ROLE_TRACER; role < FS_ROLE_COUNT; role++)
        if (most[role] > 0) {
            fs_finding_say(
                f, "%sthe %s%s (tile %" PRIu32 ") uses %s", before,
                role == FS_ROLE_GENERATOR ? "" : "fullest ", fs_role_names[role], tile[role],
                FS_PERCENT((double)most[role] / (double)fs_machine_sram(w->run->of.machine, (uint32_t)role)));
            FS_FINDING_FIGURES(
                f, {key[role], (double)most[role]},
                {share_key[role],
                 (double)most[role] / (double)fs_machine_sram(w->run->of.machine, (uint32_t)role)});
            before = ", ";
        }
    if (o->spares == 0)
        fs_finding_say(f, "; no tile is spare.");
    else
        fs_finding_say(f, "; %" PRIu32 " of %" PRIu32 " tiles %s spare.", o->spares, o->tiles,
                       fs_plural(o->spares, "is", "are"));
    fs_finding_figure(f, "spare_tiles", o->spares);
}

/* What ends the scaling where links do not: the way through the tree, and the tracer that all wait for. */
static void find_chips(fs_foam_finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    const char *more = fs_arena_printf(
        w->run->of.run.arena,
        "links do not matter, the depth of the overlay (%.1f router visits of a ray) and the shard of tile "
        "%" PRIu64 ", the slowest tile in %s of the iterations, do",
        f->hops.router_mean, f->congestion.hottest_tile, FS_PERCENT(f->congestion.hottest_share));
    const bool known = w->run->books.full && f->pace.tracer > 0.5 && w->run->overlay.routers > 0;
    fs_joined_find(&f->chips, w->run->of.device, known ? more : NULL, w->out);
}

void fs_foam_find(const fs_foam_run *r, fs_findings *out) {
    fs_foam_finder w = {.run = r, .out = out};
    if (r->books.iterations == 0)
        return;
    find_loss(&w);
    if (r->figures.decoupled_calls > 0) {
        fs_foam_findings_decoupled(&w);
    } else {
        find_pace(&w);
        fs_device_find_time(&r->figures.chip.device, out);
        find_next(&w);
        find_waiting(&w);
    }
    fs_frames_find(&r->figures.path, fs_foam_page.rungs, fs_foam_page.rung_count, r->ladder->rung, FS_RUNGS,
                   out);
    find_drain(&w);
    find_imbalance(&w);
    find_sram(&w);
    fs_overlay_find_idle(&r->overlay, fs_device_totals_of(r->of.device).compute,
                         r->figures.chip.device.cycles, out);
    fs_links_find_run(r->of.device, &r->figures.chip.network, out);
    find_chips(&w);
    fs_device_find_turn(r->of.device, r->of.machine, out);
    fs_device_find_continued(r->of.machine, out);
    fs_power_find(&r->figures.chip.power, (fs_energy_each){"ray", r->figures.joules_per_ray}, out);
}
