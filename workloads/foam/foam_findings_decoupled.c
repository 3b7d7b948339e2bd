/* Findings of a decoupled run: its tiles never wait for each other at a barrier, so what counts is how busy
 * the busiest one is, how large the calls' batches are and where rays queue. */
#include "workloads/foam/foam_run.h"

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
    char name[FS_FOAM_NAME_TEXT];
    const uint32_t tile = busiest(&w->run->books);
    FS_FIND(w->out, "pace",
            "The busiest tile, {@name}, computed in {busy_share|share} of the time[; a call takes "
            "{batch_mean|.1} rays on average, and {fixed_cycles_share|share} of the calls' cycles are spent "
            "on what every call costs].",
            FS_IS("tile", tile), FS_IS("busy_share", f->decoupled_busy_share),
            FS_IS("batch_mean", f->decoupled_batch), FS_IS("fixed_cycles_share", f->decoupled_fixed_share),
            FS_IS("@name", fs_foam_tile_text(&w->run->books, tile, name)));
}

static void find_gain(fs_foam_finder *w) {
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

static void find_queues(fs_foam_finder *w) {
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

void fs_foam_findings_decoupled(fs_foam_finder *w) {
    find_busiest(w);
    find_gain(w);
    find_queues(w);
}
