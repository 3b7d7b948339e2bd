/* The frame's traffic: all supersteps of the itineraries over the placement. */
#include "workloads/treelets/run.h"

#include "sim/host/signals.h"

#include <inttypes.h>

static void count_traffic(fs_treelets_run *r, const fs_travel_totals *t) {
    fs_treelets_traffic *c = &r->traffic;
    uint64_t most = 0;
    r->tile_units = t->units_of;
    for (uint32_t i = 0; i < r->tiles; i++)
        most = t->units_of[i] > most ? t->units_of[i] : most;
    *c = (fs_treelets_traffic){.treelet_imbalance = c->treelet_imbalance,
                               .treelet_gini = c->treelet_gini,
                               .copies = r->placement.copies,
                               .moves = t->moves,
                               .hops = t->hops,
                               .refused = t->refused,
                               .turned = t->turned,
                               .units = t->units,
                               .deepest = t->deepest,
                               .deepest_tile = fs_treelets_tile(r->params, r->of.machine, t->deepest_tile),
                               .tile_imbalance = (double)most * r->tiles / (double)t->units};
    for (uint32_t k = 0; k < r->placement.treelets; k++) {
        const uint64_t copies = fs_place_copies(&r->placement, k);
        r->shown.copies_of[k] = copies;
        c->most_copies = copies > c->most_copies ? copies : c->most_copies;
    }
}

/* ---- steps ---- */

static fs_travel_params params_of(const fs_treelets_run *r) {
    const fs_treelets_params *p = r->params;
    return (fs_travel_params){
        .tiles = fs_treelets_travelled(p, r->of.machine),
        .workers = (uint32_t)r->of.machine->tile.workers,
        .quantum = (uint32_t)p->quantum,
        .window = (uint32_t)p->window,
        .capacity = (uint32_t)p->capacity,
        .slots = fs_treelets_exchange(p, r->of.machine) == FS_TREELETS_ROTATION ? (uint32_t)p->slots : 0,
        .image = p->start == FS_TREELETS_IMAGE,
        .home = p->payload == FS_TREELETS_HOME};
}

fs_status fs_treelets_travel(fs_treelets_run *r, fs_error *err) {
    const fs_travel_params params = params_of(r);
    fs_travel *t = fs_travel_create(&r->its, &r->placement, &params, r->of.run.arena);
    fs_progress *progress = &r->of.run.progress;
    const uint64_t most = (uint64_t)r->of.run.how->max_iterations;
    uint64_t ended = 0;
    bool more = true;
    fs_progress_begin(progress, "paths", r->its.paths);
    fs_travelled_begin(&r->own, params.tiles, params.workers);
    while (more && r->own.steps < most && err->status == FS_OK) {
        fs_travel_work(t);
        more = fs_travel_move_on(t);
        const fs_travel_step step = fs_travel_step_of(t);
        fs_travelled_add(&r->own, &step);
        fs_progress_update(progress, ended += step.ended);
        if (fs_interrupted())
            fs_fail(err, FS_RUN, "interrupted after %" PRIu64 " steps", r->own.steps);
    }
    fs_progress_end(progress);
    const fs_travel_totals totals = fs_travel_totals_of(t);
    if (more && err->status == FS_OK)
        fs_fail(err, FS_RUN,
                "%" PRIu64 " of %" PRIu64 " paths have ended after run.max_iterations, %" PRIu64
                " steps; tile %" PRIu32 " held up to %" PRIu32 " rays",
                ended, r->its.paths, most, totals.deepest_tile, totals.deepest);
    if (err->status || fs_travel_check(t, err))
        return err->status;
    r->activity = &r->own;
    count_traffic(r, &totals);
    return FS_OK;
}
