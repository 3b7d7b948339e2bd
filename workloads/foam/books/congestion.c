/* How even the load is: levels, lanes, tails, and how unequal tiles are. */
#include "workloads/foam/books/books.h"

#include "sim/base/arith.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- levels ---- */

/* What follows from the notes of the iterations and from the lanes. */
static void count_part(const fs_foam_books *b, fs_part part, fs_level_load *level, uint32_t levels) {
    const fs_overlay *o = b->overlay;
    uint64_t begin, end;
    fs_foam_books_part(b, part, &begin, &end);
    for (uint32_t l = 0; l < levels; l++)
        level[l] =
            (fs_level_load){.role = fs_overlay_role_of_level(o, l), .level = l, .iterations = end - begin};
    for (uint64_t k = begin; k < end; k++) {
        const fs_foam_step *step = &b->note[k].step;
        level[o->level[b->note[k].times.pace_tile]].paced++;
        for (uint32_t l = 0; l < levels; l++) {
            level[l].rays += step->rays[l];
            level[l].rays_max = fs_most(level[l].rays_max, step->rays[l]);
            level[l].spilled += step->spilled_at[l];
            level[l].misrouted += step->misrouted_at[l];
        }
    }
    const fs_lane_state *lanes = fs_foam_simulation_lanes(b->sim);
    for (uint32_t l = 0; l < o->lane_count; l++) {
        fs_level_load *to = &level[o->level[o->lanes[l].dst]];
        to->slots += lanes[l].capacity;
        to->turned_away += fs_foam_books_lane(b, part, l).turned_away;
    }
    for (uint32_t u = 0; u < b->used; u++)
        level[o->level[b->tile_of[u]]].tiles++;
}

/* Compute cycles of each tile in a part: sum[used]; and of the slowest tile of each level. */
static void sum_cycles(const fs_foam_books *b, fs_part part, uint64_t *sum, fs_level_load *level,
                       uint32_t levels) {
    uint64_t begin, end;
    fs_foam_books_part(b, part, &begin, &end);
    for (uint64_t k = begin; k < end; k++) {
        uint64_t slowest[FS_MAX_LEVELS] = {0};
        for (uint32_t u = 0; u < b->used; u++) {
            uint64_t cycles = fs_foam_books_tile_cycles(b, k, u),
                     *most = &slowest[b->overlay->level[b->tile_of[u]]];
            sum[u] += cycles;
            *most = fs_most(*most, cycles);
        }
        for (uint32_t l = 0; l < levels; l++)
            level[l].compute_slowest += slowest[l];
    }
}

/* Sums and unevenness of each level; scratch: [used]. */
static void weigh_levels(const fs_foam_books *b, const uint64_t *sum, fs_level_load *level, uint32_t levels,
                         uint64_t *scratch) {
    for (uint32_t l = 0; l < levels; l++) {
        size_t count = 0;
        for (uint32_t u = 0; u < b->used; u++)
            if (b->overlay->level[b->tile_of[u]] == l) {
                scratch[count++] = sum[u];
                level[l].compute += sum[u];
            }
        level[l].imbalance = fs_imbalance(scratch, count);
        level[l].gini = level[l].iterations > 0 ? fs_gini(scratch, count) : NAN;
    }
}

void fs_congestion_make(const fs_foam_books *b, fs_congestion *out) {
    *out = (fs_congestion){.levels = b->overlay->levels + 2};
    uint64_t *all = fs_calloc(b->used, sizeof *all), *sum = fs_malloc(b->used * sizeof *sum),
             *scratch = fs_malloc(b->used * sizeof *scratch);
    fs_level_load *whole = out->level[FS_PART_ALL];
    count_part(b, FS_PART_ALL, whole, out->levels);
    for (fs_part p = FS_PART_INJECTION; p < FS_PARTS; p++) {
        fs_level_load *level = out->level[p];
        count_part(b, p, level, out->levels);
        for (uint32_t u = 0; u < b->used; u++)
            sum[u] = 0;
        sum_cycles(b, p, sum, level, out->levels);
        weigh_levels(b, sum, level, out->levels, scratch);
        for (uint32_t u = 0; u < b->used; u++)
            all[u] += sum[u];
        for (uint32_t l = 0; l < out->levels; l++)
            whole[l].compute_slowest += level[l].compute_slowest;
    }
    weigh_levels(b, all, whole, out->levels, scratch);
    free(all);
    free(sum);
    free(scratch);
}

/* ---- figures ---- */

static void part_figures(const fs_foam_books *b, fs_parts_figures *parts, fs_congestion_figures *f) {
    double *const mean[FS_PARTS] = {&f->injection_mean, &f->steady_mean, &f->drain_mean};
    for (fs_part p = FS_PART_INJECTION; p < FS_PARTS; p++) {
        uint64_t begin, end;
        fs_foam_books_part(b, p, &begin, &end);
        parts->iterations[p] = end - begin;
        for (uint64_t k = begin; k < end; k++)
            parts->cycles[p] += fs_note_cycles(&b->note[k]);
        *mean[p] = fs_ratio((double)parts->cycles[p], (double)parts->iterations[p]);
    }
}

/* Iterations behind the one in which 99 % of the finished rays had reached their pixel, to the last ray's. */
static void tail_figures(const fs_foam_books *b, fs_congestion_figures *f) {
    uint64_t finished = 0, so_far = 0;
    for (uint64_t k = 0; k < b->iterations; k++)
        finished += b->note[k].step.finished;
    for (uint64_t k = 0; k < b->iterations && so_far < finished; k++) {
        if (100 * so_far >= 99 * finished) {
            f->last_percent_iterations++;
            f->last_percent_cycles += fs_note_cycles(&b->note[k]);
        }
        so_far += b->note[k].step.finished;
    }
}

static void lane_figures(const fs_foam_books *b, fs_congestion_figures *f) {
    const fs_lane_state *lanes = fs_foam_simulation_lanes(b->sim);
    uint64_t full = 0, stalled = 0;
    for (uint32_t l = 0; l < b->overlay->lane_count; l++) {
        double fill = fs_ratio((double)lanes[l].peak, (double)lanes[l].capacity);
        full += lanes[l].full > 0;
        stalled += lanes[l].stalled;
        f->peak_fill = fill > f->peak_fill ? fill : f->peak_fill;
    }
    f->lanes_full_share = fs_ratio((double)full, (double)b->overlay->lane_count);
    f->stalled_share = fs_ratio((double)stalled, (double)b->overlay->lane_count * (double)b->iterations);
}

static void work_figures(const fs_foam_books *b, fs_congestion_figures *f) {
    const fs_device_totals d = fs_device_totals_of(b->device);
    uint64_t sum[FS_ROLE_COUNT] = {0}, critical[FS_ROLE_COUNT] = {0};
    uint64_t *tracer = fs_malloc(b->used * sizeof *tracer);
    size_t tracers = 0;
    for (uint32_t u = 0; u < b->used; u++) {
        const uint32_t tile = b->tile_of[u], role = b->overlay->role[tile];
        sum[role] += d.compute[tile];
        if (role == FS_ROLE_TRACER)
            tracer[tracers++] = d.compute[tile];
    }
    f->imbalance_tracers = fs_imbalance(tracer, tracers);
    f->gini_tracers = fs_gini(tracer, tracers);
    free(tracer);
    for (uint64_t k = 0; k < b->iterations; k++) {
        f->ring_peak = fs_most(f->ring_peak, b->note[k].step.backlog);
        for (int r = 0; r < FS_ROLE_COUNT; r++)
            critical[r] += b->note[k].compute[r];
    }
    f->tracer_cycles = sum[FS_ROLE_TRACER];
    f->router_cycles = sum[FS_ROLE_ROUTER];
    f->generator_cycles = sum[FS_ROLE_GENERATOR];
    f->tracer_critical = critical[FS_ROLE_TRACER];
    f->router_critical = critical[FS_ROLE_ROUTER];
    f->generator_critical = critical[FS_ROLE_GENERATOR];
}

static void pace_figures(const fs_foam_books *b, fs_congestion_figures *f) {
    const fs_overlay *o = b->overlay;
    const uint64_t *paced = fs_device_totals_of(b->device).paced;
    uint64_t by_level[FS_MAX_LEVELS] = {0};
    for (uint32_t t = 0; t < o->tiles; t++) {
        by_level[o->level[t]] += paced[t];
        if (paced[t] > paced[f->hottest_tile])
            f->hottest_tile = t;
    }
    for (uint32_t l = 0; l < FS_FIGURE_LEVELS; l++)
        f->pace_level[l] = l < o->levels ? fs_ratio((double)by_level[l + 1], (double)b->iterations) : NAN;
    const uint32_t shard = o->shard_of_tile[f->hottest_tile];
    f->hottest_shard = shard == UINT32_MAX ? NAN : (double)shard;
    f->hottest_share = fs_ratio((double)paced[f->hottest_tile], (double)b->iterations);
}

static fs_hop_percentiles percentiles(const fs_dist *d) {
    return (fs_hop_percentiles){
        .p50 = fs_dist_percentile(d, 50), .p90 = fs_dist_percentile(d, 90), .p99 = fs_dist_percentile(d, 99)};
}

void fs_congestion_figures_make(const fs_foam_books *b, fs_foam_figures *out) {
    fs_congestion_figures *f = &out->congestion;
    *f = (fs_congestion_figures){0};
    part_figures(b, &out->parts, f);
    tail_figures(b, f);
    lane_figures(b, f);
    work_figures(b, f);
    pace_figures(b, f);
    if (b->counted != NULL) /* with their percentiles */
        return;
    fs_dist *hops = fs_congestion_distributions(fs_foam_simulation_framebuffer(b->sim));
    out->hops.alive = percentiles(&hops[FS_DIST_ALIVE]);
    out->hops.waiting = percentiles(&hops[FS_DIST_WAITING]);
    out->hops.tracer = percentiles(&hops[FS_DIST_TRACER_VISITS]);
    out->hops.router = percentiles(&hops[FS_DIST_ROUTER_VISITS]);
    if (b->hops != NULL)
        memcpy(b->hops, hops, FS_DISTRIBUTIONS * sizeof *hops);
    free(hops);
}

/* ---- distributions ---- */

const char *const fs_distribution_names[FS_DISTRIBUTIONS] = {
    "alive", "shortest", "waiting", "tracer_visits", "router_visits", "delivery_hops", "misrouted"};

fs_dist *fs_congestion_distributions(const fs_framebuffer *fb) {
    fs_dist *d = fs_calloc(FS_DISTRIBUTIONS, sizeof *d);
    for (size_t p = 0; p < (size_t)fb->width * fb->height; p++) {
        const fs_pixel_hops *h = &fb->hops[p];
        if (h->alive < 0)
            continue;
        const int32_t value[FS_DISTRIBUTIONS] = {h->alive,         h->alive - h->waiting, h->waiting,
                                                 h->tracer_visits, h->router_visits,      h->delivery_hops,
                                                 h->misrouted};
        for (int i = 0; i < FS_DISTRIBUTIONS; i++)
            fs_dist_add(&d[i], (uint64_t)value[i]);
    }
    return d;
}
