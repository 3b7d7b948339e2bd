#include "workloads/traffic/books.h"

#include "sim/base/arith.h"

#include <math.h>
#include <string.h>

enum { KILO = 1000 };

void fs_traffic_books_create(fs_traffic_books *books, fs_arena *arena, const fs_overlay *overlay,
                             const fs_traffic_rays *rays, const fs_device *device, bool programs,
                             uint32_t max_iterations) {
    *books = (fs_traffic_books){.overlay = overlay,
                                .rays = rays,
                                .device = device,
                                .programs = programs,
                                .levels = overlay->levels + 2};
    books->note = FS_NEW(arena, fs_traffic_note, max_iterations);
    books->level_rays = FS_NEW(arena, uint64_t, (size_t)max_iterations * books->levels);
    for (int p = 0; p < FS_PART_COUNT; p++) {
        books->compute[p] = FS_NEW(arena, uint64_t, overlay->tiles);
        books->level[p] = FS_NEW(arena, fs_traffic_level, books->levels);
    }
}

/* Compute cycles of this iteration, tile by tile. */
static void note_compute(fs_traffic_books *books, fs_traffic_note *note, fs_traffic_part part) {
    const fs_overlay *o = books->overlay;
    uint64_t slowest[UINT8_MAX + 1] = {0};
    for (uint32_t t = 0; t < o->tiles; t++) {
        uint64_t cycles = fs_device_tile_cycles(books->device, 0, t), *role = &note->slowest[o->role[t]];
        books->compute[part][t] += cycles;
        *role = cycles > *role ? cycles : *role;
        if (o->role[t] != FS_ROLE_SPARE && cycles > slowest[o->level[t]])
            slowest[o->level[t]] = cycles;
    }
    for (uint32_t l = 0; l < books->levels; l++)
        books->level[part][l].compute_slowest += slowest[l];
    if (o->role[note->times.pace_tile] != FS_ROLE_SPARE)
        books->level[part][o->level[note->times.pace_tile]].paced++;
}

void fs_traffic_books_note(fs_traffic_books *books, const fs_iteration *times) {
    fs_traffic_part part = fs_traffic_part_of(books->rays, times->number);
    fs_traffic_note *note = &books->note[books->iterations];
    uint64_t *rays = &books->level_rays[books->iterations * books->levels];
    *note = (fs_traffic_note){.times = *times, .step = *fs_traffic_step_of(books->rays)};
    memcpy(rays, fs_traffic_level_rays(books->rays), books->levels * sizeof *rays);
    for (uint32_t l = 0; l < books->levels; l++) {
        fs_traffic_level *level = &books->level[part][l];
        level->rays += rays[l];
        level->rays_max = rays[l] > level->rays_max ? rays[l] : level->rays_max;
    }
    if (books->programs)
        note_compute(books, note, part);
    books->iterations++;
    books->part_iterations[part]++;
}

/* Loads are those of the measurement, per source where not said otherwise. */
static void load_figures(const fs_traffic_books *b, const fs_outlook *outlook, double round_cycles,
                         fs_traffic_figures *out) {
    uint64_t offered = 0, delivered = 0, waiting = 0;
    for (uint64_t k = 0; k < b->iterations; k++) {
        const fs_traffic_note *n = &b->note[k];
        fs_traffic_part part = fs_traffic_part_of(b->rays, k);
        out->parts.cycles[part] += n->times.compute + n->times.sync + n->times.exchange + n->times.host;
        if (part != FS_PART_MEASURE)
            continue;
        offered += n->step.made + n->step.refused;
        delivered += n->step.delivered;
        waiting += n->step.waiting;
    }
    double kilocycles = (double)out->parts.cycles[FS_PART_MEASURE] / KILO, sources = b->overlay->tracers;
    out->offered = fs_ratio((double)offered, kilocycles * sources);
    out->accepted_all = fs_ratio((double)delivered, kilocycles);
    out->accepted = out->accepted_all / sources;
    out->bound = fs_ratio(KILO, round_cycles);
    out->bound_share = out->accepted / out->bound;
    out->waiting_mean = fs_ratio((double)waiting, (double)b->part_iterations[FS_PART_MEASURE]);
    out->port_rays = outlook->port_rays;
    for (int p = 0; p < FS_PART_COUNT; p++)
        out->parts.iterations[p] = b->part_iterations[p];
}

static void latency_figures(const fs_traffic_books *b, const fs_outlook *outlook, fs_latency *latency,
                            fs_traffic_figures *out) {
    fs_traffic_latencies(b->rays, latency);
    const bool any = latency->count > 0;
    out->latency_mean = any ? fs_latency_mean(latency) : NAN;
    out->latency_zero = outlook->cycles;
    out->latency_p50 = fs_latency_percentile(latency, 50);
    out->latency_p99 = fs_latency_percentile(latency, 99);
    out->latency_max = latency->max;
    out->alive_mean = any ? fs_dist_mean(&latency->iterations) : NAN;
    out->alive_p50 = fs_dist_percentile(&latency->iterations, 50);
    out->alive_p99 = fs_dist_percentile(&latency->iterations, 99);
    out->alive_max = latency->iterations.max;
    out->hops_mean = any ? fs_dist_mean(&latency->hops) : NAN;
    out->hops_expected = outlook->hops;
    out->hops_max = latency->hops.max;
}

static void port_figures(const fs_traffic_books *b, const fs_device_totals *d, fs_traffic_figures *out) {
    uint64_t busiest = 0;
    out->port_side = "in";
    for (uint32_t t = 0; t < b->overlay->tiles; t++)
        for (int side = 0; side < 2; side++) {
            uint64_t busy = side == 0 ? d->port_busy_in[t] : d->port_busy_out[t];
            if (busy <= busiest)
                continue;
            busiest = busy;
            out->port_tile = t;
            out->port_side = side == 0 ? "in" : "out";
        }
    out->port_role = fs_role_names[b->overlay->role[out->port_tile]];
    out->port_level = b->overlay->level[out->port_tile];
    out->port_share = fs_ratio((double)busiest, (double)d->cycles_exchange);
    const fs_traffic_lane *lanes = fs_traffic_lanes(b->rays);
    for (uint32_t l = 0; l < b->overlay->lane_count; l++)
        for (int p = 0; p < FS_PART_COUNT; p++) {
            const fs_traffic_load *load = &lanes[l].load[p];
            out->lane_peak = load->peak > out->lane_peak ? load->peak : out->lane_peak;
            out->waiting_peak =
                load->waiting_peak > out->waiting_peak ? load->waiting_peak : out->waiting_peak;
        }
}

void fs_traffic_books_figures(const fs_traffic_books *b, const fs_outlook *outlook, double round_cycles,
                              double clock, fs_latency *latency, fs_traffic_figures *out) {
    fs_device_totals d = fs_device_totals_of(b->device);
    fs_traffic_totals rays = fs_traffic_totals_of(b->rays);
    *out = (fs_traffic_figures){
        .chip.device = fs_device_figures_of(b->device, clock), .rays = rays, .complete = rays.in_flight == 0};
    load_figures(b, outlook, round_cycles, out);
    latency_figures(b, outlook, latency, out);
    port_figures(b, &d, out);
    uint64_t paced[FS_ROLE_COUNT] = {0};
    for (uint64_t k = 0; k < b->iterations; k++)
        paced[b->overlay->role[b->note[k].times.pace_tile]] += b->programs;
    out->pace = fs_pace_figures_of(paced, b->iterations);
    out->cycles_mean =
        fs_ratio((double)out->parts.cycles[FS_PART_MEASURE], (double)b->part_iterations[FS_PART_MEASURE]);
}
