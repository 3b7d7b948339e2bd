/* Sentences are computed: each is left out where it would have nothing to say. */
#include "workloads/foam/foam_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what findings call tiles and levels ---- */

enum { NAME_TEXT = 160 };

typedef struct finder {
    const fs_foam_run *run;
    fs_findings *out;
} finder;

/* "tile 412, the tracer of shard 284 (the camera's)", "tile 1364, a router of level 5". Returns text. */
static const char *tile_text(const fs_foam_books *b, uint32_t tile, char text[NAME_TEXT]) {
    const fs_overlay *o = b->overlay;
    const uint32_t shard = o->shard_of_tile[tile];
    switch ((fs_role)o->role[tile]) {
    case FS_ROLE_TRACER: {
        const bool camera = shard != UINT32_MAX && shard == o->shard_of_tile[b->camera_tile];
        const bool several = shard != UINT32_MAX && o->owner_start[shard + 1] - o->owner_start[shard] > 1;
        snprintf(text, NAME_TEXT, "tile %" PRIu32 ", %s tracer of shard %" PRIu32 "%s", tile,
                 several ? "a" : "the", shard, camera ? " (the camera's)" : "");
        break;
    }
    case FS_ROLE_ROUTER:
        snprintf(text, NAME_TEXT, "tile %" PRIu32 ", a router of level %u", tile, o->level[tile]);
        break;
    case FS_ROLE_GENERATOR:
        snprintf(text, NAME_TEXT, "tile %" PRIu32 ", the generator", tile);
        break;
    default:
        snprintf(text, NAME_TEXT, "tile %" PRIu32, tile);
    }
    return text;
}

/* "the tracers", "the routers of level 2", "the generator". Returns text, or a constant. */
static const char *level_text(const fs_overlay *o, uint32_t level, char text[NAME_TEXT]) {
    if (level == 0)
        return "the tracers";
    if (level > o->levels)
        return "the generator";
    snprintf(text, NAME_TEXT, o->levels == 1 ? "the routers" : "the routers of level %" PRIu32, level);
    return text;
}

/* ---- the findings ---- */

static void find_loss(finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    if (!f->complete || f->rays.dropped > 0)
        FS_FIND(w->out, "loss",
                "[dropped?{dropped|.0} of {@generated|.0} rays were lost because the generator's ring was "
                "full: larger lanes or smaller batches (workload.batching.per_batch) would keep them|The run "
                "is not complete]; {coverage|share} of the first frame's pixels are written.",
                FS_IS("dropped", f->rays.dropped), FS_IS("coverage", f->coverage),
                FS_IS("@generated", f->rays.generated));
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

static void find_pace(finder *w) {
    const fs_foam_books *b = &w->run->books;
    const fs_congestion_figures *c = &w->run->figures.congestion;
    const uint32_t tile = (uint32_t)c->hottest_tile;
    char name[NAME_TEXT];
    double share;
    const fs_part part = part_of_pace(b, tile, &share);
    const bool denser = part != FS_PART_ALL && share > c->hottest_share;
    FS_FIND(w->out, "pace",
            "In {share|share} of the iterations {@name} set the pace[, most often in the {@part} part "
            "({share_of_part|share})]; tracers did in {tracer|share}[@routers?, routers in {router|share}], "
            "the generator in {generator|share}.",
            FS_IS("tile", tile), FS_IS("shard", c->hottest_shard), FS_IS("share", c->hottest_share),
            FS_IS("share_of_part", denser ? share : (double)NAN),
            FS_IS("tracer", w->run->figures.pace.tracer), FS_IS("router", w->run->figures.pace.router),
            FS_IS("generator", w->run->figures.pace_generator), FS_IS("@name", tile_text(b, tile, name)),
            FS_IS("@part", denser ? fs_load_part_names[part] : ""), FS_IS("@routers", b->overlay->routers));
}

/* Something that a parameter can change, and the most (or about what) it would gain, in per cent. */
typedef struct choice {
    double gain;
    fs_rung_id rung;
    const char *text;
} choice;

static void consider(choice *best, const fs_foam_ladder *l, fs_rung_id rung, const char *text) {
    if (l->rung[rung].gain_percent <= best->gain)
        return;
    best->gain = l->rung[rung].gain_percent;
    best->rung = rung;
    best->text = text;
}

static void find_next(finder *w) {
    const fs_foam_ladder *l = w->run->ladder;
    const double worth_saying = 1.0; /* per cent */
    choice best = {.gain = 0};
    const fs_rung *more = &l->rung[FS_RUNG_REPLICATED];
    if (l->replicas.count > 0)
        consider(&best, l, FS_RUNG_REPLICATED,
                 fs_arena_printf(w->out->arena, "%s (%s)", more->detail, more->sets));
    if (w->run->figures.rays.dropped == 0) /* what a lost ray would cost is not known */
        consider(&best, l, FS_RUNG_INFINITE_BUFFERS, "larger lanes (the buffers of the overlay section)");
    consider(&best, l, FS_RUNG_FREE_ROUTERS,
             "faster routers (workload.kernels.router=hardware) or more of them (a wider overlay)");
    consider(&best, l, FS_RUNG_FREE_HOST, "rarer host visits (workload.repeat)");
    if (w->run->figures.static_cycles > 0)
        consider(&best, l, FS_RUNG_FREE_EXCHANGE,
                 "an exchange that moves only rays (machine.exchange.mode=dynamic)");
    const double all = l->rung[FS_RUNG_ALL].gain_percent;
    if (best.gain < worth_saying) {
        FS_FIND(w->out, "next",
                "No single change of those tried would gain 1 %; all of them together would gain "
                "[@waited?about {@all|share}|{all_percent|most}].",
                FS_IS("all_percent", all), FS_IS("@all", all / 100), FS_IS("@waited", l->waited));
        return;
    }
    const double routers = l->rung[FS_RUNG_FREE_ROUTERS].gain_percent;
    FS_FIND(w->out, "next",
            "[@lost?Once no ray is lost, worth trying|Worth trying first]: {@best}, which would gain "
            "[@estimate?about|at most] {@gain|share}[@routers?; free routers would gain "
            "{free_routers_percent|most}][@replicas?; {@more} would gain about {@replicated|share}].",
            FS_IS("gain_percent", best.gain), FS_IS("free_routers_percent", routers),
            FS_IS("replicated_percent", more->gain_percent), FS_IS("@lost", w->run->figures.rays.dropped),
            FS_IS("@best", best.text), FS_IS("@estimate", strcmp(l->rung[best.rung].kind, "estimate") == 0),
            FS_IS("@gain", best.gain / 100),
            FS_IS("@routers", best.rung != FS_RUNG_FREE_ROUTERS && w->run->overlay.routers > 0),
            FS_IS("@replicas", best.rung != FS_RUNG_REPLICATED && l->replicas.count > 0),
            FS_IS("@more", more->detail), FS_IS("@replicated", more->gain_percent / 100));
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

/* A count as a share of the rays that were turned away; NAN where none was. */
static double of_turned_away(const fs_foam_figures *f, uint64_t away) {
    return away == 0 ? (double)NAN : f->rays.spilled > 0 ? (double)away / (double)f->rays.spilled : 1;
}

static void find_waiting(finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    const fs_congestion *c = w->run->congestion;
    const fs_overlay *overlay = &w->run->overlay;
    const uint32_t level = most_turned_away(c);
    const bool full = level < FS_MAX_LEVELS;
    char name[NAME_TEXT];
    uint64_t most;
    const uint32_t lane = fullest_lane(&w->run->books, &most);
    const fs_lane *ends = lane < overlay->lane_count ? &overlay->lanes[lane] : NULL;
    FS_FIND(w->out, "waiting",
            "[@waited?[Rays wait at full lanes: one was turned away {spilled|.0} {spilled|time/times}, in "
            "{share_of_level|share} of the cases by a lane to {@level}[; the lane from tile {@from|.0} to "
            "tile {@to|.0} did so in {share_of_lane|share}]|No router's lane turned a ray away, but rays "
            "wait in the generator's ring][ring_peak?; the generator's ring held up to {ring_peak|.0} "
            "{ring_peak|ray/rays}][; a ray waits {waiting_mean|.1} iterations on average, 99 % of the rays "
            "at most {@p99|.0}]|No ray waited: no lane turned one away and the generator's ring stayed "
            "empty; the fullest lane held {peak_fill|share} of its capacity].",
            FS_IS("spilled", f->rays.spilled), FS_IS("ring_peak", f->congestion.ring_peak),
            FS_IS("waiting_mean", f->hops.waiting_mean), FS_IS("peak_fill", f->congestion.peak_fill),
            FS_IS("level", full ? level : (double)NAN),
            FS_IS("share_of_level", of_turned_away(f, full ? c->level[FS_PART_ALL][level].turned_away : 0)),
            FS_IS("lane", ends != NULL ? lane : (double)NAN), FS_IS("share_of_lane", of_turned_away(f, most)),
            FS_IS("@waited", w->run->ladder->waited),
            FS_IS("@level", full ? level_text(overlay, level, name) : NULL),
            FS_IS("@from", ends != NULL ? ends->src : (double)NAN),
            FS_IS("@to", ends != NULL ? ends->dst : (double)NAN), FS_IS("@p99", f->hops.waiting.p99));
}

static void find_drain(finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    const fs_congestion_figures *c = &f->congestion;
    if (c->last_percent_iterations == 0 || f->chip.device.iterations == 0 || f->chip.device.cycles == 0)
        return;
    const uint64_t drain = f->parts.iterations[FS_PART_DRAIN];
    FS_FIND(
        w->out, "drain",
        "The last 1 % of the rays took {iterations|.0} of {@all|.0} [@slices?slices|iterations] and "
        "{share_of_time|share} of the time[drain_iterations?; the generator had made its last ray "
        "{drain_iterations|.0} "
        "[@slices?{drain_iterations|slice/slices}|{drain_iterations|iteration/iterations}] before the end].",
        FS_IS("iterations", c->last_percent_iterations),
        FS_IS("share_of_iterations", (double)c->last_percent_iterations / (double)f->chip.device.iterations),
        FS_IS("share_of_time", (double)c->last_percent_cycles / (double)f->chip.device.cycles),
        FS_IS("drain_iterations", drain), FS_IS("@all", f->chip.device.iterations),
        FS_IS("@slices", f->decoupled_calls)); /* a decoupled run has no iterations, only slices of time */
}

static void find_imbalance(finder *w) {
    const fs_congestion_figures *c = &w->run->figures.congestion;
    const fs_rung *even = &w->run->ladder->rung[FS_RUNG_BALANCED_TRACERS];
    if (!isfinite(c->imbalance_tracers) || w->run->overlay.tracers < 2)
        return;
    FS_FIND(w->out, "imbalance",
            "The busiest tracer computes {imbalance|.1} times as long as the average one (Gini coefficient "
            "{gini|.2}); the same work spread evenly over all tracers would gain {balanced_percent|most}.",
            FS_IS("imbalance", c->imbalance_tracers), FS_IS("gini", c->gini_tracers),
            FS_IS("balanced_percent", even->gain_percent));
}

static void find_sram(finder *w) {
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
    double bytes[FS_ROLE_COUNT], share[FS_ROLE_COUNT];
    for (int role = 0; role < FS_ROLE_COUNT; role++) {
        bytes[role] = most[role] > 0 ? (double)most[role] : (double)NAN;
        share[role] = bytes[role] / (double)fs_machine_sram(w->run->of.machine, (uint32_t)role);
    }
    FS_FIND(w->out, "sram",
            "Of its SRAM the fullest tracer (tile {@tracer|.0}) uses {tracer_share|share}[, the fullest "
            "router (tile {@router|.0}) uses {router_share|share}][, the generator (tile {@generator|.0}) "
            "uses {generator_share|share}]; [spare_tiles?{spare_tiles|.0} of {@tiles|.0} tiles "
            "{spare_tiles|is/are} spare|no tile is spare].",
            FS_IS("tracer_bytes", bytes[FS_ROLE_TRACER]), FS_IS("tracer_share", share[FS_ROLE_TRACER]),
            FS_IS("router_bytes", bytes[FS_ROLE_ROUTER]), FS_IS("router_share", share[FS_ROLE_ROUTER]),
            FS_IS("generator_bytes", bytes[FS_ROLE_GENERATOR]),
            FS_IS("generator_share", share[FS_ROLE_GENERATOR]), FS_IS("spare_tiles", o->spares),
            FS_IS("@tracer", tile[FS_ROLE_TRACER]), FS_IS("@router", tile[FS_ROLE_ROUTER]),
            FS_IS("@generator", tile[FS_ROLE_GENERATOR]), FS_IS("@tiles", o->tiles));
}

/* What ends the scaling where links do not: the way through the tree, and the tracer that all wait for. */
static void find_chips(finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    const char *more = fs_arena_printf(
        w->run->of.run.arena,
        "links do not matter, the depth of the overlay (%.1f router visits of a ray) and the shard of tile "
        "%" PRIu64 ", the slowest tile in %s of the iterations, do",
        f->hops.router_mean, f->congestion.hottest_tile, FS_PERCENT(f->congestion.hottest_share));
    const bool known = w->run->books.full && f->pace.tracer > 0.5 && w->run->overlay.routers > 0;
    fs_joined_find(&f->chips, w->run->of.device, known ? more : NULL, w->out);
}

/* Findings of a decoupled run: its tiles never wait for each other at a barrier, so what counts is how busy
 * the busiest one is, how large the calls' batches are and where rays queue. */

/* The tile that computed longest. */
static uint32_t busiest(const fs_foam_books *b) {
    const uint64_t *compute = fs_device_totals_of(b->device).compute;
    uint32_t tile = 0;
    for (uint32_t t = 1; t < b->overlay->tiles; t++)
        tile = compute[t] > compute[tile] ? t : tile;
    return tile;
}

static void find_busiest(finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    char name[NAME_TEXT];
    const uint32_t tile = busiest(&w->run->books);
    FS_FIND(w->out, "pace",
            "The busiest tile, {@name}, computed in {busy_share|share} of the time[; a call takes "
            "{batch_mean|.1} rays on average, and {fixed_cycles_share|share} of the calls' cycles are spent "
            "on what every call costs].",
            FS_IS("tile", tile), FS_IS("busy_share", f->decoupled_busy_share),
            FS_IS("batch_mean", f->decoupled_batch), FS_IS("fixed_cycles_share", f->decoupled_fixed_share),
            FS_IS("@name", tile_text(&w->run->books, tile, name)));
}

static void find_gain(finder *w) {
    const fs_foam_ladder *l = w->run->ladder;
    const fs_rung *more = &l->rung[FS_RUNG_REPLICATED], *routers = &l->rung[FS_RUNG_FREE_ROUTERS];
    FS_FIND(w->out, "next",
            "[@replicas?Worth trying first: {@more} ({@sets}), which would gain {replicated_percent|most}|No "
            "set of up to four shards with more tracers is worth its spare tiles][@routers?; free routers "
            "would gain {free_routers_percent|most}].",
            FS_IS("replicated_percent", more->gain_percent),
            FS_IS("free_routers_percent", routers->gain_percent), FS_IS("@replicas", l->replicas.count),
            FS_IS("@more", more->detail), FS_IS("@sets", more->sets),
            FS_IS("@routers", w->run->overlay.routers));
}

static void find_queues(finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    FS_FIND(w->out, "waiting",
            "At most {in_flight_max|.0} {in_flight_max|ray was/rays were} in flight[@all?, as many as may "
            "be| of {window|.0} that may be][@alive?; a ray lives {@millions|.2} million cycles, "
            "{waiting_share|share} of them waiting in queues, for a call, a port or a credit]; "
            "[stalled_cycles?{lanes_full_share|share} of the lanes were full at some time|no lane ran out of "
            "credits].",
            FS_IS("in_flight_max", f->decoupled_in_flight_max), FS_IS("window", f->decoupled_window),
            FS_IS("alive_cycles", f->decoupled_alive), FS_IS("waiting_cycles", f->decoupled_waiting),
            FS_IS("waiting_share", f->decoupled_waiting / f->decoupled_alive),
            FS_IS("lanes_full_share", f->congestion.lanes_full_share),
            FS_IS("stalled_cycles", f->decoupled_stalled_cycles),
            FS_IS("@all", f->decoupled_in_flight_max >= f->decoupled_window),
            FS_IS("@alive", f->decoupled_alive > 0), FS_IS("@millions", f->decoupled_alive / 1e6));
}

static void find_decoupled(finder *w) {
    find_busiest(w);
    find_gain(w);
    find_queues(w);
}

void fs_foam_find(const fs_foam_run *r, fs_findings *out) {
    finder w = {.run = r, .out = out};
    if (r->books.iterations == 0)
        return;
    find_loss(&w);
    if (r->figures.decoupled_calls > 0) {
        find_decoupled(&w);
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
