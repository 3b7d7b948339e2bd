/* Findings of a decoupled run: its tiles never wait for each other at a barrier, so what counts is how busy
 * the busiest one is, how large the calls' batches are and where rays queue. */
#include "workloads/foam/findings_words.h"

#include <math.h>

/* The tile that computed longest. */
static uint32_t busiest(const fs_foam_books *b) {
    const uint64_t *compute = fs_device_totals_of(b->device).compute;
    uint32_t tile = 0;
    for (uint32_t t = 1; t < b->overlay->tiles; t++)
        tile = compute[t] > compute[tile] ? t : tile;
    return tile;
}

static void find_busiest(writer *w) {
    const fs_foam_figures *f = w->source->figures;
    if (!isfinite(f->decoupled_busy_share))
        return;
    char name[SHORT];
    const uint32_t tile = busiest(w->source->books);
    fs_finding *o = begin(w, "pace");
    add(o, "The busiest tile, %s, computed in %s of the time", name_tile(w->source->books, tile, name),
        PERCENT(f->decoupled_busy_share));
    if (isfinite(f->decoupled_batch))
        add(o,
            "; a call takes %.1f rays on average, and %s of the calls' cycles are spent on what every call "
            "costs",
            f->decoupled_batch, PERCENT(f->decoupled_fixed_share));
    add(o, ".");
    figure(o, "tile", tile);
    figure(o, "busy_share", f->decoupled_busy_share);
    figure(o, "batch_mean", f->decoupled_batch);
    figure(o, "fixed_cycles_share", f->decoupled_fixed_share);
}

static void find_gain(writer *w) {
    const fs_ladder *l = w->source->ladder;
    const fs_rung *more = &l->rung[FS_RUNG_REPLICATED], *routers = &l->rung[FS_RUNG_FREE_ROUTERS];
    fs_finding *o = begin(w, "next");
    if (l->replicas.count > 0)
        add(o, "Worth trying first: %s (%s), which would gain %s", more->detail, more->sets,
            AT_MOST(more->gain_percent));
    else
        add(o, "No set of up to four shards with more tracers is worth its spare tiles");
    if (w->source->books->overlay->routers > 0)
        add(o, "; free routers would gain %s", AT_MOST(routers->gain_percent));
    add(o, ".");
    figure(o, "replicated_percent", more->gain_percent);
    figure(o, "free_routers_percent", routers->gain_percent);
}

static void find_queues(writer *w) {
    const fs_foam_figures *f = w->source->figures;
    fs_finding *o = begin(w, "waiting");
    add(o, "At most %" PRIu64 " %s in flight", f->decoupled_in_flight_max,
        plural(f->decoupled_in_flight_max, "ray was", "rays were"));
    if (f->decoupled_in_flight_max >= f->decoupled_window)
        add(o, ", as many as may be");
    else
        add(o, " of %" PRIu64 " that may be", f->decoupled_window);
    if (isfinite(f->decoupled_alive) && f->decoupled_alive > 0)
        add(o,
            "; a ray lives %.2f million cycles, %s of them waiting in queues, for a call, a port or a "
            "credit",
            f->decoupled_alive / 1e6, PERCENT(f->decoupled_waiting / f->decoupled_alive));
    if (f->decoupled_stalled_cycles == 0)
        add(o, "; no lane ran out of credits");
    else
        add(o, "; %s of the lanes were full at some time", PERCENT(f->congestion.lanes_full_share));
    add(o, ".");
    figure(o, "in_flight_max", (double)f->decoupled_in_flight_max);
    figure(o, "window", (double)f->decoupled_window);
    figure(o, "alive_cycles", f->decoupled_alive);
    figure(o, "waiting_cycles", f->decoupled_waiting);
    figure(o, "stalled_cycles", (double)f->decoupled_stalled_cycles);
}

void fs_findings_decoupled(writer *w) {
    find_busiest(w);
    find_gain(w);
    find_queues(w);
}
