/* Findings of a decoupled run: its tiles never wait for each other at a barrier, so what counts is how busy
 * the busiest one is, how large the calls' batches are and where rays queue. */
#include "workloads/foam/foam_run.h"

#include <inttypes.h>
#include <math.h>

/* The tile that computed longest. */
static uint32_t busiest(const fs_foam_books *b) {
    const uint64_t *compute = fs_device_totals_of(b->device).compute;
    uint32_t tile = 0;
    for (uint32_t t = 1; t < b->overlay->tiles; t++)
        tile = compute[t] > compute[tile] ? t : tile;
    return tile;
}

static void find_busiest(fs_foam_finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    if (!isfinite(f->decoupled_busy_share))
        return;
    char name[FS_FOAM_NAME_TEXT];
    const uint32_t tile = busiest(&w->run->books);
    fs_finding *o = fs_finding_begin(w->out, "pace");
    fs_finding_say(o, "The busiest tile, %s, computed in %s of the time",
                   fs_foam_tile_text(&w->run->books, tile, name), FS_PERCENT(f->decoupled_busy_share));
    if (isfinite(f->decoupled_batch))
        fs_finding_say(
            o,
            "; a call takes %.1f rays on average, and %s of the calls' cycles are spent on what every call "
            "costs",
            f->decoupled_batch, FS_PERCENT(f->decoupled_fixed_share));
    fs_finding_say(o, ".");
    FS_FINDING_FIGURES(o, {"tile", tile}, {"busy_share", f->decoupled_busy_share},
                       {"batch_mean", f->decoupled_batch}, {"fixed_cycles_share", f->decoupled_fixed_share});
}

static void find_gain(fs_foam_finder *w) {
    const fs_foam_ladder *l = w->run->ladder;
    const fs_rung *more = &l->rung[FS_RUNG_REPLICATED], *routers = &l->rung[FS_RUNG_FREE_ROUTERS];
    fs_finding *o = fs_finding_begin(w->out, "next");
    if (l->replicas.count > 0)
        fs_finding_say(o, "Worth trying first: %s (%s), which would gain %s", more->detail, more->sets,
                       FS_AT_MOST(more->gain_percent));
    else
        fs_finding_say(o, "No set of up to four shards with more tracers is worth its spare tiles");
    if (w->run->overlay.routers > 0)
        fs_finding_say(o, "; free routers would gain %s", FS_AT_MOST(routers->gain_percent));
    fs_finding_say(o, ".");
    FS_FINDING_FIGURES(o, {"replicated_percent", more->gain_percent},
                       {"free_routers_percent", routers->gain_percent});
}

static void find_queues(fs_foam_finder *w) {
    const fs_foam_figures *f = &w->run->figures;
    fs_finding *o = fs_finding_begin(w->out, "waiting");
    fs_finding_say(o, "At most %" PRIu64 " %s in flight", f->decoupled_in_flight_max,
                   fs_plural(f->decoupled_in_flight_max, "ray was", "rays were"));
    if (f->decoupled_in_flight_max >= f->decoupled_window)
        fs_finding_say(o, ", as many as may be");
    else
        fs_finding_say(o, " of %" PRIu64 " that may be", f->decoupled_window);
    if (isfinite(f->decoupled_alive) && f->decoupled_alive > 0)
        fs_finding_say(
            o,
            "; a ray lives %.2f million cycles, %s of them waiting in queues, for a call, a port or a "
            "credit",
            f->decoupled_alive / 1e6, FS_PERCENT(f->decoupled_waiting / f->decoupled_alive));
    if (f->decoupled_stalled_cycles == 0)
        fs_finding_say(o, "; no lane ran out of credits");
    else
        fs_finding_say(o, "; %s of the lanes were full at some time",
                       FS_PERCENT(f->congestion.lanes_full_share));
    fs_finding_say(o, ".");
    FS_FINDING_FIGURES(o, {"in_flight_max", (double)f->decoupled_in_flight_max},
                       {"window", (double)f->decoupled_window}, {"alive_cycles", f->decoupled_alive},
                       {"waiting_cycles", f->decoupled_waiting},
                       {"waiting_share", f->decoupled_waiting / f->decoupled_alive},
                       {"lanes_full_share", f->congestion.lanes_full_share},
                       {"stalled_cycles", (double)f->decoupled_stalled_cycles});
}

void fs_foam_findings_decoupled(fs_foam_finder *w) {
    find_busiest(w);
    find_gain(w);
    find_queues(w);
}
